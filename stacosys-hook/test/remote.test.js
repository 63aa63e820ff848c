import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parse } from 'yaml';
import { bake } from '../src/bake.js';
import { createDataAnswers } from '../src/data-answers.js';
import { dataFolder, putData, toData } from '../src/data.js';
import { etagOf } from '../src/etag.js';
import { fetchData } from '../src/remote.js';
import { openSource } from '../src/source.js';
import { run } from './command-line.js';
import {
  asOrdinaryUser,
  bytesIn,
  databaseWith,
  handOver,
  printableFailure,
  temporaryFolder,
} from './database.js';

/**
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
 * @typedef {import('node:http').ServerResponse} ServerResponse
 * @typedef {(request: IncomingMessage, response: ServerResponse) => void} Handler
 * @typedef {string | Buffer | Handler | undefined} Content
 */

const COUNTS = '{\n  "/a/": 1,\n  "/b/": 2\n}\n';
const SPELLINGS = '{\n  "/foo%28bar%29/": "/foo(bar)/"\n}\n';
const FORMS = '{\n  "/a/": [\n    "/a/",\n    "https://blog.example/a"\n  ]\n}\n';

const limits = { timeout: 20_000 };

/**
 * A real server with these files under /s/, which gives and takes tags as `serve` does.
 *
 * @param {import('node:test').TestContext} t
 * @param {{counts?: Content, spellings?: Content, forms?: Content}} files
 */
async function serverWith(t, files) {
  const requests = /** @type {IncomingMessage[]} */ ([]);
  const server = createServer((request, response) => {
    requests.push(request);
    response.on('error', () => {});
    const [, name = ''] = /^\/s\/(\w+)\.json(?:\?|$)/.exec(request.url ?? '') ?? [];
    const content = files[/** @type {keyof typeof files} */ (name)];
    if (content === undefined) return response.writeHead(404).end('not here');
    if (typeof content === 'function') return content(request, response);
    const tag = `"${createHash('sha256').update(content).digest('hex')}"`;
    const isKnown = request.headers['if-none-match'] === tag;
    response.writeHead(isKnown ? 304 : 200, { etag: tag }).end(isKnown ? undefined : content);
  }).listen(0, '127.0.0.1');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const origin = `http://127.0.0.1:${port}`;
  return { url: `${origin}/s/counts.json`, origin, requests, files };
}

/** @param {import('../src/data.js').Data} data */
function texts({ counts, spellings, forms }) {
  return [counts, spellings, forms].map((bytes) => bytes?.toString() ?? null);
}

/**
 * Checks that fetching fails with a message and an advice, and that the site stays as it was.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} url
 * @param {Parameters<typeof fetchData>[2]} [options]
 */
async function failure(t, url, options) {
  const site = temporaryFolder(t);
  putData(site, { counts: Buffer.from(COUNTS), spellings: null, forms: Buffer.from(FORMS) });
  const before = bytesIn(site);
  const error = await fetchData(url, site, options).then(
    () => assert.fail('it did not fail'),
    (error) => printableFailure(error),
  );
  assert.deepEqual(bytesIn(site), before);
  return error;
}

test('all three files are fetched, and nothing is written', limits, async (t) => {
  const { url } = await serverWith(t, { counts: COUNTS, spellings: SPELLINGS, forms: FORMS });
  const site = temporaryFolder(t);
  const { data, changed } = await fetchData(url, site);
  assert.deepEqual(texts(data), [COUNTS, SPELLINGS, FORMS]);
  assert.equal(changed, true);
  assert.deepEqual(bytesIn(site), {});
});

test('a server without spellings and forms has none', limits, async (t) => {
  const { url } = await serverWith(t, { counts: '{}\n' });
  const { data } = await fetchData(url, temporaryFolder(t));
  assert.deepEqual(texts(data), ['{}\n', null, null]);
});

test('the query goes with each request', limits, async (t) => {
  const { url, requests } = await serverWith(t, { counts: COUNTS });
  await fetchData(`${url}?key=a%20b#part`, temporaryFolder(t));
  assert.deepEqual(
    requests.map((request) => request.url),
    ['/s/counts.json?key=a%20b', '/s/spellings.json?key=a%20b', '/s/forms.json?key=a%20b'],
  );
});

