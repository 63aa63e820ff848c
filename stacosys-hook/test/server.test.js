import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import {
  NOW,
  SERVICE,
  ask,
  buildRecord,
  buildState,
  databaseState,
  dial,
  exchange,
  runningService,
  signed,
  signedAsGitHub,
  stateWith,
  statuses,
} from './service.js';

const HOOK = '/hooks/rebuild';
const HEADERS = 'Host: blog.example\r\n';
const LIMIT = 64 * 1024;
const MEGABYTE = Buffer.alloc(1_000_000, 'a');

/** Slow clients are to be gone after 3 s; a busy machine may notice that late. */
const GONE = { timeout: 20_000 };

const COUNTS = Buffer.from(
  `${JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`/page-${n}/`, n + 1])))}\n`,
);
const DATA = { counts: COUNTS, spellings: Buffer.from('{"/a/": 1}\n'), forms: null };
const TAG = `"${createHash('sha256').update(COUNTS).digest('hex')}"`;

// The webhook

for (const [scheme, headers] of /** @type {const} */ ([
  ['GitHub', signedAsGitHub('{"a": "é"}')],
  ['Standard Webhooks', signed('msg_1', '{"a": "é"}')],
])) {
  test(`a webhook signed by the scheme of ${scheme} asks for a build`, async (t) => {
    const { port, builds, lines } = await runningService(t);
    const answer = await ask(port, HOOK, { method: 'POST', headers, body: '{"a": "é"}' });
    assert.equal(answer.status, 202);
    assert.equal(answer.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(answer.body.toString()), { queued: true });
    assert.deepEqual(builds, ['webhook']);
    assert.deepEqual(
      lines.map(({ level, event }) => [level, event]),
      [['info', 'webhook accepted']],
    );
  });
}

test('what is signed are the bytes as they came, whatever they are said to be', async (t) => {
  const { port, builds } = await runningService(t);
  const body = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  for (const type of ['application/json', 'text/html; charset=utf-16', 'nonsense']) {
    const headers = { ...signedAsGitHub(body), 'Content-Type': type };
    assert.equal((await ask(port, HOOK, { method: 'POST', headers, body })).status, 202);
  }
  assert.equal(builds.length, 3);
});

test('a webhook without a good signature asks for nothing', async (t) => {
  const { port, builds } = await runningService(t);
  const forged = [
    {},
    signedAsGitHub('another body'),
    signed('msg_1', 'another body'),
    signed('msg_1', 'body', new Date(Date.now() - 6 * 60_000)),
    { 'X-Hub-Signature-256': 'sha256=' },
  ];
  for (const headers of forged) {
    const answer = await ask(port, HOOK, { method: 'POST', headers, body: 'body' });
    assert.equal(answer.status, 401);
    assert.ok(answer.headers['www-authenticate']);
  }
  assert.deepEqual(builds, []);
});

test('without a secret every webhook is refused', async (t) => {
  const { port, builds } = await runningService(t, { secrets: [] });
  const headers = signedAsGitHub('body');
  assert.equal((await ask(port, HOOK, { method: 'POST', headers, body: 'body' })).status, 401);
  assert.deepEqual(builds, []);
});

test('a webhook that comes again is refused, where its id is signed', async (t) => {
  const { port, builds } = await runningService(t);
  const post = async (/** @type {Record<string, string>} */ headers) =>
    (await ask(port, HOOK, { method: 'POST', headers, body: 'body' })).status;
  assert.deepEqual([await post(signed('a', 'body')), await post(signed('a', 'body'))], [202, 409]);
  assert.equal(await post(signed('b', 'body')), 202);
  const headers = { ...signedAsGitHub('body'), 'X-GitHub-Delivery': 'anything' };
  assert.deepEqual([await post(headers), await post(headers)], [202, 202]);
  assert.equal(builds.length, 4);
});

