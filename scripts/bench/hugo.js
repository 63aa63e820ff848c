/*
 * npm run bench:hugo [-- --quick] [-- --pages N] [-- --hugo FILE]: what the counts cost a build of Hugo, in time and
 * memory, against the same site without them. Ends with exit code 1 when a target is missed.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../read-options.js';
import { hugoVersion, usableHugo } from '../tools.js';
import { generateSite } from './generated-site.js';
import { wallTime } from './measure.js';
import { writeVariants } from './site-variants.js';
import { median } from './statistics.js';
import { printRow, spread } from './table.js';
import { watchedRun } from './watched-run.js';

/**
 * @typedef {import('./site-variants.js').Variant} Variant
 * @typedef {import('./watched-run.js').Run} Run
 * @typedef {{pages: number, rounds: number}} Size
 */

const HOOK = fileURLToPath(new URL('../../stacosys-hook/bin.js', import.meta.url));

/** @type {Size[]} */
const SIZES = [
  { pages: 10_000, rounds: 7 },
  { pages: 50_000, rounds: 3 },
];
const QUICK = [{ pages: 2000, rounds: 7 }];

const USAGE = `npm run bench:hugo [-- --quick] [-- --pages N] [-- --hugo FILE]

Builds a site of 10,000 and one of 50,000 pages with counts and without.

  --quick      2,000 pages
  --pages N    another number of them
  --hugo FILE  the binary`;

const OPTIONS = /** @type {const} */ ({
  quick: { type: 'boolean' },
  pages: { type: 'string' },
  hugo: { type: 'string' },
});

const PAGES_PER_LIST = 20; // of generateSite

const TIME_LIMIT = 1.05; // times the build without counts
const MEMORY_LIMIT = 1.1;

