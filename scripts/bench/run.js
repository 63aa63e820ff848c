/*
 * npm run bench [-- PART …] [-- --quick]: measures the parts, prints what came out, and writes BENCHMARKS.md
 * with its charts. Exit code 1 where a part failed, a target was missed, or nothing could be measured.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { readCommandLine, refuse } from '../read-options.js';
import { HUGO_LATEST, ROOT, pinnedHugo, usableHugo } from '../tools.js';
import { conclusion } from './conclusion.js';
import { installNeeds } from './install-needs.js';
import { currentLoad, machine } from './machine.js';
import { runInProcess } from './part-process.js';
import { PARTS } from './parts.js';
import { progressLine } from './progress-line.js';
import { readRecords, writeRecord } from './records.js';
import { resultText } from './result-text.js';
import { runParts } from './run-parts.js';
import { aboutTime, timeLeft } from './time-left.js';
import { writeReport } from './write-report.js';

/**
 * @typedef {import('./part.js').Part} Part
 * @typedef {import('./run-parts.js').Outcome} Outcome
 * @typedef {{quick: boolean, full: boolean}} Extent
 */

const USAGE = `Usage: npm run bench [-- [PART …] [OPTIONS]]

Measures, prints, and writes BENCHMARKS.md. Without a part named: all of them, ${aboutTime(timeLeft(PARTS, false, 0, 0))}.
Exit code 1 when a part failed, a target is missed, or nothing could be measured.

${PARTS.map(({ name, title }) => `  ${name.padEnd(12)}${title}`).join('\n')}

  --quick     fewer rounds, smaller sizes, ${aboutTime(timeLeft(PARTS, true, 0, 0))}; writes nothing
  --full      all rounds and sizes, however long they take
  --write     write also what a quick run measured
  --no-write  write nothing
  --report    measure nothing: write BENCHMARKS.md again from what was measured last
  --help      show this help`;

const OPTIONS = /** @type {const} */ ({
  quick: { type: 'boolean' },
  full: { type: 'boolean' },
  write: { type: 'boolean' },
  'no-write': { type: 'boolean' },
  report: { type: 'boolean' },
});

const RESULTS = join(ROOT, 'scripts', 'bench', 'results');

/** Of the cores: what runs anyway on a machine at rest is less. */
const BUSY = 0.5;

/** Times what a part says that it takes, and some for a slow machine: nothing runs for ever. */
const PATIENCE = 6;
const PATIENCE_AT_LEAST = 300; // seconds

async function main() {
  const { values, positionals } = readCommandLine(USAGE, OPTIONS);
  const parts = chosen(positionals);
  const extent = { quick: values.quick ?? false, full: values.full ?? false };
  refuseLostOptions();
  if (values.report) {
    await writeReport(ROOT, readRecords(RESULTS, PARTS));
    console.log('BENCHMARKS.md is written.');
    return 0;
  }
  const run = { at: new Date().toISOString(), load: currentLoad() };
  warnIfBusy(Number(run.load));
  const outcomes = await measure(parts, extent, stopSignal());
  const isWanted = values.write || !(values['no-write'] || extent.quick);
  const isWritten = isWanted && outcomes.some(({ result, skipped }) => result ?? skipped);
  if (isWritten) await write(outcomes, run, extent);
  const { lines, isGood } = conclusion(outcomes);
  console.log(['', ...lines, `BENCHMARKS.md is ${isWritten ? 'written' : 'as it was'}.`].join('\n'));
  return isGood ? 0 : 1;
}

/**
 * @param {string[]} names
 * @returns {Part[]}
 */
function chosen(names) {
  const unknown = names.find((name) => !PARTS.some((part) => part.name === name));
  if (unknown !== undefined) refuse(`There is no part "${unknown}"`, USAGE);
  return PARTS.filter(({ name }) => names.length === 0 || names.includes(name));
}

/** npm takes an option that is not behind `--` for its own: the run would be another than was asked for. */
function refuseLostOptions() {
  // Of --no-write it makes an empty "write"
  const lost = Object.keys(OPTIONS).find((name) => `npm_config_${name}` in process.env);
  if (lost === undefined) return;
  refuse('npm kept an option for itself: write it behind --, npm run bench -- --quick', USAGE);
}

/** @param {number} load processes that want to run */
function warnIfBusy(load) {
  const cores = availableParallelism();
  if (load <= BUSY * cores) return;
  const found = `${load} processes wanted to run in the last minute, on ${cores} cores`;
  console.error(`This machine is busy (${found}): the times will be long, and wander.`);
}

/** @returns {AbortSignal} of Ctrl-C */
function stopSignal() {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      console.error('\nEnds what runs, and removes what it wrote …');
      stop.abort();
    });
  }
  return stop.signal;
}

/**
 * @param {Part[]} parts
 * @param {Extent} extent
 * @param {AbortSignal} signal
 * @returns {Promise<Outcome[]>}
 */
function measure(parts, extent, signal) {
  const line = progressLine(process.stderr);
  const running = { done: 0, since: performance.now() };
  const say = (/** @type {string} */ step) => {
    const spent = (performance.now() - running.since) / 1000;
    line.say(step, timeLeft(parts, extent.quick, running.done, spent));
  };
  return runParts(parts, {
    signal,
    install: (needs) => installNeeds(needs, signal, say),
    run: (part) => {
      running.since = performance.now();
      const progress = (/** @type {string} */ step) => say(`${part.name}: ${step}`);
      const given = { ...extent, hugo: currentHugo(), progress };
      return runInProcess(new URL('parts.js', import.meta.url).href, part.name, given, {
        signal,
        seconds: limitOf(part, extent),
      });
    },
    onStart: (part, done) => {
      Object.assign(running, { done, since: performance.now() });
      say(`${part.name}: what it needs`);
    },
    onEnd: (outcome) => {
      line.clear();
      for (const text of resultText(outcome)) console.log(text);
    },
  });
}

/**
 * @param {Part} part
 * @param {Extent} extent
 */
function limitOf(part, { quick, full }) {
  return Math.max(PATIENCE_AT_LEAST, PATIENCE * part.seconds(quick)) * (full ? PATIENCE : 1);
}

/** A current Hugo, as who builds a blog today has: not what a distribution froze years ago. */
function currentHugo() {
  const pinned = pinnedHugo(HUGO_LATEST);
  return process.env.HUGO_BIN ?? (existsSync(pinned) ? pinned : (usableHugo() ?? 'hugo'));
}

/**
 * A part that failed leaves its section as it was.
 *
 * @param {Outcome[]} outcomes
 * @param {{at: string, load: string}} run
 * @param {Extent} extent
 */
async function write(outcomes, run, extent) {
  const options = [...(extent.quick ? ['--quick'] : []), ...(extent.full ? ['--full'] : [])];
  const here = machine(currentHugo(), run.load);
  const before = readRecords(RESULTS, PARTS);
  for (const { part, seconds, result, skipped } of outcomes) {
    const { name, title } = part;
    if (result) {
      writeRecord(RESULTS, {
        name,
        title,
        measured: { run: run.at, options, seconds, machine: here, result },
      });
    } else if (skipped !== undefined) {
      const measured = before.find((record) => record.name === name)?.measured ?? null;
      writeRecord(RESULTS, { name, title, measured, skipped });
    }
  }
  await writeReport(ROOT, readRecords(RESULTS, PARTS));
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
  console.error('\nStopped: nothing is written.');
  process.exitCode = 130;
}