test('a body of 64 KiB is read, and one byte more is not', async (t) => {
  const { port, builds } = await runningService(t);
  for (const [length, status] of [
    [LIMIT, 202],
    [LIMIT + 1, 413],
  ]) {
    const body = Buffer.alloc(Number(length), 'a');
    for (const framing of [{}, { 'Transfer-Encoding': 'chunked', 'Content-Length': '' }]) {
      const headers = Object.entries({ ...signedAsGitHub(body), ...framing }).filter(([, value]) => value);
      const answer = await post(port, Object.fromEntries(headers), body);
      assert.equal(answer, status, JSON.stringify(framing));
    }
  }
  assert.equal(builds.length, 2);
});

/**
 * @param {number} port
 * @param {Record<string, string>} headers Node sends it in chunks where they name no length
 * @param {Buffer} body
 */
async function post(port, headers, body) {
  const sent = httpRequest({ host: '127.0.0.1', port, path: HOOK, method: 'POST', headers, agent: false });
  if (!headers['Transfer-Encoding']) sent.setHeader('Content-Length', body.length);
  sent.end(body);
  const [answer] = await once(sent, 'response');
  answer.resume();
  return answer.statusCode;
}

test('whoever waits to be told to send a body is told so, unless it is too long anyway', GONE, async (t) => {
  const { port } = await runningService(t, { limits: { linger: 200 } });
  const expecting = `POST ${HOOK} HTTP/1.1\r\n${HEADERS}Expect: 100-continue\r\nConnection: close\r\n`;
  const short = await exchange(t, port, [`${expecting}Content-Length: 1\r\n\r\na`]);
  assert.deepEqual(statuses(short), [100, 401]);
  const long = await exchange(t, port, [`${expecting}Content-Length: 65537\r\n\r\n`]);
  assert.deepEqual(statuses(long), [413]);
});

test('1,000 forged webhooks are refused, counted, and fill no log', async (t) => {
  const { port, builds, lines, service } = await runningService(t);
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  t.after(() => agent.destroy());
  const headers = signedAsGitHub('another body');
  const started = Date.now();
  const answers = await Promise.all(
    Array.from({ length: 1000 }, () => statusOf({ port, agent, path: HOOK, method: 'POST', headers })),
  );
  assert.deepEqual(new Set(answers), new Set([401]));
  assert.deepEqual(builds, []);
  assert.match(
    (await ask(port, '/metrics')).body.toString(),
    /^stacosys_hook_webhooks_total\{status="401"\} 1000$/m,
  );
  await service.close();
  const seconds = Math.ceil((Date.now() - started) / 1000);
  assert.ok(lines.length <= seconds + 2, `${lines.length} lines in ${seconds} s`);
  assert.ok(lines.every(({ level, event }) => level === 'warn' && event === 'requests refused'));
  const counted = lines.map(({ fields }) => Number(fields?.['webhook-401']));
  assert.equal(
    counted.reduce((sum, count) => sum + count, 0),
    1000,
  );
});

/**
 * @param {import('node:http').RequestOptions} options
 * @returns {Promise<number>}
 */
async function statusOf(options) {
  const sent = httpRequest({ host: '127.0.0.1', ...options });
  sent.end('body');
  const [answer] = await once(sent, 'response');
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode;
}

test('1,000 good webhooks are all accepted', async (t) => {
  const { port, builds } = await runningService(t);
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  t.after(() => agent.destroy());
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, n) =>
      statusOf({ port, agent, path: HOOK, method: 'POST', headers: signed(`msg_${n}`, 'body') }),
    ),
  );
  assert.deepEqual(new Set(answers), new Set([202]));
  assert.equal(builds.length, 1000);
});

// Paths and methods

test('other methods are refused with those that are allowed', async (t) => {
  const { port } = await runningService(t, { data: () => DATA });
  for (const [path, allowed, refused] of /** @type {const} */ ([
    [HOOK, 'POST', ['GET', 'HEAD', 'PUT', 'OPTIONS', 'PROPFIND']],
    ['/healthz', 'GET, HEAD', ['POST', 'DELETE', 'OPTIONS']],
    ['/metrics', 'GET, HEAD', ['POST', 'TRACE']],
    ['/status', 'GET, HEAD', ['POST', 'PATCH']],
    ['/counts.json', 'GET, HEAD', ['POST', 'PUT']],
  ])) {
    for (const method of refused) {
      const { status, headers } = await ask(port, path, { method });
      assert.deepEqual([status, headers.allow], [405, allowed], `${method} ${path}`);
    }
  }
});

