/*
 * npm run bench:bake: stacosys-hook bake against the sqlite3 CLI that runs
 * the same GROUP BY. Ends with exit code 1 when a target is missed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeDatabase } from '../stacosys-database.js';
import { readOptions } from '../read-options.js';
import { madeUpComments } from './comments.js';
import { inspect, interleave, wallTime } from './measure.js';
import { median, pairedMedian } from './statistics.js';
import { amount, printRow, spread } from './table.js';

/**
 * @typedef {object} Size
 * @property {number} comments
 * @property {number} articles
 * @property {number} rounds
 * @property {Target[]} targets
 *
 * @typedef {object} Measured
 * @property {Record<'cli' | 'node' | 'bake', number[]>} times milliseconds
 * @property {number} peakBytes the highest of bake's inspected runs
 * @property {number[]} lockTimes milliseconds
 *
 * @typedef {object} Target
 * @property {string} what
 * @property {string} unit
 * @property {number} limit
 * @property {(measured: Measured) => number} value
 */

const USAGE = `Usage: npm run bench:bake [-- OPTIONS]

Measures stacosys-hook bake against the sqlite3 command line, which runs the same query.
Exit code 1 when a target is missed.

  --quick  the two small sizes, fewer rounds
  --keep   keep the databases for the next run
  --help   show this help`;

const HOOK = fileURLToPath(new URL('../../stacosys-hook/bin.js', import.meta.url));
const QUERY = 'SELECT url, count(*) FROM comment WHERE published IS NOT NULL GROUP BY url';
const INSPECTED_RUNS = 5;
const QUICK_ROUNDS = 5;

const NAMES = { cli: 'sqlite3 CLI', node: 'node -e 0', bake: 'stacosys-hook bake' };

/** @type {Size[]} */
const SIZES = [
  { comments: 10_000, articles: 1_000, rounds: 15, targets: [overStartUp(20)] },
  { comments: 100_000, articles: 10_000, rounds: 25, targets: [overCli(1.6)] },
  { comments: 1_000_000, articles: 100_000, rounds: 9, targets: [overCli(1.15), memory(80)] },
];

/**
 * @param {number} limit
 * @returns {Target}
 */
function overCli(limit) {
  const value = (/** @type {Measured} */ { times }) =>
    pairedMedian(times.bake, times.cli, (ours, theirs) => ours / theirs);
  return { what: 'bake ÷ CLI', unit: '×', limit, value };
}

/**
 * What bake adds to the two things it cannot do without.
 *
 * @param {number} limit
 * @returns {Target}
 */
function overStartUp(limit) {
  const value = (/** @type {Measured} */ { times: { bake, node, cli } }) =>
    pairedMedian(
      bake,
      node.map((time, round) => time + (cli[round] ?? NaN)),
      (ours, theirs) => ours - theirs,
    );
  return { what: 'bake − (node + CLI)', unit: 'ms', limit, value };
}

/**
 * @param {number} limit
 * @returns {Target}
 */
function memory(limit) {
  return { what: 'peak RSS of bake', unit: 'MiB', limit, value: ({ peakBytes }) => peakBytes / 2 ** 20 };
}

function main() {
  const values = readOptions(USAGE, { quick: { type: 'boolean' }, keep: { type: 'boolean' } });
  if (spawnSync('sqlite3', ['-version']).error) {
    console.error('The sqlite3 command is missing');
    console.error('Install it: apt install sqlite3 (Debian, Ubuntu), brew install sqlite (macOS)');
    return 1;
  }
  const folder = join(tmpdir(), 'hugo-stacosys-bench');
  mkdirSync(folder, { recursive: true });
  try {
    printMethod();
    const sizes = values.quick ? SIZES.slice(0, 2) : SIZES;
    const verdicts = sizes.map((size) => {
      const measured = measure(size, folder, values.quick ? QUICK_ROUNDS : size.rounds);
      return report(size, measured);
    });
    return verdicts.every(Boolean) ? 0 : 1;
  } finally {
    if (!values.keep) rmSync(folder, { recursive: true });
  }
}

