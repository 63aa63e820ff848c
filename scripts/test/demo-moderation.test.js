import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { demoComments } from '../demo-comments.js';
import { demoServer } from '../demo-server.js';
import { databaseWith, listen, openTable, temporaryFolder } from './serving.js';

/**
 * @typedef {import('node:test').TestContext} TestContext
 * @typedef {import('../stacosys-database.js').Comment} Comment
 */

const HOSTILE = `</pre></textarea><script>alert(1)</script><img src=x onerror='alert(2)'>" & ' onfocus="alert(3)`;

/**
 * @param {Partial<Comment>} [changes]
 * @returns {Comment} one that waits
 */
function pending(changes) {
  const created = '2024-01-01 12:00:00';
  return { url: '/2024/a/', author: 'Ann', content: 'Hello', created, published: null, ...changes };
}

/**
 * The demo, with a made-up site and a rebuild that is only counted.
 *
 * @param {TestContext} t
 * @param {Comment[]} waiting
 * @param {() => Promise<unknown>} [rebuild]
 */
async function demo(t, waiting, rebuild = () => Promise.resolve()) {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, '2024', 'a'), { recursive: true });
  writeFileSync(join(folder, '2024', 'a', 'index.html'), 'the article');
  const comments = openTable(t, databaseWith(t, waiting));
  const calls = t.mock.fn(rebuild);
  const server = demoServer({ folder, comments, redirect: '/thanks/', rebuild: calls });
  return { origin: await listen(t, server), comments, rebuild: calls.mock };
}

/**
 * @param {string} origin
 * @param {Record<string, string>} fields
 * @param {Record<string, string>} [headers]
 */
function press(origin, fields, headers = { Origin: origin }) {
  const body = new URLSearchParams(fields);
  return fetch(`${origin}/moderation/`, { method: 'POST', body, headers, redirect: 'manual' });
}

/**
 * @param {string} origin
 * @param {string} id
 */
const publish = (origin, id) => press(origin, { id, action: 'publish' });

/**
 * @param {string} origin
 * @param {Response} response a redirection
 */
async function follow(origin, response) {
  assert.equal(response.status, 303);
  return (await fetch(new URL(String(response.headers.get('location')), origin))).text();
}

/**
 * @param {string} origin
 * @param {string} url
 * @returns {Promise<string[]>}
 */
async function listed(origin, url) {
  const { data } = /** @type {{data: {content: string}[]}} */ (
    await (await fetch(`${origin}/api/comments?url=${url}`)).json()
  );
  return data.map(({ content }) => content);
}

test('one address has the site, the API, the form and the moderation', async (t) => {
  const { origin, comments } = await demo(t, []);
  assert.equal(await (await fetch(`${origin}/2024/a/`)).text(), 'the article');
  assert.equal(await (await fetch(`${origin}/api/ping`)).text(), 'OK');
  const body = new URLSearchParams({ url: '/2024/a/', author: 'Bo', message: 'new' });
  const posted = await fetch(`${origin}/newcomment`, { method: 'POST', body, redirect: 'manual' });
  assert.equal(posted.headers.get('location'), '/thanks/');
  assert.equal(comments.pending().length, 1);
  assert.match(await (await fetch(`${origin}/moderation`)).text(), />\s*new</);
  for (const path of ['/newcomment/', '/web/admin', '/none/', '/api', '/moderation/x']) {
    assert.equal((await fetch(origin + path)).status, 404, path);
  }
});

test('what commenters wrote is text, in every place', async (t) => {
  const hostile = { url: HOSTILE, author: HOSTILE, site: HOSTILE, content: HOSTILE };
  const { origin } = await demo(t, [pending(hostile)]);
  const page = await (await fetch(`${origin}/moderation/`)).text();
  assert.equal(page.split('&lt;script&gt;alert(1)&lt;/script&gt;').length - 1, 4);
  assert.doesNotMatch(page, /<(?:script|img|textarea)|<[^>]*\son\w+\s*=/i);
  const answer = await follow(origin, await press(origin, { id: '1', action: 'reject' }));
  assert.match(answer, /The comment of &lt;\/pre&gt;/);
  assert.doesNotMatch(answer, /<script/);
});

test('no url of a comment leads away from the demo', async (t) => {
  const urls = [
    'javascript:alert(1)',
    '//evil.example/a/',
    'https://evil.example/a/',
    '/\\evil.example/',
    '\\\\evil.example/',
    '/\t/evil.example/',
    'data:text/html,<script>',
    ' ',
    '%2f%2fevil.example',
    '/..//evil.example/',
  ];
  const { origin } = await demo(
    t,
    urls.map((url) => pending({ url })),
  );
  const page = await (await fetch(`${origin}/moderation/`)).text();
  const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, link]) => new URL(String(link), origin).origin);
  assert.ok(links.length > 5);
  assert.deepEqual([...new Set(links)], [origin]);
});