test('HEAD tells what GET would send', async (t) => {
  const { port } = await runningService(t, { data: () => DATA, now: () => NOW });
  for (const path of ['/healthz', '/metrics', '/status', '/counts.json', '/spellings.json']) {
    const [got, head] = [await ask(port, path), await ask(port, path, { method: 'HEAD' })];
    const { date, ...expected } = got.headers;
    assert.deepEqual([head.status, { ...head.headers, date }], [200, { ...expected, date }]);
    assert.equal(Number(head.headers['content-length']), got.body.length);
    assert.ok(got.body.length > 0 && head.body.length === 0, path);
  }
});

test('a path has one spelling', async (t) => {
  const { port } = await runningService(t, { data: () => DATA });
  const tricks = [
    '/',
    '//healthz',
    '/healthz/',
    '/./healthz',
    '/a/../healthz',
    '/%68ealthz',
    '/HEALTHZ',
    '/healthz;x',
  ];
  const foreign = [
    '/favicon.ico',
    '/__proto__',
    '/constructor',
    '/data',
    '/forms',
    '/counts.json%00',
    '/\\healthz',
  ];
  for (const path of [...tricks, ...foreign]) assert.equal((await ask(port, path)).status, 404, path);
  for (const path of ['/counts.json', '/counts.json?', '/counts.json?a=/b', '/counts.json#c']) {
    assert.equal((await ask(port, path)).status, 200, path);
  }
});

for (const target of ['http://evil.example/counts.json', 'HTTPS://u:p@x:1/counts.json?a']) {
  test(`a proxy may ask for ${target}`, async (t) => {
    const { port } = await runningService(t, { data: () => DATA });
    assert.equal((await ask(port, target)).status, 200);
  });
}

test('a strange Host makes no difference', async (t) => {
  const { port } = await runningService(t, { data: () => DATA });
  for (const Host of ['', '[::1]:99999', '<script>', 'a.example, b.example', 'x'.repeat(4000)]) {
    assert.equal((await ask(port, '/counts.json', { headers: { Host } })).status, 200, Host);
  }
});

test('every answer forbids to guess its type, to load anything and to tell where one came from', async (t) => {
  const { port } = await runningService(t, { data: () => DATA });
  const paths = ['/healthz', '/metrics', '/status', '/counts.json', '/forms.json', '/nothing', HOOK];
  const answers = await Promise.all(paths.map(async (path) => (await ask(port, path)).headers));
  for (const [index, headers] of answers.entries()) {
    assert.equal(headers['x-content-type-options'], 'nosniff', paths[index]);
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.match(String(headers['content-security-policy']), /^default-src 'none'/);
  }
  for (const headers of answers.slice(0, 3)) assert.equal(headers['cache-control'], 'no-store');
});

// What it tells

test('a service that is well says ok', async (t) => {
  const { port } = await runningService(t, { now: () => NOW });
  const { status, headers, body } = await ask(port, '/healthz');
  assert.deepEqual([status, body.toString()], [200, 'ok\n']);
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
});

test('a service that is not well says why, in one plain line each', async (t) => {
  const state = stateWith({
    database: databaseState({ ok: false, reason: 'There is no \x1b[31mdatabase\nHTTP/1.1 200 OK' }),
    build: buildState([buildRecord({ result: 'failed', error: `Hugo ended:\n${'x'.repeat(5000)}` })]),
    notifications: { waiting: 1, givenUp: [{ to: 'https://ci.example', error: 'HTTP 500' }] },
  });
  const { port } = await runningService(t, { state: () => state, now: () => NOW });
  const { status, body } = await ask(port, '/healthz');
  const lines = body.toString().split('\n');
  assert.equal(status, 503);
  assert.equal(lines[0], 'The database cannot be read: There is no \\u{1b}[31mdatabase\\u{a}HTTP/1.1 200 OK');
  assert.match(String(lines[1]), /^The last build failed: Hugo ended:\\u\{a\}x{400,480}…$/);
  assert.equal(lines[2], 'The notification of https://ci.example was given up: HTTP 500');
  assert.deepEqual(lines.slice(3), ['']);
});

