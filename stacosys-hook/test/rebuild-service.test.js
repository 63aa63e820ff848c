import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { blog, moderateAnew } from './proof/blog.js';
import { startService } from './proof/service.js';
import { until } from './until.js';
import { edit, openElsewhere, temporaryFolder } from './database.js';
import { fakeHugo } from './fake-hugo.js';
import { hugoSite, writeFiles } from './hugo-site.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/**
 * @param {import('node:test').TestContext} t
 * @param {import('./proof/blog.js').Blog} ours
 * @param {Partial<import('./proof/service.js').ServiceOptions>} [options]
 */
async function serving(t, ours, { args = [], ...options } = {}) {
  const service = startService(t, ours, { command: 'serve', args: ['--port', '0', ...args], ...options });
  const { port } = await service.says('listens');
  const get = (/** @type {string} */ path) => fetch(`http://127.0.0.1:${port}${path}`);
  return { ...service, get, address: `http://127.0.0.1:${port}` };
}

/**
 * What a build hook elsewhere receives.
 *
 * @param {import('node:test').TestContext} t
 */
async function receiver(t) {
  /** @type {{headers: Record<string, string>, body: string}[]} */
  const received = [];
  let status = 204;
  const server = createServer(async (request, response) => {
    const headers = /** @type {Record<string, string>} */ (request.headers);
    received.push({ headers, body: await text(request) });
    response.writeHead(status).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/build-hook?token=hush`,
    received,
    answer: (/** @type {number} */ next) => (status = next),
  };
}

test('serve tells of itself: healthy, what it built, what changed', async (t) => {
  const ours = blog(t);
  const { get, says, stop } = await serving(t, ours);
  await says('published');
  assert.equal((await get('/healthz')).status, 200);
  moderateAnew(ours);
  await says('published', ({ cause }) => cause === 'database');
  const page = await (await get('/status')).text();
  assert.match(page, /\/a\/[\s\S]*2000 → 1999|\/a\/[\s\S]*2,000 → 1,999|\/a\/[\s\S]*2000[\s\S]*1999/);
  const metrics = await (await get('/metrics')).text();
  assert.match(metrics, /^stacosys_hook_builds_total\{result="published"\} 2$/m);
  assert.match(metrics, /^stacosys_hook_comments 2000$/m);
  assert.equal(await stop(), 0);
});

test('while the database cannot be read, healthz says so, and that it is well again', async (t) => {
  const ours = blog(t);
  const bytes = readFileSync(ours.database);
  const { get, says } = await serving(t, ours);
  await says('published');
  rmSync(ours.database);
  await says('database unreadable');
  const ill = await get('/healthz');
  assert.equal(ill.status, 503);
  assert.match(await ill.text(), /^The database cannot be read: There is no database /);
  writeFileSync(ours.database, bytes);
  await says('database readable again');
  await until('a healthy service', async () => (await get('/healthz')).status === 200);
});

test('a build that fails makes the service ill, and the next that succeeds well again', async (t) => {
  const ours = blog(t);
  const { get, says } = await serving(t, ours, { args: ['--content'] });
  await says('published');
  const home = join(ours.site, 'layouts', 'index.html');
  const good = readFileSync(home, 'utf8');
  writeFileSync(home, '{{ broken');
  const { error, advice } = await says('build failed', ({ cause }) => cause === 'content');
  assert.match(error, /^Hugo failed: /);
  assert.match(advice, /the live site is untouched/);
  const ill = await get('/healthz');
  assert.deepEqual([ill.status, /^The last build failed: /.test(await ill.text())], [503, true]);
  writeFileSync(home, good);
  await until('a healthy service', async () => (await get('/healthz')).status === 200);
});

test('a change of the site itself is built with --content, and not without', async (t) => {
  const ours = blog(t);
  const seeing = await serving(t, ours, { args: ['--content'] });
  await seeing.says('published');
  writeFiles(ours.site, { 'content/new.md': '---\ntitle: new\n---\n' });
  await seeing.says('published', ({ cause }) => cause === 'content');
  assert.ok(existsSync(join(ours.published, 'current', 'new', 'index.html')));
  await seeing.stop();
  const blind = await serving(t, ours);
  await blind.says('published');
  writeFiles(ours.site, { 'content/newer.md': '---\ntitle: newer\n---\n' });
  moderateAnew(ours);
  await blind.says('published', ({ cause }) => cause === 'database');
  assert.ok(!blind.log.some(({ cause }) => cause === 'content'));
});

test('while the database cannot be read, a change of the site is built from the last good data', async (t) => {
  const ours = blog(t);
  const first = await serving(t, ours);
  await first.says('published');
  await first.stop();
  rmSync(ours.database);
  const { says, get } = await serving(t, ours, { args: ['--content'] });
  await says('published', ({ cause }) => cause === 'start');
  await says('build failed');
  writeFiles(ours.site, { 'content/new.md': '---\ntitle: new\n---\n' });
  await until('the new page', () => existsSync(join(ours.published, 'current', 'new', 'index.html')));
  assert.equal((await get('/healthz')).status, 503);
});

test('comments that wait for their moderation do not repeat a build that fails', async (t) => {
  const ours = blog(t);
  const runs = join(temporaryFolder(t), 'runs');
  const hugo = fakeHugo(t, `echo x >> ${runs}; exit 1`);
  const { says, log } = await serving(t, ours, { hugo });
  for (let failures = 0; failures < 3; failures += 1) {
    await says('build failed', () => log.filter(({ event }) => event === 'build failed').length > failures);
  }
  const before = readFileSync(runs, 'utf8').length;
  const seen = log.length;
  for (let n = 0; n < 5; n += 1) {
    edit(ours.database, (database) =>
      database.exec(`INSERT INTO comment (url, created, author_name, author_site, content)
        VALUES ('/a/', '2024-01-01', 'Alice', '', 'Hello')`),
    );
  }
  await says('build failed', () => log.slice(seen).some(({ event }) => event === 'build failed'));
  assert.equal(readFileSync(runs, 'utf8').length, before + 2, 'the repetition alone');
});

test('while the outbox is locked, healthz says so', async (t) => {
  const ours = blog(t);
  const { url } = await receiver(t);
  const { get, says } = await serving(t, ours, { env: { STACOSYS_NOTIFY: url } });
  await says('published');
  const other = await openElsewhere(t, join(ours.site, '.stacosys', 'outbox.sqlite'));
  await other.exec('BEGIN EXCLUSIVE');
  const ill = await get('/healthz');
  assert.equal(ill.status, 503);
  assert.match(await ill.text(), /^Notifications cannot be sent: /);
  await other.exec('COMMIT');
  assert.equal((await get('/healthz')).status, 200);
});

test('others are told what changed, signed, and again until they answer', async (t) => {
  const ours = blog(t);
  const { url, received, answer } = await receiver(t);
  const env = { STACOSYS_NOTIFY: url, STACOSYS_NOTIFY_SECRET: SECRET };
  const first = await serving(t, ours, { env });
  await first.says('published');
  answer(500);
  moderateAnew(ours);
  await first.says('notification failed');
  await first.kill();
  assert.doesNotMatch(first.text(), /hush/);
  const before = received.length;
  answer(200);
  const second = await serving(t, ours, { env });
  await second.says('notified');
  const { headers, body } = received[before] ?? assert.fail('nothing came after the restart');
  const { type, data } = /** @type {any} */ (new Webhook(SECRET).verify(body, headers));
  assert.equal(type, 'comments.changed');
  assert.deepEqual(data, {
    changes: { '/a/': { from: 2000, to: 1999 }, '/c/': { from: 0, to: 1 } },
    changed: 2,
    truncated: false,
  });
});

test('a builder without a database is told by one that has it, and asks for the counts', async (t) => {
  const theirs = blog(t);
  const data = { ...theirs, site: temporaryFolder(t), published: temporaryFolder(t) };
  const env = { STACOSYS_NOTIFY_SECRET: SECRET, STACOSYS_WEBHOOK_SECRET: SECRET };
  // The one that has the database needs the address of the one that builds, which needs that of the first
  const { url, received } = await receiver(t);
  const origin = await serving(t, data, {
    args: ['--no-build'],
    env: { ...env, STACOSYS_NOTIFY: url },
  });
  await until('the first bake', async () => (await origin.get('/counts.json')).status === 200);
  const from = `${origin.address}/counts.json`;
  const builder = await serving(t, { ...theirs, database: '' }, { args: ['--from', from], env });
  await builder.shows('/a/=2000');
  const state = moderateAnew(theirs);
  const { headers, body } = await until('the notification', () => received[0]);
  const hook = `${builder.address}/hooks/rebuild`;
  assert.equal((await fetch(hook, { method: 'POST', headers: signatureOf(headers), body })).status, 202);
  assert.equal((await fetch(hook, { method: 'POST', headers: signatureOf(headers), body })).status, 409);
  await builder.shows(state);
  assert.ok(!existsSync(join(data.published, 'current')), 'the origin built nothing');
});

/** @param {Record<string, string>} headers */
function signatureOf(headers) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('webhook-')));
}

test('watch --no-publish builds in place', async (t) => {
  const ours = blog(t);
  const service = startService(t, ours, { args: ['--no-publish'] });
  await service.says('published');
  const state = moderateAnew(ours);
  await until('the new state in public/', () =>
    readFileSync(join(ours.site, 'public', 'index.html'), 'utf8').includes(state),
  );
  assert.ok(!existsSync(ours.published));
});

test('what could never work ends at once, and says what to do', async (t) => {
  const ours = blog(t);
  const { url } = await receiver(t);
  /** @type {[import('./proof/service.js').ServiceOptions, RegExp][]} */
  const cases = [
    [{ hugo: 'no-such-hugo' }, /There is no no-such-hugo on the PATH/],
    [{ command: 'serve', env: { STACOSYS_WEBHOOK_SECRET: 'short' } }, /./],
    [
      { command: 'serve', args: ['--port', new URL(url).port] },
      /Cannot listen on 127\.0\.0\.1, port \d+: EADDRINUSE/,
    ],
    [{ env: { STACOSYS_NOTIFY: 'no url' } }, /./],
  ];
  for (const [options, message] of cases) {
    const service = startService(t, ours, options);
    assert.equal(await service.ended, 1, service.text());
    assert.match(service.text(), message);
  }
  const noSite = hugoSite(t);
  rmSync(join(noSite, 'hugo.toml'));
  const service = startService(t, { ...ours, site: noSite });
  assert.equal(await service.ended, 1);
  assert.match(service.text(), /is no Hugo site/);
});

test('where comments are baked, an edited text is published too, and one at a time is rendered anew', async (t) => {
  const ours = blog(t);
  writeFiles(ours.site, { 'stacosys.toml': 'comments = true\n' });
  const folder = join(ours.site, 'assets/stacosys/comments');
  const { says, log, stop } = await serving(t, ours);
  await says('published');
  const before = new Map(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).ino]));
  const [named = ''] = before.keys();
  edit(ours.database, (database) =>
    database.exec(`UPDATE comment SET content = 'edited' WHERE published IS NOT NULL`),
  );
  await says('published', ({ cause }) => cause === 'database');
  assert.match(readFileSync(join(folder, named), 'utf8'), /<p>edited<\/p>/);
  assert.equal(log.filter(({ level }) => level === 'error').length, 0);
  moderateAnew(ours);
  const changes = await says('published', ({ keys }) => keys === '/a/ /c/');
  assert.equal(changes.changed, 2);
  assert.equal(await stop(), 0);
});

test('a file of comments that changes while Hugo reads it fails the build, and the next one puts it right', async (t) => {
  const ours = blog(t);
  writeFiles(ours.site, { 'stacosys.toml': 'comments = true\n' });
  const once_ = join(temporaryFolder(t), 'once');
  const spoil = `[ -e ${once_} ] || for f in assets/stacosys/comments/*.json; do echo > "$f"; touch ${once_}; done`;
  const hugo = fakeHugo(t, `${spoil}; mkdir -p "$destination"; echo x > "$destination/index.html"`);
  const { says, stop } = await serving(t, ours, { hugo });
  const failed = await says('build failed');
  assert.match(failed.error, /^Somebody else wrote into .+ while Hugo read it$/);
  await says('published');
  const folder = join(ours.site, 'assets/stacosys/comments');
  for (const name of readdirSync(folder)) assert.match(readFileSync(join(folder, name), 'utf8'), /\n\]\}\n$/);
  await stop();
});
