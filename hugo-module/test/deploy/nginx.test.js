import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { join } from 'node:path';
import { once } from 'node:events';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { devStacosys } from '../../../scripts/dev-stacosys.js';
import { databaseWith, listen, openTable } from '../../../scripts/test/serving.js';
import { brotliModule, startNginx } from './nginx.js';
import { SECRET, addGzipped, publishedBlog } from './published-blog.js';
import { COMMENT, HOST, SHA256, form, portOf, recordingUpstream, send, switchedOn } from './running.js';

const LIMITS = { timeout: 60_000 };
const IMMUTABLE = 'public, max-age=31536000, immutable';

test('nginx starts with the file and has no warning to give', LIMITS, async (t) => {
  const { log, ask } = await startNginx(t, { blog: publishedBlog(t).folder });
  await ask('/');
  const warnings = log().match(/\[(warn|error|crit|alert|emerg)\].*/g) ?? [];
  // From 1.25.1 on: the older spelling is the only one that Debian 12 knows
  assert.deepEqual(
    warnings.filter((line) => !line.includes('"listen ... http2" directive is deprecated')),
    [],
  );
});

test('pages and files of the blog are served from the current release', LIMITS, async (t) => {
  const { ask } = await startNginx(t, { blog: publishedBlog(t).folder });
  const served = {
    '/': /<title>Home/,
    '/?utm=1': /<title>Home/,
    '/one/': /<title>One/,
    '/%6Fne/': /<title>One/,
    '//one//': /<title>One/,
    '/web-design/': /on web design/,
    '/api-design/': /design of an API/,
    '/robots.txt': /User-agent/,
    '/.well-known/security.txt': /Contact/,
    '/404.html': /Nothing here/,
  };
  for (const [path, text] of Object.entries(served)) {
    const { status, body, headers } = await ask(path);
    assert.equal(status, 200, path);
    assert.match(body.toString(), text, path);
    assert.equal(headers['cache-control'], 'no-cache', path);
    assert.equal((await ask(path, { method: 'HEAD' })).status, 200, path);
  }
  const page = await ask('/one/');
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
  const folder = await ask('/one?a=%20b');
  assert.deepEqual([folder.status, folder.headers.location], [301, '/one/?a=%20b']);
});

test(
  'what the blog does not have is 404 with the page of Hugo, and so is what is hidden',
  LIMITS,
  async (t) => {
    const { ask } = await startNginx(t, { blog: publishedBlog(t).folder });
    for (const path of [
      '/nothing/',
      '/images/',
      '/.git/config',
      '/.git/',
      '/.git',
      '//.git/config',
      '/%2egit/config',
      '/%2Egit%2Fconfig',
      '/one/../.git/config',
      '/.env',
      '/.env?',
      '/one/.htpasswd',
      '/.well-known/.git/config',
      '/.well-known/../.git/config',
      `/nothing.${SHA256}.css`,
    ]) {
      const { status, body, headers } = await ask(path);
      assert.equal(status, 404, path);
      assert.ok(!body.includes(SECRET), path);
      assert.match(body.toString(), /Nothing here/, path);
      assert.equal(headers['cache-control'], 'no-cache', path);
    }
  },
);

test(
  'only the two paths reach Stacosys, under their own name however they are spelled',
  LIMITS,
  async (t) => {
    const { port, seen } = await recordingUpstream(t);
    const { ask } = await startNginx(t, { blog: publishedBlog(t).folder, stacosys: port });
    for (const [path, url] of [
      ['/api/comments?url=/one/', '/api/comments?url=/one/'],
      ['/api/comments', '/api/comments'],
      ['//api//comments?url=a', '/api/comments?url=a'],
      ['/api%2Fcomments?url=a', '/api/comments?url=a'],
      ['/%61pi/comments?url=a', '/api/comments?url=a'],
      ['/api/./comments?url=a', '/api/comments?url=a'],
      ['/api/comments/count/../?url=a', null], // is /api/comments/
      ['/api/comments/count/..?url=a', null],
      ['/web/../api/comments?url=a', '/api/comments?url=a'],
    ]) {
      seen.length = 0;
      const { status } = await ask(String(path));
      assert.equal(status, url === null ? 404 : 200, String(path));
      assert.deepEqual(
        seen.map((request) => request.url),
        url === null ? [] : [url],
        String(path),
      );
    }
  },
);