test('a database that nobody looked at for a minute is a reason to worry', async (t) => {
  let now = NOW;
  const state = stateWith({ database: databaseState({ checked: NOW }) });
  const { port } = await runningService(t, { state: () => state, now: () => now });
  now = NOW + 60_000;
  assert.equal((await ask(port, '/healthz')).status, 200);
  now = NOW + 61_000;
  const { status, body } = await ask(port, '/healthz');
  assert.deepEqual([status, body.toString()], [503, 'The last look at the database was 61 s ago\n']);
});

test('one that succeeded after one that failed makes it well again', async (t) => {
  const records = [buildRecord(), buildRecord({ result: 'failed', error: 'Hugo ended' })];
  const state = stateWith({ build: buildState(records) });
  const { port } = await runningService(t, { state: () => state, now: () => NOW });
  assert.equal((await ask(port, '/healthz')).status, 200);
});

test('webhooks are counted by what they were answered', async (t) => {
  const { port } = await runningService(t);
  assert.match(await metricsOf(port), /^stacosys_hook_webhooks_total\{status="202"\} 0$/m);
  const headers = signed('msg_1', 'body');
  for (let n = 0; n < 2; n += 1) await ask(port, HOOK, { method: 'POST', headers, body: 'body' });
  await ask(port, HOOK, { method: 'POST', body: 'body' });
  await ask(port, `${HOOK}?x`);
  await ask(port, '/hooks', { method: 'POST', body: 'body' });
  const counted = [...(await metricsOf(port)).matchAll(/webhooks_total\{status="(\d+)"\} ([1-9]\d*)/g)];
  assert.deepEqual(
    counted.map(([, status, count]) => `${status}: ${count}`),
    ['202: 1', '401: 1', '405: 1', '409: 1'],
  );
});

/** @param {number} port */
async function metricsOf(port) {
  const { headers, body } = await ask(port, '/metrics');
  assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  return body.toString();
}