test('the page has no script, one style that its policy names, and forms to itself', async (t) => {
  const { origin } = await demo(t, [pending()]);
  const response = await fetch(`${origin}/moderation/`);
  const policy = String(response.headers.get('content-security-policy'));
  const page = await response.text();
  const [, style = ''] = /<style>(.*)<\/style>/s.exec(page) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  assert.equal(
    policy,
    `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  );
  assert.doesNotMatch(page, /<script| style=/);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  // with no-referrer, browsers send "Origin: null" even to the page itself
  assert.equal(response.headers.get('referrer-policy'), 'same-origin');
});

test('a published comment is listed, the site is rebuilt before the answer, and the answer says so', async (t) => {
  const waiting = [pending(), pending({ content: 'other', url: '2024/a/?x=1' })];
  const { origin, rebuild } = await demo(t, waiting);
  assert.deepEqual(await listed(origin, '/2024/a/'), []);
  const response = await publish(origin, '1');
  assert.equal(rebuild.callCount(), 1);
  assert.deepEqual(await listed(origin, '/2024/a/'), ['Hello']);
  const page = await follow(origin, response);
  assert.match(page, /role="status"><p>Published\. The site was rebuilt in \d+\.\d s\.<\/p>/);
  assert.match(
    page,
    /<a href="\/2024\/a\/#comments">Read the article<\/a> or the <a href="\/">home page<\/a>/,
  );
  assert.match(page, /1 comment waits/);
  assert.doesNotMatch(page, /Hello/);
});

test('a rejected comment is gone, and the site stays as it is', async (t) => {
  const { origin, comments, rebuild } = await demo(t, [pending(), pending()]);
  const page = await follow(origin, await press(origin, { id: '1', action: 'reject' }));
  assert.match(page, /Rejected\. The comment of Ann was deleted\./);
  assert.deepEqual(
    comments.pending().map(({ id }) => id),
    [2],
  );
  assert.equal(rebuild.callCount(), 0);
  assert.match(await follow(origin, await publish(origin, '1')), /does not wait any more/);
  assert.equal(rebuild.callCount(), 0);
});

test('a POST from another site is refused, and so is a name that only points here', async (t) => {
  const { origin, comments } = await demo(t, [pending()]);
  const { port } = new URL(origin);
  const other = [
    'https://evil.example',
    'null',
    `http://localhost:${port}`,
    'http://127.0.0.1:1',
    `${origin}.evil.example`,
  ];
  for (const Origin of other) {
    assert.equal((await press(origin, { id: '1', action: 'publish' }, { Origin })).status, 403, Origin);
  }
  assert.equal((await press(origin, { id: '1', action: 'publish' }, {})).status, 403, 'no Origin');
  for (const method of ['GET', 'POST']) {
    const rebound = { Host: `evil.example:${port}`, Origin: `http://evil.example:${port}` };
    assert.equal(await statusOf(origin, method, rebound), 403);
    assert.equal(await statusOf(origin, method, { Host: rebound.Host, Origin: origin }), 403);
  }
  assert.equal(comments.pending().length, 1);
});

/**
 * As `fetch`, which does not let go of the Host.
 *
 * @param {string} origin
 * @param {string} method
 * @param {Record<string, string>} headers
 */
function statusOf(origin, method, headers) {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${origin}/moderation/`, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
    request.end(method === 'POST' ? 'id=1&action=publish' : undefined);
  });
}

test('what no button of the page sends changes nothing', async (t) => {
  const { origin, comments } = await demo(t, [pending()]);
  const strange = [
    {},
    { id: '1' },
    { id: '1', action: 'x' },
    { id: 'x', action: 'publish' },
    { id: '1'.repeat(2000) },
  ];
  for (const fields of strange) {
    assert.equal((await press(origin, /** @type {Record<string, string>} */ (fields))).status, 400);
  }
  assert.equal(
    (await fetch(`${origin}/moderation/`, { method: 'DELETE', headers: { Origin: origin } })).status,
    405,
  );
  assert.equal(comments.pending().length, 1);
  for (const outcome of ['0', '1', '-1', 'x', '1e9']) {
    const page = await (await fetch(`${origin}/moderation/?outcome=${outcome}`)).text();
    assert.doesNotMatch(page, /role="status"/);
  }
});

test('a rebuild that fails is shown, with what the command said', async (t) => {
  const { origin, rebuild } = await demo(t, [pending()], () => Promise.reject(new Error('hugo: <no> theme')));
  const page = await follow(origin, await publish(origin, '1'));
  assert.match(page, /Published\. The site could not be rebuilt:/);
  assert.match(page, /hugo: &lt;no&gt; theme/);
  assert.equal(rebuild.callCount(), 1);
  assert.deepEqual(await listed(origin, '/2024/a/'), ['Hello']);
});

test('the server answers during a rebuild, and rebuilds follow one another', async (t) => {
  /** @type {(() => void)[]} */
  const ends = [];
  let running = 0;
  const started = Promise.withResolvers();
  const { origin } = await demo(t, [pending(), pending()], async () => {
    assert.equal(++running, 1);
    await new Promise((resolve) => {
      ends.push(() => resolve(undefined));
      started.resolve(undefined);
    });
    running--;
  });
  const first = publish(origin, '1');
  await started.promise;
  const second = publish(origin, '2');
  while ((await listed(origin, '/2024/a/')).length < 2); // both are published, one rebuild runs
  assert.equal(ends.length, 1);
  ends[0]?.();
  assert.match(await follow(origin, await first), /rebuilt in/);
  while (ends.length < 2) await listed(origin, '/2024/a/');
  ends[1]?.();
  assert.match(await follow(origin, await second), /rebuilt in/);
});

test('the demo begins with three comments that wait', () => {
  const page = (/** @type {string} */ name) => ({
    key: `/2024/${name}/`,
    path: `en/notes/${name}.md`,
    aliases: [],
  });
  const comments = demoComments(['a', 'b', 'c', 'd', 'e'].map(page));
  assert.equal(comments.filter(({ published }) => published === null).length, 3);
});