async function main() {
  const values = readOptions(USAGE, OPTIONS);
  const hugo = values.hugo ?? usableHugo();
  if (hugo === null) {
    console.error('There is no Hugo that can build the site');
    console.error('Install one: node scripts/setup.js hugo');
    return 1;
  }
  const folder = join(tmpdir(), 'hugo-stacosys-bench-hugo');
  try {
    printMethod(hugo);
    const verdicts = [];
    for (const size of sizesFor(values)) {
      verdicts.push(report(size, await measure(size, hugo, join(folder, String(size.pages)))));
    }
    return verdicts.every(Boolean) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {{quick?: boolean, pages?: string}} values
 * @returns {Size[]}
 */
function sizesFor({ quick, pages }) {
  if (pages) return [{ pages: Number(pages), rounds: 5 }];
  return quick ? QUICK : SIZES;
}

/**
 * @param {Size} size
 * @param {string} hugo
 * @param {string} folder
 * @returns {Promise<Record<Variant, Run[]>>} one of each a round; a first round warms the caches
 */
async function measure({ pages, rounds }, hugo, folder) {
  const site = generateSite(folder, pages);
  wallTime(process.execPath, [HOOK, 'bake', '--quiet', '--db', site.database, '--source', site.folder]);
  const variants = writeVariants(site.folder);
  /** @type {Record<Variant, Run[]>} */
  const runs = { bare: [], counts: [], comments: [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of inTurn(round)) {
      const run = await buildOnce(hugo, variants[name], join(folder, 'public'));
      if (round > 0) runs[name].push(run);
      else refuseWrongPage(name, join(folder, 'public'));
    }
  }
  rmSync(folder, { recursive: true });
  return runs;
}

/**
 * Nobody always comes after the same other one.
 *
 * @param {number} round
 * @returns {Variant[]}
 */
function inTurn(round) {
  return round % 2 === 0 ? ['bare', 'counts', 'comments'] : ['counts', 'bare', 'comments'];
}

/**
 * @param {string} hugo
 * @param {string[]} args
 * @param {string} output
 */
async function buildOnce(hugo, args, output) {
  rmSync(output, { recursive: true, force: true });
  spawnSync('sync'); // nobody is to pay for the files of another
  return watchedRun(hugo, [...args, '--destination', output]);
}

/**
 * A fast build of another site is worth nothing.
 *
 * @param {Variant} name
 * @param {string} output
 */
function refuseWrongPage(name, output) {
  const list = readFileSync(join(output, 'posts', 'index.html'), 'utf8');
  const article = readFileSync(join(output, 'posts', 'article-0', 'index.html'), 'utf8');
  const shown = { bare: 0, counts: 1, comments: 1 }[name];
  const found = [list, article].map((html) => html.match(/>5 comments</g)?.length ?? 0);
  const isRight = found[0] === shown * PAGES_PER_LIST && found[1] === shown;
  if (!isRight) throw new Error(`${name}: ${found.join(' and ')} counts in a list and an article`);
  if (article.includes('<section') !== (name === 'comments')) throw new Error(`${name}: the section`);
}

/** @param {string} hugo */
function printMethod(hugo) {
  console.log(`Hugo ${hugoVersion(hugo)}, hugo --minify, whole processes, into an empty folder, in turns.`);
  console.log(
    `Each article shows its count itself and in a list of ${PAGES_PER_LIST}. Without: the same content and`,
  );
  console.log('templates, without the module. Ratios: median over the rounds of both in the same round.');
}

/**
 * @param {Size} size
 * @param {Record<Variant, Run[]>} runs
 * @returns {boolean} whether every target is met
 */
function report({ pages, rounds }, { bare, counts, comments }) {
  console.log(`\n${pages.toLocaleString('en')} articles, ${rounds} rounds`);
  for (const [name, runs] of Object.entries({ without: bare, counts, 'counts and comments': comments })) {
    const cpu = `${shown(runs.map(cpuSeconds), 's')} CPU`;
    row(name, shown(runs.map(seconds), 's'), cpu, shown(runs.map(mebibytes), 'MiB'));
  }
  row('CPU of the counts', shown(ratios(counts, bare, cpuSeconds), '×'), 'no target');
  for (const [name, value] of Object.entries({ time: seconds, CPU: cpuSeconds, 'peak RSS': mebibytes })) {
    row(`${name} with comments`, shown(ratios(comments, bare, value), '×'), 'no target');
  }
  return [
    target('time of the counts', ratios(counts, bare, seconds), TIME_LIMIT),
    target('peak RSS of the counts', ratios(counts, bare, mebibytes), MEMORY_LIMIT),
  ].every(Boolean);
}

/**
 * @param {string} what
 * @param {number[]} values of each round
 * @param {number} limit
 */
function target(what, values, limit) {
  const isMet = !(median(values) > limit); // NaN: this system does not tell
  row(what, shown(values, '×'), `target ≤ ${limit} ×`, isMet ? 'ok' : 'MISSED');
  return isMet;
}

/** @param {Run} run */
function seconds({ milliseconds }) {
  return milliseconds / 1000;
}

/**
 * Tells more than the wall time where others use the machine.
 *
 * @param {Run} run
 */
function cpuSeconds({ cpuMilliseconds }) {
  return cpuMilliseconds / 1000;
}

/** @param {Run} run */
function mebibytes({ peakBytes }) {
  return peakBytes / 2 ** 20;
}

/**
 * @param {Run[]} ours
 * @param {Run[]} theirs of the same rounds
 * @param {(run: Run) => number} value
 */
function ratios(ours, theirs, value) {
  return theirs.map((run, round) => value(ours[round] ?? run) / value(run));
}

/**
 * @param {number[]} values
 * @param {string} unit
 * @returns {string} the median, and where all of them lie
 */
function shown(values, unit) {
  return spread(values, unit, unit === 'MiB' ? 0 : unit === '×' ? 3 : 2);
}

/** @param {(string | undefined)[]} cells */
function row(...cells) {
  printRow([24, 30, 32, 0], cells);
}

process.exitCode = await main();
