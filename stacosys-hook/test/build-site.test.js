import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildSite } from '../src/build-site.js';
import { BIN } from './command-line.js';
import { comments, databaseWith, failureIn, temporaryFolder } from './database.js';
import { fakeHugo, isAlive } from './fake-hugo.js';
import { hugoSite } from './hugo-site.js';
import { until } from './until.js';

const DATA = { counts: Buffer.from('{\n  "/a/": 3\n}\n'), spellings: null, forms: null };
const SITE = 'mkdir -p "$destination"; echo x > "$destination/index.html"';

/**
 * @param {import('node:test').TestContext} t
 * @param {string} script
 */
function optionsFor(t, script) {
  const publishTo = join(temporaryFolder(t), 'www');
  const limits = { hugoArgs: [], hugoTimeout: 60_000, keep: 5, force: false };
  return { site: hugoSite(t), hugo: fakeHugo(t, script), publishTo, ...limits };
}

test('two builds that publish to one folder take turns, also those of two copies of the site', async (t) => {
  const trace = join(temporaryFolder(t), 'trace');
  // Whoever finds the other one at work tells it
  const options = optionsFor(t, `${SITE}; mkdir ${trace} || exit 1; sleep 0.3; rmdir ${trace}`);
  const copy = { ...options, site: hugoSite(t) };
  const built = await Promise.all([options, options, copy].map((one) => buildSite(one, 'publish', DATA)));
  assert.equal(new Set(built.map((one) => 'release' in one && one.release)).size, 3);
});

test('data that somebody else wrote while Hugo read them are not published, but put right', async (t) => {
  for (const mode of /** @type {const} */ (['publish', 'in place'])) {
    const options = optionsFor(t, `${SITE}; echo '{}' > data/stacosys/counts.json`);
    const failure = await failureIn(buildSite(options, mode, DATA));
    assert.match(failure.message, /^Somebody else wrote the data of /);
    assert.ok(!existsSync(join(options.publishTo, 'current')));
    assert.deepEqual(readFileSync(join(options.site, 'data/stacosys/counts.json')), DATA.counts);
  }
});

for (const args of [[], ['--no-publish']]) {
  test(`what a killed service left running ends before the next build ${args}`, async (t) => {
    const site = hugoSite(t);
    const db = databaseWith(t, comments('/a/', 1));
    const folder = temporaryFolder(t);
    const pids = join(folder, 'pids');
    const hangs = join(folder, 'hangs');
    writeFileSync(hangs, '');
    const hugo = fakeHugo(t, `if [ -e ${hangs} ]; then sleep 600 & echo $! $$ > ${pids}; wait; fi; ${SITE}`);
    const options = ['--source', site, '--db', db, '--hugo', hugo, ...args];
    const first = spawn(process.execPath, [BIN, 'watch', ...options], { stdio: 'ignore' });
    await until('a Hugo that hangs', () => existsSync(pids) && readFileSync(pids, 'utf8').endsWith('\n'));
    first.kill('SIGKILL');
    await once(first, 'exit');
    const orphans = readFileSync(pids, 'utf8').trim().split(' ').map(Number);
    assert.ok(orphans.every(isAlive));
    rmSync(hangs);
    const second = spawn(process.execPath, [BIN, 'build', ...options], { stdio: 'ignore' });
    await once(second, 'exit');
    await until(`the end of ${orphans}`, () => !orphans.some(isAlive));
  });
}

test('a build that is interrupted ends its Hugo, publishes nothing and says so', async (t) => {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    const site = hugoSite(t);
    const db = databaseWith(t, comments('/a/', 1));
    const pids = join(temporaryFolder(t), 'pids');
    const hugo = fakeHugo(t, `${SITE}; echo $$ > ${pids}; sleep 600`);
    const build = spawn(process.execPath, [BIN, 'build', '--source', site, '--db', db, '--hugo', hugo], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    build.stderr.on('data', (chunk) => (stderr += chunk));
    await until('Hugo', () => existsSync(pids) && readFileSync(pids, 'utf8').endsWith('\n'));
    build.kill(signal);
    const [code] = await once(build, 'close');
    assert.deepEqual([code, stderr.split('\n')[0]], [1, 'The build was ended before it was complete']);
    await until('the end of Hugo', () => !isAlive(Number(readFileSync(pids, 'utf8'))));
    assert.ok(!existsSync(join(site, 'published', 'current')));
  }
});

