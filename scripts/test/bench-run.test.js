import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { checkResult } from '../bench/check-result.js';
import { conclusion } from '../bench/conclusion.js';
import { installNeeds } from '../bench/install-needs.js';
import { runInProcess } from '../bench/part-process.js';
import { resultText } from '../bench/result-text.js';
import { runParts } from '../bench/run-parts.js';
import { aboutTime, timeLeft } from '../bench/time-left.js';
import { PARTS } from './fixtures/bench-parts.js';

/**
 * @typedef {import('../bench/part.js').Part} Part
 * @typedef {import('../bench/part.js').Result} Result
 */

const FIXTURE = new URL('fixtures/bench-parts.js', import.meta.url).href;

/** @type {Result} */
const RESULT = { about: '', versions: {}, tables: [], charts: [], targets: [], skipped: [] };

/** Elsewhere there is no list of processes to look at. */
const onLinux = { skip: process.platform !== 'linux' };

const never = new AbortController().signal;

/**
 * @param {string} name
 * @param {{signal?: AbortSignal, seconds?: number, progress?: (step: string) => void}} [options]
 */
function runFixture(name, { signal = never, seconds = 60, progress = () => {} } = {}) {
  const given = { quick: true, full: false, hugo: 'hugo', progress };
  return runInProcess(FIXTURE, name, given, { signal, seconds });
}

/**
 * @param {string} name
 * @param {Partial<Part>} [rest]
 * @returns {Part}
 */
function part(name, rest = {}) {
  return { name, title: name, needs: [], seconds: () => 1, run: async () => RESULT, ...rest };
}

/**
 * @param {Part[]} parts
 * @param {Partial<import('../bench/run-parts.js').Ways>} [ways]
 */
function runHere(parts, ways = {}) {
  return runParts(parts, {
    install: async () => null,
    run: async ({ run }) => run({ quick: true, full: false, folder: '', hugo: '', progress: () => {} }),
    onStart: () => {},
    onEnd: () => {},
    signal: never,
    ...ways,
  });
}

/**
 * @param {number} pid
 * @returns {boolean} false also where it is over and only waits for its parent to take note
 */
function isRunning(pid) {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) && !/\) [ZX] /.test(readFileSync(file, 'utf8'));
}

test('a part that throws does not take the others with it', async () => {
  const outcomes = await runHere([
    part('one'),
    part('two', { run: () => Promise.reject(new Error('wrong counts')) }),
    part('three'),
  ]);
  assert.deepEqual(
    outcomes.map(({ part, result, error }) => [part.name, result === RESULT, error instanceof Error]),
    [
      ['one', true, false],
      ['two', false, true],
      ['three', true, false],
    ],
  );
});

test('a part whose needs cannot be had is skipped, and says why; nothing of it runs', async () => {
  const run = () => assert.fail('it ran');
  const outcomes = await runHere([part('one', { needs: ['moon'], run }), part('two', { needs: ['sun'] })], {
    install: async ([need]) => (need === 'moon' ? 'there is no moon' : null),
  });
  assert.deepEqual(
    outcomes.map(({ skipped, result }) => [skipped, Boolean(result)]),
    [
      ['there is no moon', false],
      [undefined, true],
    ],
  );
});

