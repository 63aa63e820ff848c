import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { devStacosys } from '../../../scripts/dev-stacosys.js';
import { databaseWith, listen, openTable } from '../../../scripts/test/serving.js';
import { usableCaddy } from '../../../scripts/tools.js';
import { temporaryFolder } from '../../../stacosys-hook/test/database.js';
import { SECRET, addGzipped, publishedBlog } from './published-blog.js';
import {
  COMMENT,
  HOST,
  SHA256,
  form,
  freePorts,
  makeCertificate,
  portOf,
  readKit,
  recordingUpstream,
  send,
  startServer,
  substituted,
  switchedOn,
} from './running.js';

/** @typedef {import('node:test').TestContext} TestContext */

const caddy = usableCaddy();
const LIMITS = {
  timeout: 60_000,
  skip: caddy === null ? 'no Caddy: npm run setup caddy brings one on Debian' : false,
};

const IMMUTABLE = 'public, max-age=31536000, immutable';
const NO_PORT = 1; // where nothing listens

/** @type {Record<string, string>} of every answer over https, beside Cache-Control */
const EVERY_ANSWER = {
  'content-security-policy':
    "default-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  'referrer-policy': 'strict-origin-when-cross-origin',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
};

test('pages, and nothing that is hidden, are served from the current release', LIMITS, async (t) => {
  const { ask } = await startCaddy(t, { blog: publishedBlog(t).folder });
  for (const [path, text] of Object.entries({
    '/': /Home/,
    '/one/': /One/,
    '/web-design/': /web/,
    '/.well-known/security.txt': /Contact/,
  })) {
    const { status, body, headers } = await ask(path);
    assert.deepEqual([status, headers['cache-control']], [200, 'no-cache'], path);
    assert.match(body.toString(), text, path);
  }
  const { headers } = await ask('/one/');
  assert.equal((await ask('/one/', { headers: { 'If-None-Match': String(headers.etag) } })).status, 304);
  for (const path of [
    '/nothing/',
    '/images/',
    '/.git/config',
    '//.git/config',
    '/%2egit/config',
    '/one/../.git/config',
    '/.env',
    '/one/.htpasswd',
    '/.well-known/.git/config',
    `/nothing.${SHA256}.css`,
  ]) {
    const answer = await ask(path);
    assert.deepEqual([answer.status, answer.headers['cache-control']], [404, 'no-cache'], path);
    assert.ok(!answer.body.includes(SECRET), path);
    assert.match(answer.body.toString(), /Nothing here/, path);
  }
});

test(
  'only the two paths reach Stacosys, under their own name, with the query byte for byte',
  LIMITS,
  async (t) => {
    const { port, seen } = await recordingUpstream(t);
    const { ask } = await startCaddy(t, { blog: publishedBlog(t).folder, stacosys: port });
    for (const query of [
      '?url=%2Fh%C3%A9bergement%2F',
      '?url=a+b%20c%2Bd',
      '?url=%zz&x',
      '?url=a;b',
      '?url=../../web',
      '',
    ]) {
      await ask(`/api/comments${query}`);
      assert.equal(seen.pop()?.url, `/api/comments${query}`);
    }
    for (const path of [
      '/api%2Fcomments?url=a',
      '//api/comments?url=a',
      '/API/comments?url=a',
      '/api/x/../comments?url=a',
    ]) {
      await ask(path);
      for (const { url } of seen.splice(0)) {
        assert.equal(decodeURIComponent(url), '/api/comments?url=a', path);
      }
    }
    await ask('/api/comments', {
      headers: { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'http' },
    });
    const [{ headers } = assert.fail()] = seen;
    assert.deepEqual(
      [headers['x-forwarded-for'], headers['x-forwarded-proto'], headers.host],
      ['127.0.0.1', 'https', HOST],
    );
  },
);

test('nothing else of Stacosys can be reached, by no spelling and no method', LIMITS, async (t) => {
  const { port, seen } = await recordingUpstream(t);
  const { ask } = await startCaddy(t, { blog: publishedBlog(t).folder, stacosys: port, hook: port });
  for (const path of [
    '/api',
    '/api/',
    '/api/ping',
    '/api/comments/',
    '/api/comments/count',
    '/api/comments/count?url=/one/',
    '//api/comments/count',
    '/api/comments%2Fcount',
    '/API/comments/count',
    '/api/comments/x/../count',
    '/web/',
    '/web/admin',
    '/api/../web/',
    '/api/comments/../../web/admin',
    '/newcomment/',
    '/newcomment/../web/admin',
    '/comments?url=/one/',
    '/hooks/rebuild',
    '/stacosys/counts.json',
    '/healthz',
    '/metrics',
    '/status',
  ]) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status } = await ask(path, { method, body: method === 'POST' ? 'a=1' : undefined });
      assert.ok([400, 404, 405].includes(status), `${method} ${path}: ${status}`);
    }
  }
  assert.deepEqual(seen, []);
});

test(
  'a comment goes through the form into the database, and comes back once it is published',
  LIMITS,
  async (t) => {
    const comments = openTable(t, databaseWith(t));
    const stacosys = portOf(await listen(t, createServer(devStacosys({ comments }))));
    const { ask } = await startCaddy(t, { blog: publishedBlog(t).folder, stacosys });
    const sent = await ask('/newcomment', form(COMMENT));
    assert.deepEqual([sent.status, sent.headers.location], [302, '/redirect']);
    const [pending = assert.fail()] = comments.pending();
    comments.publish(pending.id);
    const { headers, body } = await ask('/api/comments?url=%2Fone%2F');
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(JSON.parse(body.toString()).data[0].content, 'Hello **world**');
    assert.equal((await ask('/newcomment')).status, 405);
  },
);