test('what the site has already is not sent again', limits, async (t) => {
  const { url, requests, files } = await serverWith(t, {
    counts: COUNTS,
    spellings: SPELLINGS,
    forms: FORMS,
  });
  const site = temporaryFolder(t);
  putData(site, (await fetchData(url, site)).data);
  files.forms = undefined;
  const again = await fetchData(url, site);
  assert.deepEqual(texts(again.data), [COUNTS, SPELLINGS, null]);
  assert.equal(again.changed, true);
  putData(site, again.data);
  assert.equal((await fetchData(url, site)).changed, false);
  assert.deepEqual(
    requests.map(({ headers }) => headers['if-none-match']),
    [
      ...[undefined, undefined, undefined],
      ...[COUNTS, SPELLINGS, FORMS].map((text) => etagOf(Buffer.from(text))),
      ...[etagOf(Buffer.from(COUNTS)), etagOf(Buffer.from(SPELLINGS)), undefined],
    ],
  );
});

test('what serve answers is understood, compressed or not', limits, async (t) => {
  const pages = Array.from({ length: 200 }, (_, i) => `  "/page-${100 + i}/": ${i + 1}`);
  for (const counts of [COUNTS, `{\n${pages.join(',\n')}\n}\n`]) {
    const answerFor = createDataAnswers();
    const bytes = Buffer.from(counts);
    const statuses = /** @type {number[]} */ ([]);
    const { url } = await serverWith(t, {
      counts: async (request, response) => {
        const { status, headers, body } = await answerFor(bytes, request.headers);
        statuses.push(status);
        response.writeHead(status, headers).end(body);
      },
    });
    const site = temporaryFolder(t);
    for (const changed of [true, false]) {
      const fetched = await fetchData(url, site);
      assert.deepEqual([texts(fetched.data)[0], fetched.changed], [counts, changed]);
      putData(site, fetched.data);
    }
    assert.deepEqual(statuses, [200, 304]);
  }
});

test('the tag is the SHA-256 of the bytes, which the server has to agree with', () => {
  assert.equal(
    etagOf(Buffer.from('{}\n')),
    '"ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356"',
  );
});

test('a file that somebody edited is fetched anew', limits, async (t) => {
  const { url, requests } = await serverWith(t, { counts: COUNTS });
  for (const text of ['{"/a/": 1}', '{"/a/": "many"}', 'nonsense', '']) {
    const site = temporaryFolder(t);
    mkdirSync(dataFolder(site), { recursive: true });
    writeFileSync(join(dataFolder(site), 'counts.json'), text);
    const { data, changed } = await fetchData(url, site);
    assert.deepEqual([texts(data)[0], changed], [COUNTS, true]);
  }
  assert.ok(requests.every(({ headers }) => headers['if-none-match'] === undefined));
});

test('the bytes are those that bake writes, however they were written', limits, async (t) => {
  const { url } = await serverWith(t, {
    counts: '\ufeff{"/b/":2e0,"/a/":1.0}',
    spellings: `{"\\u002ffoo%28bar%29/":"/foo(bar)/"}`,
    forms: JSON.stringify({ '/b/': ['b'], '/a/': ['/a/', 'https://blog.example/a'] }),
  });
  const { data } = await fetchData(url, temporaryFolder(t));
  const forms = FORMS.replace('\n}\n', ',\n  "/b/": [\n    "b"\n  ]\n}\n');
  assert.deepEqual(texts(data), [COUNTS, SPELLINGS, forms]);
});

