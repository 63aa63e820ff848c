/*
 * Part "bake" of npm run bench: stacosys-hook bake against the sqlite3 CLI that runs the same GROUP BY.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeDatabase } from '../stacosys-database.js';
import { QUERY, bakeResult } from './bake-result.js';
import { madeUpComments } from './comments.js';
import { multiplyComments } from './multiply-comments.js';
import { inspect, interleave, wallTime } from './measure.js';
import { refuseWrongCounts } from './refuse-wrong-counts.js';

/**
 * @typedef {object} Size
 * @property {number} comments
 * @property {number} articles
 * @property {number} rounds
 * @property {number} inspected runs for memory and lock, whose time does not count
 * @property {number} [copies] of the comments of the size before: quicker than as many made-up ones
 *
 * @typedef {object} Inspected of one run
 * @property {number} peakBytes
 * @property {number} lock milliseconds for which it reads the database, which nobody can write meanwhile
 *
 * @typedef {object} Measured
 * @property {Size} size
 * @property {Record<'cli' | 'node' | 'bake', number[]>} times milliseconds, one of each a round
 * @property {Record<'cli' | 'bake', Inspected[]>} inspected
 */

const HOOK = fileURLToPath(new URL('../../stacosys-hook/bin.js', import.meta.url));

/** @type {Size[]} */
const SIZES = [
  { comments: 10_000, articles: 1_000, rounds: 15, inspected: 5 },
  { comments: 100_000, articles: 10_000, rounds: 15, inspected: 5 },
  { comments: 1_000_000, articles: 100_000, rounds: 7, inspected: 5 },
  { comments: 10_000_000, articles: 1_000_000, rounds: 1, inspected: 1, copies: 10 },
];
const QUICK_ROUNDS = 5;
const QUICK_SIZES = 2;

/** What the largest size wants of the disk, its sorting included. */
const DISK = 10 * 2 ** 30; // bytes

/** @type {import('./part.js').Part} */
export const bake = {
  name: 'bake',
  title: 'Bake',
  needs: ['sqlite'],
  seconds: (quick) => (quick ? 12 : 110),
  run: async ({ quick, folder, progress }) => {
    const { bavail, bsize } = statfsSync(folder);
    const isRoomy = bavail * bsize >= DISK;
    const sizes = (quick ? SIZES.slice(0, QUICK_SIZES) : SIZES).filter(({ copies }) => !copies || isRoomy);
    const measured = [];
    for (const size of sizes) {
      const rounds = quick ? QUICK_ROUNDS : size.rounds;
      measured.push(measure({ ...size, rounds }, folder, progress));
    }
    return bakeResult(measured, skippedSizes(quick, isRoomy));
  },
};

/**
 * @param {boolean} quick
 * @param {boolean} isRoomy
 */
function skippedSizes(quick, isRoomy) {
  if (quick) return ['1,000,000 and 10,000,000 comments: not in a quick run'];
  return isRoomy ? [] : [`10,000,000 comments: they want ${DISK / 2 ** 30} GiB of disk`];
}

/**
 * @param {Size} size
 * @param {string} folder
 * @param {(step: string) => void} progress
 * @returns {Measured}
 */
function measure(size, folder, progress) {
  const amount = `${size.comments.toLocaleString('en')} comments`;
  progress(`a database of ${amount}`);
  const database = prepare(size, folder);
  progress(`${amount}, ${size.rounds} ${size.rounds === 1 ? 'round' : 'rounds'}`);
  const site = join(folder, 'site');
  const data = join(site, 'data');
  const args = [HOOK, 'bake', '--db', database, '--source', site];
  mkdirSync(site, { recursive: true });
  writeFileSync(join(site, 'hugo.toml'), ''); // else bake warns that this is no Hugo site
  const anew = () => rmSync(data, { recursive: true, force: true });
  const times = interleave(
    {
      cli: () => wallTime('sqlite3', [database, QUERY]),
      node: () => wallTime(process.execPath, ['-e', '0']),
      bake: () => (anew(), wallTime(process.execPath, args)),
    },
    size.rounds,
    size.rounds === 1 ? 0 : 1,
  );
  refuseWrongCounts(join(data, 'stacosys', 'counts.json'), publishedIn(database));
  progress(`${amount}, memory and lock`);
  const runs = Array.from({ length: size.inspected }, () => ({
    cli: inspectCli(database),
    bake: (anew(), inspectBake(args, join(folder, 'result.json'))),
  }));
  return {
    size,
    times,
    inspected: { cli: runs.map(({ cli }) => cli), bake: runs.map(({ bake }) => bake) },
  };
}

/**
 * Only the largest one needs that of the size before: all others go, for the disk.
 *
 * @param {Size} size
 * @param {string} folder
 * @returns {string}
 */
function prepare({ comments, articles, copies }, folder) {
  const file = join(folder, 'comments.sqlite');
  if (copies) {
    multiplyComments(file, copies);
  } else {
    rmSync(file, { force: true });
    writeDatabase(file, madeUpComments(comments, articles));
  }
  return file;
}

/**
 * @param {string[]} args
 * @param {string} file
 * @returns {Inspected}
 */
function inspectBake(args, file) {
  const { output, peakBytes } = inspect([...args, '--json'], file);
  return { peakBytes, lock: JSON.parse(output).lockMilliseconds };
}

/**
 * The CLI tells both itself: its memory through the shell that it starts, whose parent it is.
 *
 * @param {string} database
 * @returns {Inspected}
 */
function inspectCli(database) {
  const input = [
    '.output /dev/null',
    '.timer on',
    `${QUERY};`,
    '.output stdout',
    '.system cat /proc/$PPID/status',
  ];
  const output = execFileSync('sqlite3', [database], { input: input.join('\n'), encoding: 'utf8' });
  const [, seconds] = /Run Time: real (\S+)/.exec(output) ?? [];
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(output) ?? [];
  if (seconds === undefined) throw new Error(`sqlite3 does not tell its time: ${output}`);
  return { peakBytes: Number(kilobytes) * 1024, lock: Number(seconds) * 1000 };
}

/**
 * @param {string} database
 * @returns {number} comments, as the CLI counts them
 */
function publishedIn(database) {
  const query = 'SELECT count(*) FROM comment WHERE published IS NOT NULL';
  return Number(execFileSync('sqlite3', [database, query], { encoding: 'utf8' }));
}