/**
 * @param {Size} size
 * @param {string} folder
 * @param {number} rounds
 * @returns {Measured}
 */
function measure(size, folder, rounds) {
  const database = prepare(size, folder);
  const site = join(folder, 'site');
  const data = join(site, 'data');
  const args = [HOOK, 'bake', '--db', database, '--source', site];
  mkdirSync(site, { recursive: true });
  writeFileSync(join(site, 'hugo.toml'), ''); // else bake warns that this is no Hugo site
  const times = interleave(
    {
      cli: () => wallTime('sqlite3', [database, QUERY]),
      node: () => wallTime(process.execPath, ['-e', '0']),
      bake: () => {
        rmSync(data, { recursive: true, force: true });
        return wallTime(process.execPath, args);
      },
    },
    rounds,
  );
  refuseWrongCounts(database, join(data, 'stacosys', 'counts.json'));
  const inspected = Array.from({ length: INSPECTED_RUNS }, () => {
    rmSync(data, { recursive: true, force: true });
    return inspect([...args, '--json'], join(folder, 'result.json'));
  });
  return {
    times,
    peakBytes: median(inspected.map(({ peakBytes }) => peakBytes)),
    lockTimes: inspected.map(({ output }) => JSON.parse(output).lockMilliseconds),
  };
}

/**
 * @param {Size} size
 * @param {string} folder
 * @returns {string} the database, made unless an earlier run kept it
 */
function prepare({ comments, articles }, folder) {
  const file = join(folder, `${comments}-${articles}.sqlite`);
  if (existsSync(file)) return file;
  const unfinished = `${file}.new`;
  rmSync(unfinished, { force: true });
  writeDatabase(unfinished, madeUpComments(comments, articles));
  renameSync(unfinished, file);
  return file;
}

/**
 * A fast wrong answer is worth nothing.
 *
 * @param {string} database
 * @param {string} file counts.json
 */
function refuseWrongCounts(database, file) {
  const { stdout } = spawnSync('sqlite3', [
    database,
    `SELECT sum(n) FROM (${QUERY.replace('count(*)', '$& n')})`,
  ]);
  /** @type {number[]} */
  const counts = Object.values(JSON.parse(readFileSync(file, 'utf8')));
  const ours = counts.reduce((sum, count) => sum + count, 0);
  if (ours !== Number(stdout)) throw new Error(`bake counts ${ours} comments, sqlite3 ${stdout}`);
}

function printMethod() {
  console.log(`Whole processes, warm cache, taking turns; the CLI runs ${QUERY}`);
  console.log('bake finds no data file, so it writes one. Ratios and differences: median over the rounds.');
}

/**
 * @param {Size} size
 * @param {Measured} measured
 * @returns {boolean} whether every target is met
 */
function report({ comments, articles, targets }, measured) {
  const { times, lockTimes, peakBytes } = measured;
  console.log(`\n${amount(comments)} comments, ${amount(articles)} articles, ${times.bake.length} rounds`);
  for (const [name, values] of Object.entries(times)) {
    row(NAMES[/** @type {keyof NAMES} */ (name)], spread(values, 'ms', 1));
  }
  row('read lock held', spread(lockTimes, 'ms', 1));
  row('peak RSS of bake', `${(peakBytes / 2 ** 20).toFixed(1)} MiB`);
  return targets
    .map(({ what, unit, limit, value }) => {
      const reached = value(measured);
      const isMet = reached <= limit;
      row(what, `${reached.toFixed(2)} ${unit}`, `target ≤ ${limit} ${unit}`, isMet ? 'ok' : 'MISSED');
      return isMet;
    })
    .every(Boolean);
}

/** @param {(string | undefined)[]} cells */
function row(...cells) {
  printRow([22, 32, 18, 0], cells);
}

process.exitCode = main();