test('nothing else of Stacosys can be reached, by no spelling and no method', LIMITS, async (t) => {
  const { port, seen } = await recordingUpstream(t);
  const { ask } = await startNginx(t, { blog: publishedBlog(t).folder, stacosys: port, hook: port });
  const forbidden = [
    '/api',
    '/api/',
    '/api/ping',
    '/api/comments/',
    '/api/comments/count',
    '/api/comments/count?url=/one/',
    '/api/comments/count?x',
    '//api/comments/count',
    '/api//comments//count',
    '/api/comments%2Fcount',
    '/api/comments%2fcount',
    '/api/comments/%63ount',
    '/api/comments/./count',
    '/api/comments/x/../count',
    '/api/comments;/count',
    '/api/comments%00',
    '/api/comments%3Furl=a',
    '/api/comments.json',
    '/API/comments',
    '/Api/Comments/Count',
    '/web',
    '/web/',
    '/web/admin',
    '/web/login',
    '/api/../web/',
    '/api/comments/../../web/admin',
    '/newcomment/../web/admin',
    '/%77eb/admin',
    '//web/admin',
    '/newcomment/',
    '/newcomments',
    '/NEWCOMMENT',
    '/comments?token=x&url=/one/',
    '/comments/count',
    // of stacosys-hook, until the owner switches it on
    '/hooks/rebuild',
    '/stacosys/counts.json',
    '/stacosys/spellings.json',
    '/stacosys/forms.json',
    '/counts.json',
    '/healthz',
    '/metrics',
    '/status',
  ];
  for (const path of forbidden) {
    for (const method of ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
      const body = method === 'POST' ? 'a=1' : undefined;
      const { status } = await ask(path, { method, body });
      // nginx refuses a NUL and, for its files, a method before it looks for them
      const expected = path.includes('%00') ? [400] : method === 'GET' ? [404] : [404, 405];
      assert.ok(expected.includes(status), `${method} ${path}: ${status}`);
    }
  }
  assert.deepEqual(seen, []);
});

test('the query of a reader reaches Stacosys byte for byte', LIMITS, async (t) => {
  const { port, seen } = await recordingUpstream(t);
  const { ask } = await startNginx(t, { blog: publishedBlog(t).folder, stacosys: port });
  const queries = [
    'url=%2Fh%C3%A9bergement%2F',
    'url=/h%c3%a9bergement/',
    'url=a+b%20c%2Bd',
    'url=%2F%2F2021%2F%2Fslug%2F%2F',
    'url=https%3A%2F%2Fexample.org%2F%3Fa%3D1%26b%3D2%23c',
    'url=a;b&url=c&&x',
    'url=%',
    'url=%zz%0d%0aX-Evil:%201',
    'url=\'"<>|{}^`\\',
    'url=../../web/admin',
    '?url=?',
    '',
  ];
  for (const query of queries) await ask(`/api/comments?${query}`);
  assert.deepEqual(
    seen.map(({ url }) => url),
    queries.map((query) => (query === '' ? '/api/comments' : `/api/comments?${query}`)),
  );
});

test('Stacosys learns who asks from nginx, not from the reader', LIMITS, async (t) => {
  const { port, seen } = await recordingUpstream(t);
  const { ask } = await startNginx(t, { blog: publishedBlog(t).folder, stacosys: port });
  const invented = {
    'X-Forwarded-For': '203.0.113.9',
    'X-Forwarded-Host': 'evil.example',
    'X-Forwarded-Proto': 'http',
  };
  await ask('/api/comments?url=/one/', { from: '198.51.100.7', headers: invented });
  const [{ headers } = assert.fail()] = seen;
  assert.equal(headers['x-forwarded-for'], '198.51.100.7');
  assert.equal(headers['x-forwarded-host'], HOST);
  assert.equal(headers['x-forwarded-proto'], 'https');
  assert.equal(headers.host, HOST);
});