test('the page of the owner brings the only style that its policy allows', async (t) => {
  const { port } = await runningService(t);
  const { status, headers, body } = await ask(port, '/status');
  const [, style = ''] = /<style>([^]*?)<\/style>/.exec(body.toString()) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8']);
  assert.equal(
    headers['content-security-policy'],
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
});

test('a fault of the service is an answer and a line in the log, and it goes on', async (t) => {
  let isBroken = true;
  const state = () => {
    if (isBroken) throw new TypeError('a bug');
    return stateWith();
  };
  const { port, lines } = await runningService(t, { state, now: () => NOW });
  const { status, body } = await ask(port, '/status');
  assert.deepEqual([status, body.toString()], [500, 'Internal Server Error\n']);
  assert.deepEqual([lines.length, lines[0]?.level, lines[0]?.fields?.path], [1, 'error', '/status']);
  assert.match(String(lines[0]?.fields?.error), /a bug/);
  isBroken = false;
  assert.equal((await ask(port, '/healthz')).status, 200);
});

// The data

test('the counts are given as they were baked, with a tag of their bytes', async (t) => {
  const { port } = await runningService(t, { data: () => DATA });
  const { status, headers, body } = await ask(port, '/counts.json');
  assert.equal(status, 200);
  assert.ok(body.equals(COUNTS));
  const { etag, vary } = headers;
  assert.deepEqual([etag, vary, headers['cache-control']], [TAG, 'Accept-Encoding', 'no-cache']);
  assert.equal(headers['content-type'], 'application/json');
  assert.equal((await ask(port, '/spellings.json')).body.toString(), '{"/a/": 1}\n');
  assert.equal((await ask(port, '/forms.json')).status, 404);
});

test('before anything was baked there is nothing to give', async (t) => {
  const { port } = await runningService(t);
  for (const name of ['counts', 'spellings', 'forms']) {
    const { status, headers } = await ask(port, `/${name}.json`);
    assert.deepEqual([status, headers['cache-control']], [503, 'no-store']);
  }
});

test('other comments get another tag', async (t) => {
  let data = DATA;
  const { port } = await runningService(t, { data: () => data });
  assert.equal((await ask(port, '/counts.json')).headers.etag, TAG);
  data = { ...DATA, counts: Buffer.from('{}\n') };
  const { status, headers, body } = await ask(port, '/counts.json', { headers: { 'If-None-Match': TAG } });
  assert.deepEqual([status, body.toString()], [200, '{}\n']);
  assert.notEqual(headers.etag, TAG);
});

for (const [condition, status] of /** @type {const} */ ([
  [TAG, 304],
  [`W/${TAG}`, 304],
  [`"a, b",W/"c" , ${TAG}`, 304],
  ['*', 304],
  [' * ', 304],
  ['"other"', 200],
  [TAG.replaceAll('"', ''), 200],
  [`${TAG.slice(0, 9)}"`, 200],
  ['nonsense', 200],
  ['"*"', 200],
])) {
  test(`a client that has ${condition.slice(0, 24)} is answered ${status}`, async (t) => {
    const { port } = await runningService(t, { data: () => DATA });
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask(port, '/counts.json', { method, headers: { 'If-None-Match': condition } });
      assert.deepEqual([answer.status, answer.headers.etag], [status, TAG]);
      assert.equal(answer.headers.vary, 'Accept-Encoding');
      if (status === 304) assert.equal(answer.body.length, 0);
    }
  });
}

for (const [accepted, encoding] of /** @type {const} */ ([
  ['gzip, deflate, br', 'gzip'],
  ['br;q=1.0, GZIP;q=0.5', 'gzip'],
  ['*', 'gzip'],
  ['*;q=0', undefined],
  ['gzip;q=0', undefined],
  ['gzip;q=0.000, *', undefined],
  ['br', undefined],
  ['', undefined],
])) {
  test(`a client that accepts "${accepted}" gets ${encoding ?? 'plain bytes'}`, async (t) => {
    const { port } = await runningService(t, { data: () => DATA });
    const headers = { 'Accept-Encoding': accepted };
    const answer = await ask(port, '/counts.json', { headers });
    assert.deepEqual([answer.status, answer.headers['content-encoding']], [200, encoding]);
    assert.equal(answer.headers.etag, encoding ? `W/${TAG}` : TAG);
    assert.ok((encoding ? gunzipSync(answer.body) : answer.body).equals(COUNTS));
    const again = { ...headers, 'If-None-Match': String(answer.headers.etag) };
    assert.equal((await ask(port, '/counts.json', { headers: again })).status, 304);
  });
}

test('what fits into a packet is not compressed', async (t) => {
  const { port } = await runningService(t, { data: () => DATA });
  const { headers } = await ask(port, '/spellings.json', { headers: { 'Accept-Encoding': 'gzip' } });
  assert.equal(headers['content-encoding'], undefined);
});

// Malformed requests