test('a second signal ends a service at once, and its Hugo with it', async (t) => {
  const site = hugoSite(t);
  const db = databaseWith(t, comments('/a/', 1));
  const pids = join(temporaryFolder(t), 'pids');
  const hugo = fakeHugo(t, `echo $$ > ${pids}; sleep 600`);
  const watch = spawn(process.execPath, [BIN, 'watch', '--source', site, '--db', db, '--hugo', hugo], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.after(() => watch.kill('SIGKILL'));
  let stderr = '';
  watch.stderr.on('data', (chunk) => (stderr += chunk));
  await until('Hugo', () => existsSync(pids) && readFileSync(pids, 'utf8').endsWith('\n'));
  watch.kill('SIGTERM');
  await until('the first signal', () => stderr.includes('stops'));
  watch.kill('SIGTERM');
  const [code] = await once(watch, 'exit');
  assert.equal(code, 1);
  await until('the end of Hugo', () => !isAlive(Number(readFileSync(pids, 'utf8'))));
});

test('a service whose log nobody reads any more goes on', async (t) => {
  const site = hugoSite(t);
  const db = databaseWith(t, comments('/a/', 1));
  const built = join(temporaryFolder(t), 'built');
  const hugo = fakeHugo(t, `${SITE}; echo x >> ${built}`);
  const watch = spawn(
    process.execPath,
    [BIN, 'watch', '--content', '--source', site, '--db', db, '--hugo', hugo],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  t.after(() => watch.kill('SIGKILL'));
  await once(watch.stderr, 'data');
  watch.stderr.destroy();
  const builds = () => (existsSync(built) ? readFileSync(built, 'utf8').length : 0);
  await until('the first build', () => builds() > 0);
  for (const text of ['title = "b"', 'title = "c"']) {
    const before = builds();
    writeFileSync(join(site, 'hugo.toml'), text);
    await until('another build', () => builds() > before);
  }
  assert.equal(watch.exitCode, null);
});

for (const [limit, isLive] of /** @type {const} */ ([
  ['60', true],
  ['0', false],
])) {
  test(`told to stop with ${limit} s left, a service ${isLive ? 'lets its build end' : 'ends its build unpublished'}`, async (t) => {
    const site = hugoSite(t);
    const db = databaseWith(t, comments('/a/', 1));
    const folder = temporaryFolder(t);
    const [begun, goOn] = ['begun', 'go-on'].map((name) => join(folder, name));
    const hugo = fakeHugo(t, `${SITE}; echo $$ > ${begun}; while [ ! -e ${goOn} ]; do sleep 0.02; done`);
    const options = ['--source', site, '--db', db, '--hugo', hugo, '--stop-timeout', limit];
    const watch = spawn(process.execPath, [BIN, 'watch', ...options], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    t.after(() => watch.kill('SIGKILL'));
    let log = '';
    watch.stderr.on('data', (chunk) => (log += chunk));
    await until(
      'a build',
      () => existsSync(String(begun)) && readFileSync(String(begun), 'utf8').endsWith('\n'),
    );
    watch.kill('SIGTERM');
    await until('the signal', () => log.includes('stops'));
    if (isLive) writeFileSync(String(goOn), '');
    const [code] = await once(watch, 'exit');
    assert.equal(code, 0, log);
    assert.equal(existsSync(join(site, 'published', 'current')), isLive, log);
    await until('the end of Hugo', () => !isAlive(Number(readFileSync(String(begun), 'utf8'))));
  });
}