test('what setup.js cannot install is told with its own words', async () => {
  /** @type {string[]} */
  const said = [];
  const reason = await installNeeds(['a-tool-that-is-none'], never, (line) => said.push(line));
  assert.match(String(reason), /^a-tool-that-is-none could not be installed: There is no part "a-tool/);
  assert.equal(said.length, 1);
});

test('after Ctrl-C no further part starts', async () => {
  const stop = new AbortController();
  /** @type {string[]} */
  const started = [];
  const running = runHere([part('one'), part('two')], {
    signal: stop.signal,
    onStart: ({ name }) => started.push(name),
    onEnd: () => stop.abort(),
  });
  await assert.rejects(running, { name: 'AbortError' });
  assert.deepEqual(started, ['one']);
});

test('a part runs in a process and an empty folder of its own, of which nothing is left', async () => {
  /** @type {string[]} */
  const steps = [];
  const { about, targets } = await runFixture('good', { progress: (step) => steps.push(step) });
  const [, folder = ''] = /^Measured in (\S+), quickly\.$/.exec(about) ?? [];
  assert.notEqual(folder, '');
  assert.equal(existsSync(folder), false);
  assert.deepEqual([steps, targets[0]?.values], [['measuring'], [3, 1, 2]]);
});

test('the error of a part comes out of its process', async () => {
  await assert.rejects(runFixture('throwing'), { message: 'the counts are wrong' });
  await assert.rejects(runFixture('dying'), { message: 'Its process ended with 3' });
});

test('a process that does not start says why, and leaves no folder', async (t) => {
  const { execPath } = process;
  t.after(() => (process.execPath = execPath));
  const folders = () =>
    readdirSync(tmpdir()).filter((name) => name.startsWith('hugo-stacosys-bench-starts-not'));
  process.execPath = '/nowhere/node';
  await assert.rejects(runFixture('starts-not'), /ENOENT.*nowhere|nowhere.*ENOENT/);
  assert.deepEqual(folders(), []);
});

test('a process that a part leaves behind is ended, and named', onLinux, async () => {
  /** @type {string[]} */
  const steps = [];
  const { versions } = await runFixture('leaving', { progress: (step) => steps.push(step) });
  assert.equal(isRunning(Number(versions.pid)), false);
  assert.match(String(steps.at(-1)), /^ended what it left running: /);
});

test('Ctrl-C ends a part with all that it started', onLinux, async () => {
  const stop = new AbortController();
  /** @type {number[]} */
  let pids = [];
  const running = runFixture('hanging', {
    signal: stop.signal,
    progress: (step) => {
      pids = step.split(' ').slice(1).map(Number);
      stop.abort();
    },
  });
  await assert.rejects(running, { name: 'AbortError' });
  assert.equal(pids.length, 2);
  assert.deepEqual(pids.filter(isRunning), []);
});

test('a part that takes too long is ended', async () => {
  await assert.rejects(runFixture('hanging', { seconds: 0.1 + 0.2 }), { message: /^It took more than/ });
});

test('the time left is that of the parts to come and the rest of the one that runs', () => {
  assert.equal(timeLeft(PARTS, false, 0, 0), 500);
  assert.equal(timeLeft(PARTS, true, 0, 4), 46);
  assert.equal(timeLeft(PARTS, false, 3, 30), 170);
  assert.equal(timeLeft(PARTS, false, 4, 1000), 0, 'a part that is late takes no time of others');
  assert.deepEqual([4, 44, 90, 800].map(aboutTime), [
    'a few seconds',
    'about 40 seconds',
    'about 2 minutes',
    'about 13 minutes',
  ]);
});

test('a result that cannot be shown truly is refused', () => {
  const chart = {
    name: 'c',
    title: 'Chart',
    shape: /** @type {const} */ ('bars'),
    scale: /** @type {const} */ ('log'),
    better: /** @type {const} */ ('more'),
  };
  const table = { caption: 'Table', columns: ['a', 'b'] };
  checkResult(RESULT);
  /** @type {[Partial<Result>, RegExp][]} */
  const wrong = [
    [{ charts: [{ ...chart, points: [] }] }, /shows nothing/],
    [{ charts: [{ ...chart, points: [{ label: 'x', values: [1, NaN] }] }] }, /x: NaN is no measured value/],
    [{ charts: [{ ...chart, points: [{ label: 'x', values: [] }] }] }, /x has no value/],
    [{ charts: [{ ...chart, shape: 'lines', points: [{ label: 'x', values: [1] }] }] }, /no measured value/],
    [{ tables: [{ ...table, rows: [['1']] }] }, /rows of other lengths/],
    [{ tables: [{ ...table, rows: [] }] }, /or none/],
    [{ targets: [{ what: 't', unit: '', values: [1] }] }, /without a limit/],
    [{ targets: [{ what: 't', unit: '', values: [Infinity], most: 1 }] }, /Infinity/],
  ];
  for (const [part, message] of wrong) {
    assert.throws(() => checkResult({ ...RESULT, ...part }), message);
  }
});

test('the terminal says what is met, missed, skipped and failed', () => {
  const targets = [
    { what: 'fast', values: [1, 2, 9], unit: '×', least: 2 },
    { what: 'small', values: [81], unit: 'MiB', most: 80 },
  ];
  const tables = [{ caption: 'Sizes', columns: ['of', 'bytes'], rows: [['a page', '12']] }];
  assert.deepEqual(
    resultText({
      part: part('One'),
      seconds: 1,
      result: { ...RESULT, targets, tables, skipped: ['two: gone'] },
    }),
    [
      '',
      'One',
      '===',
      '',
      'Sizes',
      '  of       bytes',
      '  a page   12',
      '',
      '  fast    2 × (1 to 9)   target ≥ 2 ×      met',
      '  small   81 MiB         target ≤ 80 MiB   MISSED',
      '  skipped: two: gone',
    ],
  );
  assert.equal(resultText({ part: part('One'), seconds: 0, skipped: 'no moon' }).at(-1), 'SKIPPED: no moon');
  const failed = resultText({ part: part('One'), seconds: 0, error: new Error('wrong counts') });
  assert.match(failed.join('\n'), /FAILED, and measured nothing:\nError: wrong counts\n\s+at /);
});

test('a run ends with what failed, what was skipped and what was missed', () => {
  const target = { what: 'bake ÷ CLI', unit: '×', values: [1.7, 1.5, 1.9] };
  const good = { part: part('bake'), seconds: 1, result: { ...RESULT, targets: [{ ...target, most: 1.8 }] } };
  const slow = { part: part('hugo'), seconds: 1, result: { ...RESULT, targets: [{ ...target, most: 1.6 }] } };
  const failed = { part: part('readers'), seconds: 1, error: new Error('wrong counts') };
  const skipped = { part: part('rebuild'), seconds: 0, skipped: 'no Hugo' };
  assert.deepEqual(conclusion([good]), { lines: ['1 of 1 targets met.'], isGood: true });
  assert.deepEqual(conclusion([good, slow, failed, skipped]), {
    lines: [
      'Failed: readers.',
      'Skipped: rebuild.',
      'Missed: bake ÷ CLI: 1.7 × (1.5 to 1.9), target ≤ 1.6 ×.',
      '1 of 2 targets met.',
    ],
    isGood: false,
  });
  assert.equal(conclusion([good, skipped]).isGood, true, 'what cannot be had is said, and is no fault');
  assert.equal(conclusion([good, failed]).isGood, false);
  assert.deepEqual(conclusion([skipped]), {
    lines: ['Skipped: rebuild.', 'Nothing was measured.'],
    isGood: false,
  });
});
