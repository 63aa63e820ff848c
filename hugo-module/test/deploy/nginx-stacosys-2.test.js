import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../stacosys-hook/test/database.js';
import { startNginx } from './nginx.js';
import { publishedBlog } from './published-blog.js';
import { COMMENT, form, readKit, recordingUpstream, substituted, switchedOn } from './running.js';

const LIMITS = { timeout: 60_000 };
const TOKEN = '9fb3fc042c572cb831005fd16186126765140fa2bd9bb2d4a28e47a9457dc26c';

test('nginx adds the token to a list, and passes the url of the page on byte for byte', LIMITS, async (t) => {
  const { ask, seen } = await withToken(t);
  for (const [query, url] of [
    ['url=/one/', '/one/'],
    ['url=%2Fh%C3%A9bergement%2F', '%2Fh%C3%A9bergement%2F'],
    ['url=/h%c3%a9bergement/', '/h%c3%a9bergement/'],
    ['url=a+b%20c%2Bd%26token%3Dmine', 'a+b%20c%2Bd%26token%3Dmine'],
    ['url=a;token=mine', 'a;token=mine'],
    ['url=%zz%0d%0aX-Evil:%201', '%zz%0d%0aX-Evil:%201'],
    ['url=a=b', 'a=b'],
    ['token=mine&url=/one/', '/one/'],
    ['url=/one/&token=mine', '/one/'],
    ['%74oken=mine&url=/one/', '/one/'],
    ['url=/one/&url=/two/', '/one/'],
    ['curl=/two/&url=/one/', '/one/'],
    ['url=', ''],
    ['', ''],
  ]) {
    assert.equal((await ask(`/api/comments?${query}`)).status, 200);
    const { method, url: sent } = seen.pop() ?? assert.fail();
    assert.deepEqual([method, sent], ['GET', `/comments?token=${TOKEN}&url=${url}`]);
  }
});

test('nginx puts the token before the fields of the form', LIMITS, async (t) => {
  const { ask, seen } = await withToken(t);
  const message = 'Zoë & Bob = 100 %\r\n+$request_body$stacosys_token';
  const sent = form({ ...COMMENT, token: 'mine', message });
  assert.equal((await ask('/newcomment', sent)).status, 200);
  const { url, headers, body } = seen.pop() ?? assert.fail();
  assert.deepEqual([url, body], ['/newcomment', `token=${TOKEN}&${sent.body}`]);
  assert.equal(headers['content-length'], String(body.length));
  assert.equal(headers['content-type'], 'application/x-www-form-urlencoded');
  const fields = new URLSearchParams(body);
  assert.equal(fields.get('token'), TOKEN, 'the first of two, as Stacosys reads them');
  assert.equal(fields.get('message'), message);
});

test('a long comment arrives whole, whether its length is known or not', LIMITS, async (t) => {
  const { ask, seen } = await withToken(t);
  const { headers } = form(COMMENT);
  const body = 'message='.padEnd(512 * 1024, 'a');
  for (const chunked of [false, true]) {
    const from = `198.51.100.${Number(chunked)}`;
    assert.equal((await ask('/newcomment', { method: 'POST', headers, body, chunked, from })).status, 200);
    const arrived = seen.pop()?.body ?? '';
    assert.ok(arrived === `token=${TOKEN}&${body}`, `${arrived.length} bytes`);
    const longer = { method: 'POST', headers, body: `${body}a`, chunked, from };
    assert.equal((await ask('/newcomment', longer)).status, 413);
  }
  assert.deepEqual(seen, []);
});

test('a form to which no token can be added does not reach Stacosys', LIMITS, async (t) => {
  const { ask, seen } = await withToken(t);
  for (const type of [
    'multipart/form-data; boundary=a',
    'application/json',
    'application/x-www-form-urlencoded-not',
    '',
  ]) {
    /** @type {Record<string, string>} */
    const headers = type === '' ? {} : { 'Content-Type': type };
    assert.equal((await ask('/newcomment', { method: 'POST', headers, body: 'a=1' })).status, 415, type);
  }
  assert.deepEqual(seen, []);
  const headers = { 'Content-Type': 'Application/X-WWW-Form-Urlencoded; charset=UTF-8' };
  assert.equal((await ask('/newcomment', { method: 'POST', headers, body: 'a=1' })).status, 200);
});

test('a reader may send six comments at once here, too', LIMITS, async (t) => {
  const { ask, seen } = await withToken(t);
  const answers = [];
  for (let count = 0; count < 7; count++) answers.push((await ask('/newcomment', form(COMMENT))).status);
  assert.deepEqual(answers, [...Array(6).fill(200), 429]);
  assert.equal(seen.length, 6);
});

test('nothing else of Stacosys can be reached, and no answer holds the token', LIMITS, async (t) => {
  const { ask, seen } = await withToken(t);
  for (const path of [
    '/comments?url=/one/',
    '/comments/count?url=/one/',
    '/api/comments/count?url=/one/',
    '/api/comments/../count?url=/one/',
    '/api/',
    '/api/ping',
    '/web/',
    '/stacosys-token.conf',
  ]) {
    assert.equal((await ask(path)).status, 404, path);
  }
  assert.deepEqual(seen, []);
});

test('where Stacosys cannot be reached, the answer does not hold the token', LIMITS, async (t) => {
  const { ask } = await startNginx(t, {
    blog: publishedBlog(t).folder,
    edit: (text) => withSnippet(t, text),
  });
  for (const answer of [await ask('/api/comments?url=/one/'), await ask('/newcomment', form(COMMENT))]) {
    assert.equal(answer.status, 502);
    assert.ok(!JSON.stringify([answer.all, answer.body.toString()]).includes(TOKEN));
  }
});

/** @param {import('node:test').TestContext} t */
async function withToken(t) {
  const { port, seen } = await recordingUpstream(t);
  const edit = (/** @type {string} */ text) => withSnippet(t, text);
  const { ask } = await startNginx(t, { blog: publishedBlog(t).folder, stacosys: port, edit });
  return { ask, seen };
}

/**
 * As the comment in the file says: the line instead of the two locations.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} config
 */
function withSnippet(t, config) {
  const folder = temporaryFolder(t);
  const token = join(folder, 'stacosys-token.conf');
  writeFileSync(token, `set $stacosys_token "${TOKEN}";\n`, { mode: 0o600 });
  const snippet = substituted(readKit('nginx-stacosys-2.conf'), [
    ['include /etc/nginx/stacosys-token.conf;', `include ${token};`],
  ]);
  return substituted(switchedOn(config, 'include /etc/nginx/snippets/nginx-stacosys-2.conf;'), [
    [/\n {4}location = \/api\/comments \{[^}]*\}/, ''],
    [/\n {4}location = \/newcomment \{[^}]*\}/, ''],
    ['include /etc/nginx/snippets/nginx-stacosys-2.conf;', snippet],
  ]);
}