test(
  'a comment goes through the form into the database, and comes back once it is published',
  LIMITS,
  async (t) => {
    const { ask, comments } = await withStacosys(t);
    const sent = await ask('/newcomment', form(COMMENT));
    assert.deepEqual([sent.status, sent.headers.location], [302, '/redirect']);
    const [pending = assert.fail()] = comments.pending();
    assert.deepEqual([pending.url, pending.author, pending.content], ['/one/', 'Alice', 'Hello **world**']);
    comments.publish(pending.id);
    const list = await ask('/api/comments?url=%2Fone%2F');
    assert.equal(list.headers['content-type'], 'application/json');
    assert.equal(list.headers['cache-control'], 'no-cache');
    assert.equal(JSON.parse(list.body.toString()).data[0].content, 'Hello **world**');
  },
);

test('a form in parts is a form, too; what Stacosys refuses is refused in its words', LIMITS, async (t) => {
  const { ask, comments } = await withStacosys(t);
  const parts = new FormData();
  for (const [name, value] of Object.entries(COMMENT)) parts.append(name, value);
  const { headers, body } = await asRequest(parts);
  assert.equal((await ask('/newcomment', { method: 'POST', headers, body })).status, 302);
  assert.equal(comments.pending().length, 1);
  assert.equal((await ask('/newcomment', form({ ...COMMENT, remarque: 'spam' }))).status, 400);
  const get = await ask('/newcomment');
  assert.deepEqual([get.status, get.headers.allow], [405, 'OPTIONS, POST']);
  assert.equal((await ask('/api/comments', { method: 'POST', body: 'a=1' })).status, 405);
  assert.equal(comments.pending().length, 1);
});

test('a redirect of Stacosys to its own address stays on https', LIMITS, async (t) => {
  const { port } = await recordingUpstream(t, ({ headers }, response) =>
    response.writeHead(302, { Location: `http://${headers.host}/thanks/` }).end(),
  );
  const { ask } = await startNginx(t, { blog: publishedBlog(t).folder, stacosys: port });
  assert.equal((await ask('/newcomment', form(COMMENT))).headers.location, '/thanks/');
});

test('a reader may send six comments at once, then he waits; others need not', LIMITS, async (t) => {
  const { ask, comments } = await withStacosys(t);
  const post = (/** @type {string} */ from) => ask('/newcomment', { ...form(COMMENT), from });
  for (const [reader, neighbour, stranger] of [
    ['198.51.100.1', '198.51.100.1', '198.51.100.2'],
    ['2001:db8:0:1::1', '2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:db8:0:2::1'],
  ]) {
    const before = comments.pending().length;
    const first = await Promise.all(Array.from({ length: 6 }, () => post(String(reader))));
    assert.deepEqual(
      first.map(({ status }) => status),
      Array(6).fill(302),
    );
    assert.equal((await post(String(neighbour))).status, 429);
    assert.equal(comments.pending().length, before + 6);
    assert.equal((await ask('/api/comments?url=/one/', { from: reader })).status, 200, 'reading is free');
    assert.equal((await ask('/one/', { from: reader })).status, 200);
    assert.equal((await post(String(stranger))).status, 302);
  }
});

test('a long comment passes; what no comment is as long as does not reach Stacosys', LIMITS, async (t) => {
  const { port, seen } = await recordingUpstream(t);
  const { ask } = await startNginx(t, { blog: publishedBlog(t).folder, stacosys: port });
  const longest = { method: 'POST', body: 'a'.repeat(512 * 1024) };
  for (const chunked of [false, true]) {
    assert.equal((await ask('/newcomment', { ...longest, chunked })).status, 200);
    assert.equal(seen.pop()?.body, longest.body);
    const longer = { ...longest, body: `${longest.body}a`, chunked };
    assert.equal((await ask('/newcomment', longer)).status, 413);
  }
  assert.equal((await ask('/api/comments', { method: 'POST', body: 'a'.repeat(1025) })).status, 413);
  assert.equal((await ask('/', { method: 'POST', body: 'a'.repeat(1025) })).status, 413);
  assert.deepEqual(seen, []);
});

test('without Stacosys the blog goes on, and the two paths say 502', LIMITS, async (t) => {
  const { ask } = await startNginx(t, { blog: publishedBlog(t).folder });
  assert.equal((await ask('/api/comments?url=/one/')).status, 502);
  assert.equal((await ask('/newcomment', form(COMMENT))).status, 502);
  assert.equal((await ask('/one/')).status, 200);
});