/** @type {[what: string, pieces: (string | Buffer)[], answers: number[]][]} */
const MALFORMED = [
  ['what is no HTTP', ['\x16\x03\x01\x02\x00\x01\r\n\r\n'], [400]],
  ['20 MB that are no HTTP', Array(20).fill(MEGABYTE), [400]],
  ['HTTP/2', ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], [400]],
  ['an unknown method', [`FOO / HTTP/1.1\r\n${HEADERS}\r\n`], [400]],
  ['a request without Host', ['GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'], [400]],
  ['a line break in a path', [`GET /\x01healthz HTTP/1.1\r\n${HEADERS}\r\n`], [400]],
  ['a header of 9 KB', [`GET / HTTP/1.1\r\n${HEADERS}X: ${'a'.repeat(9000)}\r\n\r\n`], [431]],
  ['a header of 20 MB', [`GET / HTTP/1.1\r\n${HEADERS}X: `, ...Array(20).fill(MEGABYTE)], [431]],
  ['101 headers', [`GET / HTTP/1.1\r\n${HEADERS}${'X: y\r\n'.repeat(99)}Connection: close\r\n\r\n`], [431]],
  [
    'two lengths',
    [`POST ${HOOK} HTTP/1.1\r\n${HEADERS}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    [400],
  ],
  [
    'a length and chunks',
    [`POST ${HOOK} HTTP/1.1\r\n${HEADERS}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    [400],
  ],
  ['a negative length', [`POST ${HOOK} HTTP/1.1\r\n${HEADERS}Content-Length: -1\r\n\r\n`], [400]],
  [
    'a chunk without a length, and 20 MB',
    [
      `POST ${HOOK} HTTP/1.1\r\n${HEADERS}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
      ...Array(20).fill(MEGABYTE),
    ],
    [400],
  ],
  [
    'an endless chunk extension',
    [`POST ${HOOK} HTTP/1.1\r\n${HEADERS}Transfer-Encoding: chunked\r\n\r\n1;`, ...Array(20).fill(MEGABYTE)],
    [413],
  ],
  ['a wish for a tunnel', [`CONNECT evil.example:443 HTTP/1.1\r\n${HEADERS}\r\n`, MEGABYTE], [501]],
  [
    'an odd expectation',
    [`GET /healthz HTTP/1.1\r\n${HEADERS}Expect: tea\r\nConnection: close\r\n\r\n`],
    [417],
  ],
  [
    'a good request and rubbish behind it',
    [`GET /nothing HTTP/1.1\r\n${HEADERS}\r\n\x01\x02rubbish\r\n\r\n`],
    [404],
  ],
  [
    '50 MB that were announced',
    [`POST ${HOOK} HTTP/1.1\r\n${HEADERS}Content-Length: 50000000\r\n\r\n`, ...Array(50).fill(MEGABYTE)],
    [413],
  ],
  [
    '50 MB in chunks',
    [
      `POST ${HOOK} HTTP/1.1\r\n${HEADERS}Transfer-Encoding: chunked\r\n\r\n`,
      ...Array(50).fill(Buffer.concat([Buffer.from('f4240\r\n'), MEGABYTE, Buffer.from('\r\n')])),
    ],
    [413],
  ],
  [
    '50 MB where there is nothing',
    [`POST /nothing HTTP/1.1\r\n${HEADERS}Content-Length: 50000000\r\n\r\n`, ...Array(50).fill(MEGABYTE)],
    [404],
  ],
];

for (const [what, pieces, answers] of MALFORMED) {
  test(`${what} is answered ${answers}, and the connection ends`, GONE, async (t) => {
    const { port, builds } = await runningService(t, { now: () => NOW, limits: { linger: 200 } });
    const text = await exchange(t, port, pieces);
    assert.deepEqual(statuses(text), answers);
    assert.match(text, /^X-Content-Type-Options: nosniff\r$/m);
    assert.deepEqual(builds, []);
    assert.equal((await ask(port, '/healthz')).status, 200);
  });
}

test('a wish for another protocol is not granted', async (t) => {
  const { port } = await runningService(t, { now: () => NOW });
  const upgrade = 'Connection: close, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
  const text = await exchange(t, port, [`GET /healthz HTTP/1.1\r\n${HEADERS}${upgrade}\r\n`]);
  assert.deepEqual(statuses(text), [200]);
});

test('requests that come at once are answered in their order', async (t) => {
  const { port } = await runningService(t, { data: () => DATA });
  const get = (/** @type {string} */ path, more = '') => `GET ${path} HTTP/1.1\r\n${HEADERS}${more}\r\n`;
  const requests = [
    get('/counts.json', 'Accept-Encoding: gzip\r\n'),
    `POST ${HOOK} HTTP/1.1\r\n${HEADERS}Content-Length: 4\r\n\r\nbody`,
    get('/nothing'),
    get('/status', 'Connection: close\r\n'),
  ];
  assert.deepEqual(statuses(await exchange(t, port, [requests.join('')])), [200, 401, 404, 200]);
});

test('a connection has an end, however many requests come at once', async (t) => {
  const { port } = await runningService(t);
  const text = await exchange(t, port, [`GET /status HTTP/1.1\r\n${HEADERS}\r\n`.repeat(2000)]);
  assert.deepEqual(statuses(text), Array(32).fill(200));
});

test('clients that go away do no harm', async (t) => {
  const { port, lines, service } = await runningService(t, { data: () => DATA });
  const gone = Array.from({ length: 30 }, async (_, n) => {
    const { socket, closed } = dial(t, port);
    await once(socket, 'connect');
    if (n % 3 === 0) socket.write(`POST ${HOOK} HTTP/1.1\r\n${HEADERS}Content-Length: 9\r\n\r\nab`);
    if (n % 3 === 1) socket.write(`GET /counts.json HTTP/1.1\r\n${HEADERS}Accept-Encoding: gzip\r\n\r\n`);
    if (n % 3 === 2) socket.write('GET /sta');
    await nextTurn();
    if (n % 2 === 0) socket.resetAndDestroy();
    else socket.destroy();
    await closed;
  });
  await Promise.all(gone);
  assert.equal((await ask(port, '/counts.json')).status, 200);
  await service.close();
  assert.deepEqual(
    lines.filter(({ level }) => level === 'error'),
    [],
  );
});

test('a body in thousands of pieces is cut off', GONE, async (t) => {
  const { port } = await runningService(t, { now: () => NOW });
  const start = `POST ${HOOK} HTTP/1.1\r\n${HEADERS}Transfer-Encoding: chunked\r\n\r\n`;
  const whole = await exchange(t, port, [
    start.replace('\r\n', '\r\nConnection: close\r\n'),
    '1\r\na\r\n'.repeat(2000),
    '0\r\n\r\n',
  ]);
  assert.deepEqual(statuses(whole), [401]);
  assert.equal(await exchange(t, port, [start, '1\r\na\r\n'.repeat(2001)]), '');
  assert.equal((await ask(port, '/healthz')).status, 200);
});

// Slow clients

/** @type {[what: string, start: string, drip: string][]} */
const SLOW = [
  ['says nothing', '', ''],
  ['sends its headers one by one', 'GET /healthz HTTP/1.1\r\n', 'X: y\r\n'],
  ['sends its body byte by byte', `POST ${HOOK} HTTP/1.1\r\n${HEADERS}Content-Length: 5000\r\n\r\n`, 'a'],
  [
    'sends its body in tiny chunks',
    `POST ${HOOK} HTTP/1.1\r\n${HEADERS}Transfer-Encoding: chunked\r\n\r\n`,
    '1\r\na\r\n',
  ],
];

for (const [what, start, drip] of SLOW) {
  test(`a client that ${what} is told so and cut off`, GONE, async (t) => {
    const { port } = await runningService(t, { limits: { request: 500 } });
    const { socket, received, closed } = dial(t, port);
    socket.write(start);
    const dripping = setInterval(() => socket.writable && socket.write(drip), 100);
    t.after(() => clearInterval(dripping));
    await closed;
    assert.deepEqual(statuses(received()), [408]);
    const counted = what.includes('body') ? 1 : 0;
    assert.match(await metricsOf(port), new RegExp(`webhooks_total\\{status="408"\\} ${counted}\\n`));
  });
}

test('a client that does not read its answer is cut off', GONE, async (t) => {
  const counts = Buffer.alloc(30_000_000, 'a'); // more than the buffers of the system take
  const { port, service } = await runningService(t, {
    data: () => ({ ...DATA, counts }),
    limits: { reader: 300 },
  });
  const connected = once(service.server, 'connection');
  const { socket } = dial(t, port);
  socket.pause();
  socket.write(`GET /counts.json HTTP/1.1\r\n${HEADERS}\r\n`);
  const [serverSide] = await connected;
  await once(serverSide, 'close');
  assert.ok(socket.bytesRead < counts.length);
});

test('empty lines do not keep a connection for ever', GONE, async (t) => {
  const { port } = await runningService(t, { now: () => NOW, limits: { connection: 500, keepAlive: 300 } });
  const { socket, received, closed } = dial(t, port);
  socket.write(`GET /healthz HTTP/1.1\r\n${HEADERS}\r\n`);
  const dripping = setInterval(() => socket.writable && socket.write('\r\n'), 100);
  t.after(() => clearInterval(dripping));
  await closed;
  assert.deepEqual(statuses(received()), [200]);
});

test('200 slow clients and 8 of 50 MB take little memory, and a good one is served', GONE, async (t) => {
  const child = fork(SERVICE, ['serve']);
  t.after(() => child.kill('SIGKILL'));
  const [port] = await once(child, 'message');
  const before = await memoryOf(child);
  const slow = Array.from({ length: 200 }, (_, n) => {
    const [, start = '', drip = ''] = SLOW[n % SLOW.length] ?? [];
    const { socket, closed } = dial(t, port);
    socket.write(start + drip.repeat(drip.startsWith('1') ? 60_000 : 500)); // and no more
    return closed;
  });
  const big = Array.from({ length: 8 }, () => {
    const start = `POST ${HOOK} HTTP/1.1\r\n${HEADERS}Content-Length: 50000000\r\n\r\n`;
    return exchange(t, port, [start, ...Array(50).fill(MEGABYTE)]);
  });
  let served = 0;
  const all = Promise.all([...slow, ...big]).then(() => 'over');
  do {
    assert.equal((await ask(port, '/healthz')).status, 200);
    served += 1;
  } while ((await Promise.race([all, nextTurn()])) !== 'over');
  assert.ok(served > 1);
  assert.deepEqual(new Set((await Promise.all(big)).map((text) => statuses(text)[0])), new Set([413]));
  const growth = (await memoryOf(child)) - before;
  assert.ok(growth < 100e6, `${Math.round(growth / 1e6)} MB`);
});

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>} the most bytes that it ever had in memory
 */
async function memoryOf(child) {
  const answered = once(child, 'message');
  child.send('how much?');
  return (await answered)[0];
}

// The end

test('at its end it answers what is under way, and hangs up on who waits', GONE, async (t) => {
  const { port, service } = await runningService(t, {
    now: () => NOW,
    limits: { close: 60_000, keepAlive: 60_000 },
  });
  const idle = dial(t, port);
  idle.socket.write(`GET /healthz HTTP/1.1\r\n${HEADERS}\r\n`);
  while (!idle.received().endsWith('ok\n')) await once(idle.socket, 'data');
  const busy = dial(t, port);
  const asked = once(service.server, 'request');
  busy.socket.write(`POST ${HOOK} HTTP/1.1\r\n${HEADERS}Content-Length: 4\r\n\r\nbo`);
  await asked;
  const closed = service.close();
  await idle.closed;
  await assert.rejects(ask(port, '/healthz'), { code: 'ECONNREFUSED' });
  busy.socket.write('dy');
  await Promise.all([closed, busy.closed]);
  assert.deepEqual(statuses(busy.received()), [401]);
  assert.match(busy.received(), /^Connection: close\r$/m);
});

test('at its end it does not wait for ever', GONE, async (t) => {
  const { port, service } = await runningService(t, { limits: { close: 50 } });
  const { socket, closed } = dial(t, port);
  await once(socket, 'connect');
  socket.write(`POST ${HOOK} HTTP/1.1\r\n${HEADERS}Content-Length: 4\r\n\r\nbo`);
  await once(service.server, 'request');
  await Promise.all([service.close(), closed]);
});