test('whatever urls are in a database, a remote bake has the bytes of a local one', limits, async (t) => {
  const { url, files } = await serverWith(t, {});
  const anyUrl = fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => `/${text}`),
    fc.stringMatching(/^\/?[a-zé(]*[ %.'/]{0,3}(?:%2[58]|%e9|index\.html)?[a-z\\"/]*$/),
    fc.constantFrom(
      '/__proto__/',
      '__proto__',
      '/constructor',
      '/a/',
      '/a',
      'a/',
      '',
      ' ',
      '/%',
      '/\u0000',
      '/1/',
    ),
  );
  const property = fc.asyncProperty(fc.array(anyUrl, { maxLength: 12 }), async (urls) => {
    const database = databaseWith(
      t,
      urls.map((one) => ({ url: one })),
    );
    const source = openSource(database);
    const local = toData(bake(source.count()));
    source.close();
    Object.assign(files, {
      counts: local.counts,
      spellings: local.spellings ?? undefined,
      forms: local.forms ?? undefined,
    });
    const { data } = await fetchData(url, temporaryFolder(t));
    assert.deepEqual(texts(data), texts(local));
  });
  await fc.assert(property, { numRuns: 60 });
});

test('a key that is longer than any address is left out, and spoils nothing', limits, async (t) => {
  const long = `/${'é'.repeat(8000)}/`;
  const source = openSource(databaseWith(t, [{ url: '/a/' }, { url: long }, { url: encodeURI(long) }]));
  const local = toData(bake(source.count()));
  source.close();
  const { url } = await serverWith(t, {
    counts: local.counts,
    spellings: local.spellings ?? undefined,
    forms: local.forms ?? undefined,
  });
  const { data } = await fetchData(url, temporaryFolder(t));
  assert.equal(data.counts.toString(), '{\n  "/a/": 1\n}\n');
});

/** @type {[what: string, counts: string | Buffer][]} */
const INVALID_COUNTS = [
  ['nothing', ''],
  ['HTML', '<!doctype html><title>Sign in</title>'],
  ['JSON that is cut off', COUNTS.slice(0, -4)],
  ['JSON with a word behind it', `${COUNTS}x`],
  ['a list', '[1]'],
  ['null', 'null'],
  ['a number', '7'],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['a count of zero', '{"/a/":0}'],
  ['a negative count', '{"/a/":-1}'],
  ['a count with a fraction', '{"/a/":1.5}'],
  ['a count too large', '{"/a/":9007199254740992}'],
  ['an endless count', '{"/a/":1e999}'],
  ['a count as text', '{"/a/":"1"}'],
  ['a count as list', '{"/a/":[1]}'],
  ['a null', '{"/a/":null}'],
  ['a true', '{"/a/":true}'],
  ['a key without its slashes', '{"a":1}'],
  ['a key without its last slash', '{"/a":1}'],
  ['a key with an origin', '{"https://blog.example/a/":1}'],
  ['a key with a query', '{"/a/?x":1}'],
  ['a key that is not encoded', '{"/é/":1}'],
  ['a key in lower-case hex', '{"/%c3%a9/":1}'],
  ['a key that is blank', '{"":1}'],
  ['a key with a line break', '{"/a\\n/":1}'],
  ['a key with an escape sequence', '{"\\u001b[31m/":1}'],
  ['a key with half a character', '{"/\\ud800/":1}'],
  ['a prototype', '{"__proto__":{"/a/":1}}'],
  ['a prototype with a count', '{"/a/":1,"__proto__":1}'],
  ['a constructor', '{"constructor":{"prototype":{"polluted":1}}}'],
  ['deep nesting', `{"/a/":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
];

for (const [what, counts] of INVALID_COUNTS) {
  test(`counts are refused that hold ${what}`, limits, async (t) => {
    const { url } = await serverWith(t, { counts });
    const { message, advice } = await failure(t, url);
    assert.match(message, /counts\.json is not what stacosys-hook bakes: /);
    assert.match(advice, /untouched/);
    assert.equal(/** @type {any} */ ({}).polluted, undefined);
  });
}

for (const [what, spellings] of [
  ['a number', '{"/foo%28bar%29/":1}'],
  ['another key', '{"/foo%28bar%29/":"/other/"}'],
  ['no canonical key', '{"/foo(bar)/":"/foo%28bar%29/"}'],
  ['no path', '{"foo%28bar%29":"/foo(bar)/"}'],
  ['the key itself', '{"/a/":"/a/"}'],
  ['a prototype', '{"__proto__":"/__proto__/"}'],
]) {
  test(`spellings are refused that hold ${what}`, limits, async (t) => {
    const { url } = await serverWith(t, { counts: COUNTS, spellings, forms: FORMS });
    assert.match((await failure(t, url)).message, /spellings\.json is not what/);
  });
}

for (const [what, forms] of /** @type {[string, string | Buffer][]} */ ([
  ['a text', '{"/a/":"/a/"}'],
  ['an empty list', '{"/a/":[]}'],
  ['a number in the list', '{"/a/":[1]}'],
  ['a list in the list', '{"/a/":[["/a/"]]}'],
  ['the url of another page', '{"/a/":["/a/","/b/"]}'],
  ['a blank url', '{"/a/":[" "]}'],
  ['a key that is none', '{"a":["a"]}'],
  ['something with a length', '{"/a/":{"length":1,"0":"/a/"}}'],
  ['bytes that are no UTF-8', Buffer.from('{"/a/":["/a/?\xff"]}', 'latin1')],
])) {
  test(`forms are refused that hold ${what}`, limits, async (t) => {
    const { url } = await serverWith(t, { counts: COUNTS, spellings: SPELLINGS, forms });
    assert.match((await failure(t, url)).message, /forms\.json is not what/);
  });
}

test('a page may be called __proto__', limits, async (t) => {
  const counts = '{\n  "/__proto__/": 1\n}\n';
  const forms = '{\n  "/__proto__/": [\n    "__proto__"\n  ]\n}\n';
  const { url } = await serverWith(t, { counts, forms });
  const { data } = await fetchData(url, temporaryFolder(t));
  assert.deepEqual(texts(data), [counts, null, forms]);
});

/** @param {number} status */
const answer = (status) => /** @type {Handler} */ ((_, response) => response.writeHead(status).end(COUNTS));

for (const status of [201, 204, 206, 300, 304, 400, 401, 403, 404, 410, 500, 503]) {
  test(`an answer of ${status} is a failure`, limits, async (t) => {
    const { url } = await serverWith(t, { counts: answer(status) });
    const site = temporaryFolder(t); // without a file, so that 304 is not asked for
    const error = await fetchData(url, site).catch((error) => printableFailure(error));
    assert.ok(error instanceof Error);
    assert.match(error.message, new RegExp(`counts\\.json answered ${status}$`));
  });
}

for (const name of /** @type {const} */ (['spellings', 'forms'])) {
  test(`${name} that the server cannot give just now are a failure`, limits, async (t) => {
    const { url } = await serverWith(t, { counts: COUNTS, [name]: answer(503) });
    assert.match((await failure(t, url)).message, new RegExp(`${name}\\.json answered 503$`));
  });
}

test('the query, which may be a secret, is in no message', limits, async (t) => {
  const { url } = await serverWith(t, { counts: answer(403) });
  const { message, advice } = await failure(t, `${url}?key=hidden`);
  assert.ok(!`${message}${advice}`.includes('hidden'), message);
});

test('a server that is not there is a failure', limits, async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  const { message } = await failure(t, `http://127.0.0.1:${port}/counts.json`);
  assert.match(message, /^Cannot fetch http:\/\/127\.0\.0\.1:\d+\/counts\.json: ECONNREFUSED$/);
});

/** @type {[what: string, handler: Handler][]} */
const SLOW = [
  ['never answers', () => {}],
  ['begins and does not end', (_, response) => void response.write('{"/a/":')],
  [
    'sends a byte now and then',
    (_, response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    },
  ],
];

for (const [what, handler] of SLOW) {
  test(`a server that ${what} is given up in time`, limits, async (t) => {
    const { url } = await serverWith(t, { counts: handler });
    assert.match((await failure(t, url, { timeout: 300 })).message, /did not answer within 0\.3 s$/);
    const ending = new AbortController();
    const stopped = failure(t, url, { signal: ending.signal });
    ending.abort();
    assert.match((await stopped).message, /ended before it was complete$/);
    assert.match((await failure(t, url, { signal: ending.signal })).message, /ended before it was complete$/);
  });
}

test('the time limit is one for all files together', limits, async (t) => {
  const { url, requests } = await serverWith(t, { counts: COUNTS, spellings: SPELLINGS, forms: () => {} });
  assert.match((await failure(t, url, { timeout: 500 })).message, /did not answer within 0\.5 s$/);
  assert.equal(requests.length, 3);
});

test('a server that hangs up is a failure, at each moment', limits, async (t) => {
  /** @type {Handler[]} */
  const moments = [
    (_, response) => void response.destroy(),
    (_, response) => void response.socket?.end('nonsense\r\n\r\n'),
    (_, response) => void response.writeHead(200).write('{"/a/":', () => response.destroy()),
    (_, response) =>
      void response.writeHead(200, { 'content-length': 1000 }).write('{}', () => response.destroy()),
  ];
  for (const counts of moments) {
    const { url } = await serverWith(t, { counts });
    assert.match((await failure(t, url)).message, /^Cannot fetch /);
  }
});

test('an endless answer is cut off', limits, async (t) => {
  let written = 0;
  /** @type {Handler} */
  const endless = (_, response) => {
    const more = () => {
      do written += 65_536;
      while (response.write(Buffer.alloc(65_536, ' ')));
    };
    response.on('drain', more);
    more();
  };
  const { url } = await serverWith(t, { counts: endless });
  const { message } = await failure(t, url, { limit: 2 ** 20 });
  assert.match(message, /counts\.json is larger than 1048576 bytes$/);
  assert.ok(written < 50 * 2 ** 20, `${written} bytes were written`);
});

test('a small answer that unpacks to a large one is cut off', limits, async (t) => {
  const bomb = gzipSync(Buffer.alloc(100 * 2 ** 20, ' '));
  /** @type {Handler} */
  const counts = (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb);
  };
  const { url } = await serverWith(t, { counts });
  const { message } = await failure(t, url);
  assert.ok(bomb.length < 2 ** 18);
  assert.match(message, /counts\.json is larger than 16777216 bytes$/);
});