test('what has its hash in its name is kept for a year, and nothing else', LIMITS, async (t) => {
  const names = Object.fromEntries(
    [32, 64, 96, 128].map((length) => [`a.${'0f'.repeat(length / 2)}.css`, 'a{}']),
  );
  const { folder, publish } = publishedBlog(t);
  publish('20261121T120001.000Z-00000002', {
    ...names,
    [`a.${'0'.repeat(40)}.css`]: 'a{}',
    [`${SHA256}.css`]: '',
  });
  const { ask } = await startNginx(t, { blog: folder });
  const kept = [
    ...Object.keys(names).map((name) => `/${name}`),
    `/main.min.${SHA256}.css`,
    `/stacosys/comments.min.${SHA256}.js`,
    '/images/photo_hu_0123456789abcdef.jpg',
    '/images/photo_hu15210517121918042184.jpg',
    `/images/photo_hu${SHA256.slice(0, 32)}_1234_300x0_resize_q75_box.jpg`,
  ];
  for (const path of kept) {
    const { status, headers } = await ask(path);
    assert.deepEqual([status, headers['cache-control']], [200, IMMUTABLE], path);
    const again = await ask(path, { headers: { 'If-None-Match': String(headers.etag) } });
    assert.deepEqual([again.status, again.headers['cache-control']], [304, IMMUTABLE], path);
    assert.equal((await ask(path, { method: 'POST' })).headers['cache-control'], 'no-cache', path);
  }
  for (const path of ['/main.css', '/images/photo_human.jpg', `/a.${'0'.repeat(40)}.css`, `/${SHA256}.css`]) {
    const { status, headers } = await ask(path);
    assert.deepEqual([status, headers['cache-control']], [200, 'no-cache'], path);
  }
});

test('a page is asked for anew, and not sent again where it is the same', LIMITS, async (t) => {
  const { ask } = await startNginx(t, { blog: publishedBlog(t).folder });
  const { headers } = await ask('/one/');
  for (const [condition, value] of [
    ['If-None-Match', headers.etag],
    ['If-Modified-Since', headers['last-modified']],
  ]) {
    const again = await ask('/one/', { headers: { [String(condition)]: String(value) } });
    assert.deepEqual([again.status, again.body.length], [304, 0]);
  }
  assert.equal((await ask('/one/', { headers: { 'If-None-Match': '"other"' } })).status, 200);
  const part = await ask('/one/', { headers: { Range: 'bytes=0-9' } });
  assert.deepEqual([part.status, part.body.length], [206, 10]);
  assert.equal((await ask('/one/', { headers: { Range: 'bytes=9999-' } })).status, 416);
});

test(
  'a publish is seen by the next request, though nginx caches open files for other sites',
  LIMITS,
  async (t) => {
    const { folder, publish } = publishedBlog(t);
    const { ask } = await startNginx(t, { blog: folder });
    for (let release = 100; release < 140; release++) {
      publish(`20261121T120000.${release}Z-00000000`, { 'one/index.html': `release ${release}` });
      assert.equal((await ask('/one/')).body.toString(), `release ${release}`);
    }
  },
);

test('texts are compressed, and a file that is compressed already is sent as it is', LIMITS, async (t) => {
  const { folder } = publishedBlog(t);
  addGzipped(folder, `main.min.${SHA256}.css`, 'from the .gz file');
  const { port } = await recordingUpstream(t, (_, response) =>
    response
      .setHeader('Content-Type', 'application/json')
      .end(JSON.stringify({ data: Array(100).fill('a') })),
  );
  const { ask } = await startNginx(t, { blog: folder, stacosys: port });
  const headers = { 'Accept-Encoding': 'gzip', Via: '1.1 cdn.example' };
  for (const path of ['/one/', '/api/comments', `/stacosys/comments.min.${SHA256}.js`]) {
    const answer = await ask(path, { headers });
    assert.deepEqual(
      [answer.headers['content-encoding'], answer.headers.vary],
      ['gzip', 'Accept-Encoding'],
      path,
    );
    assert.deepEqual(gunzipSync(answer.body), (await ask(path)).body, path);
  }
  const { body, headers: own } = await ask(`/main.min.${SHA256}.css`, { headers });
  assert.deepEqual([own['content-encoding'], own['cache-control']], ['gzip', IMMUTABLE]);
  assert.equal(gunzipSync(body).toString(), 'from the .gz file');
});