test('a redirect of Stacosys to its own address stays on https', LIMITS, async (t) => {
  const { port } = await recordingUpstream(t, ({ headers }, response) =>
    response.writeHead(302, { Location: `http://${headers.host}/thanks/` }).end(),
  );
  const { ask } = await startCaddy(t, { blog: publishedBlog(t).folder, stacosys: port });
  assert.equal((await ask('/newcomment', form(COMMENT))).headers.location, '/thanks/');
});

test('what no comment is as long as does not reach Stacosys whole', LIMITS, async (t) => {
  const { port, seen } = await recordingUpstream(t);
  const { ask } = await startCaddy(t, { blog: publishedBlog(t).folder, stacosys: port });
  const body = 'a'.repeat(512 * 1024);
  assert.equal((await ask('/newcomment', { method: 'POST', body })).status, 200);
  assert.equal(seen.pop()?.body.length, body.length);
  const { status } = await ask('/newcomment', { method: 'POST', body: `${body}a` });
  assert.ok(status >= 400, String(status));
  assert.deepEqual(seen, []);
});

test('a publish is seen by the next request; a name with a hash is kept for a year', LIMITS, async (t) => {
  const { folder, publish } = publishedBlog(t);
  const { ask } = await startCaddy(t, { blog: folder });
  for (let release = 100; release < 120; release++) {
    publish(`20261121T120000.${release}Z-00000000`, { 'one/index.html': `release ${release}` });
    assert.equal((await ask('/one/')).body.toString(), `release ${release}`);
  }
  addGzipped(folder, `main.min.${SHA256}.css`, 'from the .gz file');
  for (const path of [
    `/main.min.${SHA256}.css`,
    '/images/photo_hu_0123456789abcdef.jpg',
    '/images/photo_hu15210517121918042184.jpg',
  ]) {
    assert.equal((await ask(path)).headers['cache-control'], IMMUTABLE, path);
  }
  for (const path of ['/main.css', '/images/photo_human.jpg']) {
    assert.equal((await ask(path)).headers['cache-control'], 'no-cache', path);
  }
  const { body } = await ask(`/main.min.${SHA256}.css`, { headers: { 'Accept-Encoding': 'gzip' } });
  assert.equal(gunzipSync(body).toString(), 'from the .gz file');
});

test('switched on, the paths of stacosys-hook lead there; http leads to https', LIMITS, async (t) => {
  const { port, seen } = await recordingUpstream(t, (_, response) =>
    response.writeHead(200, { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }).end('{}'),
  );
  const edit = (/** @type {string} */ text) =>
    switchedOn(switchedOn(text, 'handle /hooks/rebuild', 6), '@counts', 7);
  const { ask, http } = await startCaddy(t, { blog: publishedBlog(t).folder, hook: port, edit });
  await ask('/hooks/rebuild', { method: 'POST', body: '{}', headers: { 'webhook-id': 'msg_1' } });
  for (const name of ['counts', 'spellings', 'forms']) await ask(`/stacosys/${name}.json`);
  assert.deepEqual(
    seen.map(({ url }) => url),
    ['/hooks/rebuild', '/counts.json', '/spellings.json', '/forms.json'],
  );
  assert.deepEqual([seen[0]?.body, seen[0]?.headers['webhook-id']], ['{}', 'msg_1']);
  assert.equal((await ask('/stacosys/status.json')).status, 404);
  const { status, headers } = await send(http, '/one/?a=%20b');
  assert.equal(status, 308);
  assert.match(String(headers.location), /^https:\/\/example\.org(:\d+)?\/one\/\?a=%20b$/);
});

/**
 * @param {TestContext} t
 * @param {{blog: string, stacosys?: number, hook?: number, edit?: (text: string) => string}} behind
 */
async function startCaddy(t, { blog, stacosys = NO_PORT, hook = NO_PORT, edit = (text) => text }) {
  const folder = temporaryFolder(t);
  const { cert, key } = makeCertificate(t);
  const [http = 0, https = 0] = await freePorts(2);
  const site = substituted(edit(readKit('Caddyfile')), [
    ['127.0.0.1:8100', `127.0.0.1:${stacosys}`],
    ['127.0.0.1:8101', `127.0.0.1:${hook}`],
    ['/var/www/blog/', `${blog}/`],
    ['\nexample.org {\n', `\nexample.org {\n\ttls ${cert} ${key}\n\tbind 127.0.0.1\n`],
  ]);
  const ports = `{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n}\n`;
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, ports + site);
  const env = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const args = ['run', '--config', file, '--adapter', 'caddyfile'];
  await startServer(t, String(caddy), args, [http, https], env);
  const ca = readFileSync(cert, 'utf8');
  /**
   * @param {string} path
   * @param {import('./running.js').Sent} [sent]
   */
  const ask = async (path, sent) => {
    const answer = await send(https, path, { ...sent, ca });
    assertEveryHeader(answer, path);
    return answer;
  };
  return { http, ask };
}

/**
 * @param {import('./running.js').Answer} answer
 * @param {string} what
 */
function assertEveryHeader({ all, status }, what) {
  const named = (/** @type {string} */ name) =>
    all.filter(([other]) => other === name).map(([, text]) => text);
  for (const [name, value] of Object.entries(EVERY_ANSWER)) {
    assert.deepEqual(named(name), [value], `${name} of ${what} (${status})`);
  }
  assert.equal(named('cache-control').length, 1, `cache-control of ${what} (${status})`);
  assert.deepEqual(named('server'), ['Caddy'], `server of ${what} (${status})`);
}
