import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HUGO_VERSIONS, pinnedHugo } from '../../scripts/tools.js';
import { hugoVersion, isMissing, reasonOf, runHugo, warningsOf } from '../src/hugo.js';
import { failureIn, temporaryFolder } from './database.js';
import { fakeHugo, isAlive } from './fake-hugo.js';
import { until } from './until.js';

/**
 * @param {import('node:test').TestContext} t
 * @param {string} output of `hugo version`
 */
function program(t, output) {
  const file = join(temporaryFolder(t), 'hugo');
  writeFileSync(file, `#!/bin/sh\necho '${output}'\n`);
  chmodSync(file, 0o755);
  return file;
}

for (const version of HUGO_VERSIONS) {
  test(`Hugo ${version} says its version`, async () => {
    assert.equal(await hugoVersion(pinnedHugo(version)), version);
  });
}

test('every way in which a usable Hugo names its version is understood', async (t) => {
  for (const [output, version] of [
    [
      'hugo v0.111.3+extended linux/amd64 BuildDate=2023-03-16T08:41:31Z VendorInfo=debian:0.111.3-1',
      '0.111.3',
    ],
    ['hugo v0.168.0-0123456789abcdef+extended+withdeploy linux/arm64 BuildDate=2026', '0.168.0'],
    ['hugo v0.120.0-DEV linux/amd64', '0.120.0'],
    ['hugo v1.2.3 linux/amd64', '1.2.3'],
  ]) {
    assert.equal(await hugoVersion(program(t, String(output))), version);
  }
});

test('a Hugo that is too old is refused', async (t) => {
  const failure = await failureIn(hugoVersion(program(t, 'hugo v0.110.0-abc+extended linux/amd64')));
  assert.equal(failure.message, 'Hugo 0.110.0 is too old: the templates need 0.111');
});

test('a Hugo that is missing, and a program that is none, are told apart', async (t) => {
  const missing = await failureIn(hugoVersion('no-hugo-of-this-name'));
  assert.equal(missing.message, 'There is no no-hugo-of-this-name on the PATH');
  assert.ok(isMissing(missing));
  const folder = await failureIn(hugoVersion(temporaryFolder(t)));
  assert.match(folder.message, /^Cannot run \(EACCES\) \//);
  assert.ok(!isMissing(folder));
  const other = await failureIn(hugoVersion(program(t, 'I am a teapot')));
  assert.match(other.message, /does not say which Hugo it is$/);
});

test('a run that takes too long is ended with all its children', async (t) => {
  const pids = join(temporaryFolder(t), 'pids');
  const hugo = fakeHugo(t, `sleep 600 & echo $! $$ > ${pids}; wait`);
  const failure = await failureIn(runHugo(hugo, ['--minify'], { timeout: 500 }));
  assert.match(failure.message, /^hugo --minify was ended: it took longer than 0\.5 s$/);
  await allEnd(pids);
});

test('a run that is told to end is ended with all its children', async (t) => {
  const pids = join(temporaryFolder(t), 'pids');
  const hugo = fakeHugo(t, `sleep 600 & echo $! $$ > ${pids}; wait`);
  const stopping = new AbortController();
  const running = failureIn(runHugo(hugo, [], { signal: stopping.signal }));
  await until('the start of both', () => existsSync(pids) && readFileSync(pids, 'utf8').endsWith('\n'));
  stopping.abort();
  assert.equal((await running).message, 'The build was ended before it was complete');
  await allEnd(pids);
});

test('what Hugo leaves running ends with it, and keeps nobody waiting', async (t) => {
  const pids = join(temporaryFolder(t), 'pids');
  const hugo = fakeHugo(t, `sleep 600 & echo $! > ${pids}; echo done`);
  const { status, stdout } = await runHugo(hugo, []);
  assert.deepEqual([status, stdout], [0, 'done\n']);
  await allEnd(pids);
});

test('a program that left the process group of Hugo keeps nobody waiting', async (t) => {
  const pids = join(temporaryFolder(t), 'pids');
  const hugo = fakeHugo(
    t,
    `setsid sh -c 'echo $$ > ${pids}; sleep 600' & while [ ! -s ${pids} ]; do sleep 0.01; done`,
  );
  assert.equal((await runHugo(hugo, [])).status, 0);
  process.kill(Number(readFileSync(pids, 'utf8')), 'SIGKILL');
});

test('a run that is not wanted any more does not begin', async (t) => {
  const trace = join(temporaryFolder(t), 'trace');
  const hugo = fakeHugo(t, `touch ${trace}`);
  await failureIn(runHugo(hugo, [], { signal: AbortSignal.abort() }));
  assert.ok(!existsSync(trace));
});

test('of much output, the end is kept', async (t) => {
  const hugo = fakeHugo(t, 'yes 0123456789 | head -c 30000000; echo; echo the end; exit 3');
  const { status, stdout } = await runHugo(hugo, [], { output: 1000 });
  assert.equal(status, 3);
  assert.ok(stdout.endsWith('\nthe end\n'));
  assert.equal(stdout.length, 1000);
});

test('templates see no secret of ours', async (t) => {
  const names = ['STACOSYS_WEBHOOK_SECRET', 'CREDENTIALS_DIRECTORY'];
  for (const name of names) process.env[name] = 'hush';
  t.after(() => names.forEach((name) => delete process.env[name]));
  const { stdout } = await runHugo(fakeHugo(t, 'env'), []);
  assert.match(stdout, /^PATH=/m);
  assert.doesNotMatch(stdout, /hush/);
});

test('the reason is the line in which Hugo says it, fit for a terminal', () => {
  /** @type {(stderr: string, stdout?: string) => string} */
  const reason = (stderr, stdout = '') => reasonOf({ status: 1, stderr, stdout });
  assert.equal(reason('WARN odd\nERROR render of "page" failed\nmore'), 'ERROR render of "page" failed');
  assert.equal(reason('', 'Start building\nError: \u001b[31mred'), 'Error: \\u{1b}[31mred');
  assert.equal(reason('something else\n'), 'something else');
  const summary = 'Error: error building site: logged 1 error(s)';
  assert.equal(
    reason(`${summary}\n`, 'ERROR load is never: it must be "visible"\n'),
    'ERROR load is never: it must be "visible"',
  );
  assert.equal(reason(summary), summary);
  assert.equal(reason(''), 'exit 1');
  assert.equal(reason(`Error: ${'x'.repeat(100_000)}`).length, 501);
});

test('of the warnings, those of our templates are told, each once', () => {
  const stdout = 'WARN old thing\nWARN  hugo-stacosys: there is no params.stacosys.avatar\nstacosys\n';
  assert.deepEqual(warningsOf({ status: 0, stdout, stderr: stdout }), [
    'WARN  hugo-stacosys: there is no params.stacosys.avatar',
  ]);
});

/** @param {string} file holds process ids */
async function allEnd(file) {
  const pids = readFileSync(file, 'utf8').trim().split(/\s+/).map(Number);
  assert.ok(pids.length > 0 && pids.every((pid) => pid > 0));
  await until(`the end of ${pids}`, () => !pids.some(isAlive));
}
