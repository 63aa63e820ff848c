import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { hash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { devStacosys } from '../dev-stacosys.js';
import { databaseWith, listen, openTable, temporaryFolder } from './serving.js';
import { readTranscript } from './transcript.js';

/**
 * @typedef {import('./transcript.js').Exchange} Exchange
 * @typedef {{status: number, headers: Headers, body: string}} Answer
 * @typedef {{author: string, avatar: string | null, content: string, date: string, site?: string}} Listed
 */

const TRANSCRIPT = readFileSync(new URL('fixtures/api-3.4.transcript.txt', import.meta.url), 'utf8');
const FILLED = fileURLToPath(new URL('../../stacosys-hook/test/fixtures/gen-f-3.4.sqlite', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../dev-stacosys.js', import.meta.url));

/** The comments of the transcript; those after it came from other experiments. */
const OF_THE_TRANSCRIPT = 'SELECT * FROM comment WHERE id <= 18 ORDER BY id';

/** The script that made the transcript kept as much of the body of an answer to a POST. */
const KEPT = 200;

/**
 * @param {import('node:test').TestContext} t
 * @param {string} [file]
 */
async function serve(t, file = databaseWith(t)) {
  const comments = openTable(t, file);
  const origin = await listen(t, createServer(devStacosys({ comments })));
  return { origin, comments, file };
}

/**
 * @param {string} origin
 * @param {Exchange} exchange
 * @returns {Promise<Answer>}
 */
async function send(origin, { path, request }) {
  const response = await fetch(origin + path, { ...request, redirect: 'manual' });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/**
 * @param {string} origin
 * @param {string} url
 */
async function listOf(origin, url) {
  const response = await fetch(`${origin}/api/comments?url=${encodeURIComponent(url)}`);
  const { data } = /** @type {{data: Listed[]}} */ (await response.json());
  return data;
}

/**
 * @param {string} file
 * @param {string} query
 * @returns {Record<string, unknown>[]}
 */
function rowsOf(file, query) {
  const database = new Database(file, { readonly: true });
  const rows = database.prepare(query).all();
  database.close();
  return /** @type {Record<string, unknown>[]} */ (rows);
}

/**
 * @param {string} origin
 * @param {string | Uint8Array<ArrayBuffer>} body
 */
async function post(origin, body) {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const response = await fetch(`${origin}/newcomment`, { method: 'POST', headers, body, redirect: 'manual' });
  await response.arrayBuffer();
  return response.status;
}

/** @param {string} list `Allow`; Flask gives it in any order */
const sorted = (list) => list.split(', ').sort().join(', ');

// the transcript

test('every request of the transcript gets the answer of Stacosys 3.4', async (t) => {
  const { origin } = await serve(t);
  const exchanges = readTranscript(TRANSCRIPT);
  assert.equal(exchanges.length, 50);
  assertSameAnswers(await answersOf(origin, exchanges), exchanges);
});

/**
 * @param {string} origin
 * @param {Exchange[]} exchanges
 */
async function answersOf(origin, exchanges) {
  const answers = [];
  for (const exchange of exchanges) answers.push(await send(origin, exchange));
  return answers;
}

/**
 * @param {Answer[]} answers
 * @param {Exchange[]} exchanges
 */
function assertSameAnswers(answers, exchanges) {
  for (const [index, exchange] of exchanges.entries()) {
    const answer = answers[index];
    assert.ok(answer);
    if (exchange.path.startsWith('/web')) {
      assert.equal(answer.status, 404); // moderation: the one difference
    } else {
      assertSameAnswer(answer, exchange);
    }
  }
}

/**
 * @param {Answer} answer
 * @param {Exchange} exchange
 */
function assertSameAnswer({ status, headers, body }, { title, recorded }) {
  assert.equal(status, recorded.status, title);
  for (const [name, value] of Object.entries(recorded.headers)) {
    const [actual, expected] = [headers.get(name) ?? '', value];
    if (name === 'allow') assert.equal(sorted(actual), sorted(expected), title);
    else assert.equal(actual, expected, title);
  }
  const open = [...headers.keys()].filter((name) => name.startsWith('access-control'));
  assert.deepEqual(open, [], title);
  if (recorded.body === null) return;
  const kept = title.startsWith('POST') ? body.slice(0, KEPT) : body;
  assert.equal(kept.trimEnd(), recorded.body.trimEnd(), title);
}

test('a transcript with a line that is not understood is refused', () => {
  const strays = [
    ['', 'PUT /newcomment -d url=/x/'],
    ['GETnewcomment\n405\n', '400 nonsense'],
    ['$ curl http://127.0.0.1:8100/api/ping\n', 'HTTP/2 200'],
    ['POSTapi\n405\n', '/comments 404 and more'],
    ['HEAD\nHTTP/1.1 200 OK\r\n', 'Set Cookie'],
  ];
  for (const [before, line] of strays) {
    assert.throws(() => readTranscript(`\n${before}${line}\n`), /not understood/, line);
  }
  const unknown = 'POST /newcomment -d url=/x/ --data-urlencode author@a301\n302 loc= ct=text/html\n';
  assert.throws(() => readTranscript(unknown), /a301/);
  assert.throws(() => readTranscript(unknown.replace(/302.*/, '')), /not understood/);
});

test('a line too many, anywhere in the transcript, is not overlooked', async (t) => {
  const { origin } = await serve(t);
  const exchanges = readTranscript(TRANSCRIPT);
  const answers = await answersOf(origin, exchanges);
  const lines = TRANSCRIPT.split('\n');
  for (const index of lines.keys()) {
    const before = lines.slice(0, index);
    assert.throws(
      () => {
        const read = readTranscript([...before, 'stray', ...lines.slice(index)].join('\n'));
        const titles = read.map(({ title }) => title);
        assert.deepEqual(
          titles,
          exchanges.map(({ title }) => title),
        ); // a message may have many lines
        assertSameAnswers(answers, read);
      },
      `a stray line after ${before.at(-1)}`,
    );
  }
});

test('the posts of the transcript leave the rows that they left in Stacosys', async (t) => {
  const { origin, file } = await serve(t);
  for (const exchange of readTranscript(TRANSCRIPT)) await send(origin, exchange);
  const comparable = rowsOf(FILLED, OF_THE_TRANSCRIPT).map(comparableRow);
  assert.equal(comparable.length, 18);
  assert.deepEqual(rowsOf(file, OF_THE_TRANSCRIPT).map(comparableRow), comparable);
  const [long, ...others] = rowsOf(file, 'SELECT * FROM comment WHERE id > 18');
  assert.deepEqual([long?.author_name, others], ['a'.repeat(300), []]); // Stacosys rejected this one later
});

/** @param {Record<string, unknown>} row */
function comparableRow({ created, notified, published, content, ...row }) {
  assert.match(String(created), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  for (const date of [notified, published]) assert.match(String(date), /^(?:null|\d{4}-\d\d-\d\d [\d:]{8})$/);
  const text = String(content);
  return {
    ...row,
    content: text.length > 1000 ? `${text.length} characters, ${hash('sha256', text)}` : text,
  };
}

// reading

test('the list has published comments only, in the order of their publication', async (t) => {
  const file = join(temporaryFolder(t), 'db.sqlite');
  copyFileSync(FILLED, file);
  const { origin, comments } = await serve(t, file);
  const list = await listOf(origin, '/2024/hello/');
  const authors = list.map(({ author }) => author);
  assert.deepEqual(authors, [
    'Bob',
    'Bob',
    'Bob',
    'Dup',
    'Dup',
    'A',
    'Multi',
    'Zoé 😀 "q" <i>',
    'A',
    'Alice',
  ]);
  assert.deepEqual(list.at(-1), {
    author: 'Alice',
    avatar: '',
    content: 'Hello **world**',
    date: '2026-11-20 15:53:43',
  });
  assert.equal(list[0]?.site, 'http://example.org/path');
  assert.deepEqual(await listOf(origin, '/smtp/'), []);
  assert.deepEqual(
    [await countOf(origin, '/smtp/'), await countOf(origin, '/2024/hello/'), await countOf(origin, '')],
    [0, 10, 19],
  );
  assert.ok(comments.pending().length > 100);
});

/**
 * @param {string} origin
 * @param {string} url
 */
async function countOf(origin, url) {
  const response = await fetch(`${origin}/api/comments/count?url=${url}`);
  return /** @type {{count: number}} */ (await response.json()).count;
}

test('a posted comment is listed once it is published, and never when it is rejected', async (t) => {
  const { origin, comments } = await serve(t);
  for (const author of ['One', 'Two', 'Three']) await post(origin, `url=/a/&author=${author}&message=m`);
  assert.deepEqual([await listOf(origin, '/a/'), await countOf(origin, '/a/')], [[], 0]);
  const [one, two, three] = comments.pending();
  assert.ok(one && two && three);
  assert.deepEqual(
    [comments.publish(three.id), comments.publish(one.id), comments.reject(two.id)],
    [true, true, true],
  );
  const list = await listOf(origin, '/a/');
  assert.deepEqual(list.map(({ author }) => author).sort(), ['One', 'Three']);
  assert.deepEqual([comments.publish(two.id), comments.reject(one.id)], [false, false]);
  assert.equal(await countOf(origin, '/a/'), 2);
});

test('the list is ASCII, with the names in order and a newline at its end, as Flask writes it', async (t) => {
  const published = '2024-01-01 00:00:00';
  const comment = { url: '/é/', author: 'Zoé 😀\x7f', site: 'http://z.example', content: '"\r\n', published };
  const { origin } = await serve(t, databaseWith(t, [{ ...comment, created: published }]));
  const response = await fetch(`${origin}/api/comments?url=/%C3%A9/&url=/other/`);
  assert.equal(
    await response.text(),
    '{"data":[{"author":"Zo\\u00e9 \\ud83d\\ude00\\u007f","avatar":"","content":"\\"\\r\\n","date":"2024-01-01 00:00:00","site":"http://z.example"}]}\n',
  );
});

test('a NUL in the url of a query is an error of the server, as in Stacosys', async (t) => {
  const { origin } = await serve(t);
  for (const path of ['/api/comments?url=%00', '/api/comments/count?url=%00']) {
    assert.equal((await fetch(origin + path)).status, 500);
  }
});

// writing

test('text is decoded as Python decodes it', async (t) => {
  const { origin, comments } = await serve(t);
  const raw = Buffer.concat([
    Buffer.from('url=/a/&author=é+e&message=\x7fq%e9%C3%A9%zz%ed%a0%80%f0%9f%98%80%f0%9f'),
  ]);
  assert.equal(await post(origin, new Uint8Array(raw)), 302);
  assert.equal(
    await post(origin, 'url=/a/&author=%c2%85%1c%ef%bb%bfX%1c&message=m&email=+e+&site=+%C3%80B+'),
    302,
  );
  assert.equal(
    await post(origin, new Uint8Array(Buffer.from('url=/a/&author=\xff&message=m', 'latin1'))),
    400,
  );
  const [first, second] = comments.pending();
  assert.deepEqual([first?.author, first?.content], ['é e', '\x7fq%E9é%zz%ED%A0%80😀%F0%9F']);
  assert.deepEqual([second?.author, second?.site], ['\ufeffX', 'http://àb']);
});

test('files of a multipart form are no fields, and a broken one has none', async (t) => {
  const { origin, comments } = await serve(t);
  const form = new FormData();
  for (const name of ['url', 'author', 'message']) form.append(name, 'x');
  form.append('extra', new Blob(['x']), 'x.txt');
  const path = `${origin}/newcomment`;
  assert.equal((await fetch(path, { method: 'POST', body: form, redirect: 'manual' })).status, 302);
  assert.equal(comments.pending().length, 1);
  form.append('extra', 'x');
  assert.equal((await fetch(path, { method: 'POST', body: form, redirect: 'manual' })).status, 400);
  const headers = { 'Content-Type': 'multipart/form-data' };
  assert.equal((await fetch(path, { method: 'POST', body: 'url=/a/', headers })).status, 400);
});

test('a NUL that would not be stored does no harm', async (t) => {
  const { origin } = await serve(t);
  assert.equal(await post(origin, 'url=/a/&author=A&message=m&token=%00'), 302);
  assert.equal(await post(origin, 'url=/a/&author=A&message=m&site=%00'), 500);
});

test('a body without a stated length is cut off while it is read', async (t) => {
  const { origin, comments } = await serve(t);
  const { port } = new URL(origin);
  const socket = connect(Number(port), '127.0.0.1');
  t.after(() => socket.destroy());
  socket.write(
    'POST /newcomment HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  const chunk = 'a'.repeat(0x10000);
  for (let sent = 0; sent < 8; sent++) socket.write(`10000\r\n${chunk}\r\n`);
  const [answer] = await once(socket, 'data'); // though the body has not come to its end
  assert.match(String(answer), /^HTTP\/1\.1 413 /);
  assert.equal(comments.pending().length, 0);
});

test('a stated length that is too long is refused before the body comes', async (t) => {
  const { origin } = await serve(t);
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  t.after(() => socket.destroy());
  socket.write(
    'POST /newcomment HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 500001\r\n\r\n',
  );
  const [answer] = await once(socket, 'data');
  assert.match(String(answer), /^HTTP\/1\.1 413 /);
});

test('the redirect page is the one that was asked for, escaped in HTML and refused where it is no url', async (t) => {
  const comments = openTable(t, databaseWith(t));
  const origin = await listen(t, createServer(devStacosys({ comments, redirect: '/thanks/?a=1&b="' })));
  const body = new URLSearchParams({ url: '/a/', author: 'A', message: 'm' });
  const response = await fetch(`${origin}/newcomment`, { method: 'POST', body, redirect: 'manual' });
  assert.equal(response.headers.get('location'), '/thanks/?a=1&b="');
  assert.match(await response.text(), /<a href="\/thanks\/\?a=1&amp;b=&quot;">/);
  assert.throws(() => devStacosys({ comments, redirect: '/a\r\nSet-Cookie: b' }), RangeError);
});

// the program

test('the program makes its database, says what it is, and listens on 127.0.0.1 only', async (t) => {
  const db = join(temporaryFolder(t), 'db.sqlite');
  const child = spawn(process.execPath, [PROGRAM, '--db', db, '--port', '0', '--redirect', '/merci/']);
  t.after(() => child.kill());
  const [said] = await once(child.stdout, 'data');
  assert.match(String(said), /For development only: not Stacosys, no mail, no moderation password\./);
  const [origin = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(said)) ?? [];
  const body = new URLSearchParams({ url: '/a/', author: 'A', message: 'm' });
  const response = await fetch(`${origin}/newcomment`, { method: 'POST', body, redirect: 'manual' });
  assert.deepEqual([response.status, response.headers.get('location')], [302, '/merci/']);
  assert.equal(rowsOf(db, 'SELECT * FROM comment').length, 1);
  const { port } = new URL(origin);
  for (const address of otherAddresses()) {
    await assert.rejects(fetch(`http://${address}:${port}/`), address);
  }
});

/** IPv4 addresses of this computer by which others reach it, and one that they do not. */
function otherAddresses() {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const ours = all.filter(({ family, internal }) => family === 'IPv4' && !internal);
  return [...ours.map(({ address }) => address), '127.0.0.2'];
}

test('the program explains itself, and wrong usage', (t) => {
  const run = (/** @type {string[]} */ ...args) =>
    spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8', timeout: 20_000 });
  assert.match(run('--help').stdout, /development only/);
  const db = join(temporaryFolder(t), 'db.sqlite');
  for (const args of [[], ['--db', db, '--port', '70000'], ['--nonsense'], ['--db', db, '--redirect', 'ü']]) {
    const { status, stderr } = run(...args);
    assert.equal(status, 2, stderr);
    assert.match(stderr, /--db FILE/);
  }
  const { status, stderr } = run('--db', PROGRAM, '--port', '0');
  assert.deepEqual([status, /is no database of Stacosys 3\.4/.test(stderr)], [2, true], stderr);
  assert.equal(existsSync(`${PROGRAM}-journal`), false);
});