test(
  'a file that is compressed by Brotli already is sent as it is, with the module of Debian',
  { ...LIMITS, skip: existsSync(brotliModule()) ? false : 'this nginx has no module for Brotli' },
  async (t) => {
    const { folder } = publishedBlog(t);
    writeFileSync(join(folder, 'current', `main.min.${SHA256}.css.br`), 'from the .br file');
    const edit = (/** @type {string} */ text) => switchedOn(text, 'brotli_static');
    const { ask } = await startNginx(t, { blog: folder, edit, modules: [brotliModule()] });
    const { body, headers } = await ask(`/main.min.${SHA256}.css`, {
      headers: { 'Accept-Encoding': 'br, gzip' },
    });
    assert.deepEqual([headers['content-encoding'], body.toString()], ['br', 'from the .br file']);
    assert.equal(headers.vary, 'Accept-Encoding');
  },
);

test(
  'http leads to https of the blog, whatever host is asked for, but for the proofs of a certificate',
  LIMITS,
  async (t) => {
    const { http, acme } = await startNginx(t, { blog: publishedBlog(t).folder });
    for (const path of [
      '/',
      '/one/?a=%20b&c',
      '//evil.example/',
      '/.well-known/security.txt',
      '/newcomment',
    ]) {
      const { status, headers } = await send(http, path, { headers: { Host: 'evil.example' } });
      assert.deepEqual([status, headers.location], [301, `https://${HOST}${path}`]);
      assertPlainHeaders(headers);
    }
    mkdirSync(join(acme, '.well-known', 'acme-challenge'), { recursive: true });
    writeFileSync(join(acme, '.well-known', 'acme-challenge', 'proof'), 'proven');
    const proof = await send(http, '/.well-known/acme-challenge/proof');
    assert.deepEqual([proof.status, proof.body.toString()], [200, 'proven']);
    assertPlainHeaders(proof.headers);
    const missing = await send(http, '/.well-known/acme-challenge/other');
    assert.equal(missing.status, 404);
    assertPlainHeaders(missing.headers);
  },
);

test('it speaks HTTP/2, TLS 1.3 and 1.2, and nothing older', LIMITS, async (t) => {
  const { https, ca } = await startNginx(t, { blog: publishedBlog(t).folder });
  const session = connectHttp2(`https://127.0.0.1:${https}`, { ca, servername: HOST });
  t.after(() => session.destroy());
  const stream = session.request({ ':path': '/one/', ':authority': HOST });
  const [headers] = await once(stream, 'response');
  assert.equal(headers[':status'], 200);
  assert.equal(headers['strict-transport-security'], 'max-age=31536000');
  session.close();
  for (const version of /** @type {const} */ (['TLSv1.2', 'TLSv1.3'])) {
    assert.equal(await handshake(https, ca, version), version);
  }
  for (const version of /** @type {const} */ (['TLSv1', 'TLSv1.1'])) {
    await assert.rejects(handshake(https, ca, version), /alert protocol version/);
  }
});

test('an answer to no proper request has the headers, too', LIMITS, async (t) => {
  const { https, ca, ask } = await startNginx(t, { blog: publishedBlog(t).folder });
  for (const request of [
    'GET / HTTP/1.1\r\n\r\n', // no host
    'GET  HTTP/1.1\r\n\r\n',
    'G\u0001T / HTTP/1.1\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: ${HOST}\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`,
    `GET /../../etc/passwd HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`,
  ]) {
    const answer = await raw(https, ca, request);
    assert.match(answer, /^HTTP\/1\.1 400 /, request.slice(0, 40));
    for (const name of ['Content-Security-Policy', 'Strict-Transport-Security', 'X-Content-Type-Options']) {
      assert.equal(answer.split(`\r\n${name}: `).length, 2, `${name} once: ${answer}`);
    }
  }
  assert.equal((await ask('/one/', { method: 'TRACE' })).status, 405);
});