test('a compressed answer is read, a broken one is a failure', limits, async (t) => {
  const packed = gzipSync(COUNTS);
  /** @type {(bytes: Buffer) => Handler} */
  const sending = (bytes) => (_, response) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes);
  const whole = await serverWith(t, { counts: sending(packed) });
  assert.equal(texts((await fetchData(whole.url, temporaryFolder(t))).data)[0], COUNTS);
  const broken = await serverWith(t, { counts: sending(packed.subarray(0, -12)) });
  await failure(t, broken.url);
});

test('an answer as large as the limit is read', limits, async (t) => {
  const { url } = await serverWith(t, { counts: COUNTS });
  const exact = Buffer.byteLength(COUNTS);
  assert.equal(texts((await fetchData(url, temporaryFolder(t), { limit: exact })).data)[0], COUNTS);
  await failure(t, url, { limit: exact - 1, fetch: withoutCondition });
});

/** @type {typeof globalThis.fetch} */
function withoutCondition(url, init) {
  return globalThis.fetch(url, { ...init, headers: {} });
}

/** @param {string} location */
const redirect = (location, status = 302) =>
  /** @type {Handler} */ ((_, response) => response.writeHead(status, { location }).end('elsewhere'));

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect is followed (${status}), to another path and to another server`, limits, async (t) => {
    const last = await serverWith(t, { counts: COUNTS });
    const first = await serverWith(t, {
      counts: redirect('/s/forms.json?part', status),
      forms: redirect(last.url, status),
    });
    const { data } = await fetchData(first.url, temporaryFolder(t), {
      // The siblings do not redirect
      fetch: (url, init) =>
        String(url).endsWith('/s/forms.json')
          ? Promise.resolve(new Response(null, { status: 404 }))
          : globalThis.fetch(url, init),
    });
    assert.equal(texts(data)[0], COUNTS);
    assert.equal(last.requests.length, 1);
  });
}

test('a circle of redirects ends soon', limits, async (t) => {
  const { url, requests } = await serverWith(t, { counts: redirect('counts.json') });
  assert.match((await failure(t, url)).message, /redirects again and again$/);
  assert.equal(requests.length, 6);
});

for (const location of [
  'http://blog.example/s/other.json',
  'ftp://blog.example/counts.json',
  'file:///etc/passwd',
  'data:application/json,{}',
  'https://me:hidden@blog.example/s/counts.json',
  'https://',
]) {
  test(`a redirect from https to ${location} is not followed`, limits, async (t) => {
    const { origin, requests } = await serverWith(t, { counts: redirect(location) });
    /** @type {typeof globalThis.fetch} as if the server spoke TLS */
    const fetch = (url, init) => globalThis.fetch(String(url).replace('https://blog.example', origin), init);
    const { message } = await failure(t, 'https://blog.example/s/counts.json', { fetch });
    assert.match(message, /not safe to follow$/);
    assert.ok(!message.includes('hidden'));
    assert.equal(requests.length, 1);
  });
}

for (const [what, url] of [
  ['no address', 'blog.example/counts.json'],
  ['a file', 'file:///var/lib/counts.json'],
  ['another protocol', 'ftp://blog.example/counts.json'],
  ['a password', 'https://me:hidden@blog.example/counts.json'],
  ['a name', 'https://hidden@blog.example/counts.json'],
  ['another file', 'https://blog.example/stacosys/'],
  ['nothing', ''],
]) {
  test(`an address is refused before anybody is asked: ${what}`, async (t) => {
    const { message, advice } = await failure(t, String(url), { fetch: () => assert.fail('it was asked') });
    assert.ok(!`${message}${advice}`.includes('hidden'));
  });
}

test('a local file that cannot be read is a failure', limits, async (t) => {
  if (process.getuid?.() === 0) return asRootOnly(t);
  const { url } = await serverWith(t, { counts: COUNTS });
  const site = siteOf(t);
  handOver(join(dataFolder(site), 'counts.json'), 0);
  await assert.rejects(fetchData(url, site), /Cannot read .*counts\.json: EACCES$/);
});

/** @param {import('node:test').TestContext} t whose user may read everything but as somebody else */
async function asRootOnly(t) {
  const { url } = await serverWith(t, { counts: COUNTS });
  const site = siteOf(t);
  handOver(join(dataFolder(site), 'counts.json'), 0);
  const fetched = asOrdinaryUser(() => fetchData(url, site)); // reads before it awaits
  await assert.rejects(fetched, /Cannot read .*counts\.json: EACCES$/);
}

/** @param {import('node:test').TestContext} t */
function siteOf(t) {
  const site = temporaryFolder(t);
  putData(site, { counts: Buffer.from(COUNTS), spellings: null, forms: null });
  return site;
}

const DEPLOY = fileURLToPath(new URL('../../hugo-module/deploy/', import.meta.url));

/** @param {string} name */
const workflow = (name) => parse(readFileSync(join(DEPLOY, name), 'utf8'));

/**
 * Checks that the lines of a script bake and then build, with words that our command line knows.
 *
 * @param {string[]} lines
 */
function bakesAndBuilds(lines) {
  const build = lines.indexOf('hugo --minify');
  const commands = lines.filter((line) => line.startsWith('npx stacosys-hook '));
  assert.ok(lines.includes('npm ci'));
  assert.equal(commands.length, 1);
  const [line = ''] = commands;
  assert.ok(lines.indexOf('npm ci') < lines.indexOf(line) && lines.indexOf(line) < build);
  const [, command = '', option = ''] = /^npx stacosys-hook (\w+) (--[a-z]+) "\$COUNTS"$/.exec(line) ?? [];
  const { status, stdout } = run(DEPLOY, [command, '--help']);
  assert.equal(status, 0);
  assert.match(stdout, new RegExp(`^ +${option} URL`, 'm'));
}

test('the workflow for GitHub bakes, builds and deploys with no more rights than it needs', () => {
  const { on, permissions, concurrency, jobs } = workflow('github-actions.yml');
  assert.deepEqual(Object.keys(on), ['repository_dispatch', 'push', 'workflow_dispatch']);
  assert.deepEqual(on.repository_dispatch, { types: ['stacosys-comments'] }); // the event of notifier.js
  assert.deepEqual(permissions, {});
  assert.deepEqual(jobs.build.permissions, { contents: 'read' });
  assert.deepEqual(jobs.deploy.permissions, { pages: 'write', 'id-token': 'write' });
  assert.equal(jobs.deploy.needs, 'build');
  assert.deepEqual(concurrency, { group: 'pages', 'cancel-in-progress': false });
  assert.match(jobs.build.env.COUNTS, /^https:\/\/.*\/counts\.json$/);
  const steps = [...jobs.build.steps, ...jobs.deploy.steps];
  for (const { uses, run: script } of steps) {
    if (uses) assert.match(uses, /^actions\/[a-z-]+@v\d+$/);
    if (script) assert.doesNotMatch(script, /\$\{\{/, 'others could write a part of this script');
  }
  bakesAndBuilds(steps.flatMap(({ run: script }) => script ?? []));
});

test('the job for GitLab bakes, builds and deploys when it is triggered', () => {
  const { stages, pages } = workflow('gitlab-ci.yml');
  assert.ok(stages.includes(pages.stage));
  assert.match(pages.rules[0].if, /trigger/);
  assert.match(pages.variables.COUNTS, /^https:\/\/.*\/counts\.json$/);
  assert.deepEqual(pages.artifacts.paths, ['public']);
  bakesAndBuilds([...pages.before_script, ...pages.script]);
});

test('the examples are in the folder that the README names', () => {
  for (const name of ['github-actions.yml', 'gitlab-ci.yml']) assert.ok(existsSync(join(DEPLOY, name)));
});