test(
  'switched on, the paths of stacosys-hook for builders elsewhere lead there, and no other',
  LIMITS,
  async (t) => {
    const own = {
      ETag: '"1"',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    };
    const { port, seen } = await recordingUpstream(t, (_, response) =>
      response.writeHead(200, own).end('{}'),
    );
    const edit = (/** @type {string} */ text) =>
      switchedOn(switchedOn(text, 'location = /hooks/rebuild', 4), 'location ~ ^/stacosys/', 3);
    const { ask } = await startNginx(t, { blog: publishedBlog(t).folder, hook: port, edit });
    const body = Buffer.from('{"a": "\u00e9\\n"}');
    const signature = {
      'Content-Type': 'application/json',
      'X-Hub-Signature-256': 'sha256=0',
      'webhook-id': 'msg_1',
    };
    await ask('/hooks/rebuild', { method: 'POST', body, headers: signature });
    for (const name of ['counts', 'spellings', 'forms']) {
      const { headers } = await ask(`/stacosys/${name}.json`, { headers: { 'If-None-Match': '"1"' } });
      assert.equal(headers.etag, '"1"');
    }
    const [webhook, ...fetches] = seen.splice(0);
    assert.deepEqual(
      [webhook?.method, webhook?.url, webhook?.body],
      ['POST', '/hooks/rebuild', body.toString('latin1')],
    );
    assert.equal(webhook?.headers['x-hub-signature-256'], 'sha256=0');
    assert.equal(webhook?.headers['webhook-id'], 'msg_1');
    assert.deepEqual(
      fetches.map(({ url }) => url),
      ['/counts.json', '/spellings.json', '/forms.json'],
    );
    assert.equal(fetches[0]?.headers['if-none-match'], '"1"');
    assert.equal((await ask('/hooks/rebuild', { method: 'POST', body: 'a'.repeat(65_537) })).status, 413);
    for (const path of [
      '/status',
      '/metrics',
      '/healthz',
      '/counts.json',
      '/stacosys/status.json',
      '/hooks/',
      '/hooks/rebuild/x',
    ]) {
      assert.equal((await ask(path)).status, 404, path);
    }
    const script = await ask(`/stacosys/comments.min.${SHA256}.js`);
    assert.equal(script.status, 200, 'the files of the module are beside them');
    assert.deepEqual(seen, []);
  },
);

/**
 * @param {import('node:test').TestContext} t
 * @returns an nginx with the development Stacosys behind it
 */
async function withStacosys(t) {
  const comments = openTable(t, databaseWith(t));
  const origin = await listen(t, createServer(devStacosys({ comments })));
  const nginx = await startNginx(t, { blog: publishedBlog(t).folder, stacosys: portOf(origin) });
  return { ...nginx, comments };
}

/** @param {import('node:http').IncomingHttpHeaders} headers of an answer over http */
function assertPlainHeaders(headers) {
  assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin');
  assert.equal(headers['cache-control'], 'no-cache');
  assert.equal(headers.server, 'nginx');
}

/** @param {FormData} parts */
async function asRequest(parts) {
  const request = new Response(parts);
  const headers = { 'Content-Type': String(request.headers.get('content-type')) };
  return { headers, body: Buffer.from(await request.arrayBuffer()) };
}

/**
 * @param {number} port
 * @param {string} ca
 * @param {import('node:tls').SecureVersion} version
 * @returns {Promise<string | null>} the version that was agreed on
 */
async function handshake(port, ca, version) {
  // Node's own OpenSSL would refuse the old ones before nginx can
  const ciphers = 'DEFAULT:@SECLEVEL=0';
  const socket = connectTls({
    port,
    host: '127.0.0.1',
    ca,
    servername: HOST,
    minVersion: version,
    maxVersion: version,
    ciphers,
  });
  await once(socket, 'secureConnect');
  const agreed = socket.getProtocol();
  socket.destroy();
  return agreed;
}

/**
 * @param {number} port
 * @param {string} ca
 * @param {string} request
 */
async function raw(port, ca, request) {
  const socket = connectTls({ port, host: '127.0.0.1', ca, servername: HOST });
  socket.write(request);
  let answer = '';
  for await (const chunk of socket.setEncoding('latin1')) answer += chunk;
  return answer;
}
