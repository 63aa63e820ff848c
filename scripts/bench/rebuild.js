/*
 * npm run bench:rebuild: from the commit of a comment to its count on a page, over HTTP,
 * against bare `hugo --minify` of the same site. Ends with exit code 1 when a target is missed.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { usableHugo } from '../tools.js';
import { readOptions } from '../read-options.js';
import { generateSite } from './generated-site.js';
import { wallTime } from './measure.js';
import { servePages } from './page-server.js';
import { median, pairedMedian } from './statistics.js';
import { printRow } from './table.js';
import { stagesOf, startWatch } from './watch-process.js';

/**
 * @typedef {import('./generated-site.js').GeneratedSite} GeneratedSite
 * @typedef {import('./watch-process.js').WatchProcess} WatchProcess
 * @typedef {import('./watch-process.js').Stages} Stages
 *
 * @typedef {{pages: number, rounds: number}} Size
 *
 * @typedef {object} Measured milliseconds; one of each a round
 * @property {number[]} ours from the end of the COMMIT to the answer that shows the new count
 * @property {number[]} inPlace bare hugo into the public/ of the round before
 * @property {number[]} fresh bare hugo into a folder that is not there
 * @property {Stages[]} stages
 * @property {number} idle share of a core that `watch` takes when nothing happens
 */

const USAGE = `Usage: npm run bench:rebuild [-- OPTIONS]

Measures the way of a comment from its commit to the page that counts it, over HTTP, against bare
hugo --minify of the same site. Exit code 1 when a target is missed.

  --quick  the two small sizes, fewer rounds
  --help   show this help`;

/** @type {Size[]} */
const SIZES = [
  { pages: 100, rounds: 25 },
  { pages: 1000, rounds: 20 },
  { pages: 10_000, rounds: 8 },
];
const QUICK = SIZES.slice(0, 2).map(({ pages }) => ({ pages, rounds: 5 }));

const MEDIAN_LIMIT = 150; // milliseconds above bare hugo
const P95_LIMIT = 1200;
const IDLE_LIMIT = 0.005; // of a core

/**
 * Comments are minutes apart. Sooner than this, a build waits for the next second (web servers tell
 * pages apart by it). And at any moment between two looks at the database.
 */
const BETWEEN = 1000; // milliseconds, and up to as many more

const CHANGED = '/posts/article-0/';

async function main() {
  const values = readOptions(USAGE, { quick: { type: 'boolean' } });
  const hugo = usableHugo();
  if (hugo === null) {
    console.error('There is no Hugo that can build the site');
    console.error('Install one: node scripts/setup.js hugo');
    return 1;
  }
  const folder = join(tmpdir(), 'hugo-stacosys-bench-rebuild');
  try {
    printMethod();
    const verdicts = [];
    for (const size of values.quick ? QUICK : SIZES) {
      const site = generateSite(join(folder, String(size.pages)), size.pages);
      verdicts.push(report(size, await measure(site, size, hugo, values.quick ? 5000 : 20_000)));
    }
    return verdicts.every(Boolean) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {GeneratedSite} site
 * @param {Size} size
 * @param {string} hugo
 * @param {number} idleTime milliseconds
 * @returns {Promise<Measured>}
 */
async function measure(site, { rounds }, hugo, idleTime) {
  mkdirSync(site.published, { recursive: true });
  const server = await servePages(join(site.published, 'current'));
  const watch = startWatch(site, hugo);
  /** @type {Measured} */
  const measured = { ours: [], inPlace: [], fresh: [], stages: [], idle: NaN };
  try {
    await watch.published();
    for (let round = 0; round <= rounds; round += 1) {
      const [ours, inPlace, fresh] = [await comment(site, watch, server), ...bare(site, hugo)];
      if (round === 0) continue; // it warms the caches
      measured.ours.push(ours.milliseconds);
      measured.stages.push(ours.stages);
      measured.inPlace.push(inPlace);
      measured.fresh.push(fresh);
    }
    measured.idle = await idleShare(watch, idleTime);
    return measured;
  } finally {
    await watch.stop();
    server.close();
  }
}

/**
 * Publishes a comment as Stacosys does, and waits until a reader can see its count.
 *
 * @param {GeneratedSite} site
 * @param {WatchProcess} watch
 * @param {import('./page-server.js').PageServer} server
 */
async function comment(site, watch, server) {
  settle();
  await pause(BETWEEN + Math.random() * BETWEEN);
  const { count, at } = commit(site.database);
  const committed = performance.timeOrigin + at;
  const seen = await server.untilPage(CHANGED, (page) => page.includes(`>${count} comments<`));
  const stages = stagesOf(site, await watch.published(), committed);
  return { milliseconds: seen - at, stages };
}

/**
 * @param {string} file
 * @returns {{count: number, at: number}} how many comments the page has now, and since when
 */
function commit(file) {
  const database = new Database(file);
  try {
    database
      .prepare(
        `INSERT INTO comment (url, created, published, author_name, author_site, content)
         VALUES (?, datetime(), datetime(), 'Bob', '', 'New')`,
      )
      .run(CHANGED);
    const at = performance.now();
    const count = database.prepare('SELECT count(*) FROM comment WHERE url = ?').pluck().get(CHANGED);
    return { count: Number(count), at };
  } finally {
    database.close();
  }
}

/**
 * @param {GeneratedSite} site
 * @param {string} hugo
 * @returns {[inPlace: number, fresh: number]} milliseconds
 */
function bare({ folder }, hugo) {
  const args = ['--minify', '--source', folder];
  const fresh = join(folder, '..', 'fresh');
  settle();
  const inPlace = wallTime(hugo, args);
  rmSync(fresh, { recursive: true, force: true });
  settle();
  return [inPlace, wallTime(hugo, [...args, '--destination', fresh])];
}

/** Ten thousand new files keep a disk busy for seconds: nobody is to pay for those of another. */
function settle() {
  spawnSync('sync');
}

/**
 * @param {WatchProcess} watch
 * @param {number} milliseconds
 */
async function idleShare(watch, milliseconds) {
  await pause(2000); // what is to be done after the last build is done
  const before = watch.cpu();
  await pause(milliseconds);
  return (watch.cpu() - before) / milliseconds;
}

function printMethod() {
  console.log('Ours: from the end of the COMMIT until a client that asks every 3 ms gets the new count.');
  console.log('Bare: hugo --minify, the whole process, with the same data; in place: into the public/ of');
  console.log('the run before, as a blog does it today; fresh: into a new folder, as ours has to. In turns,');
  console.log('each of them when the disk has written what the others left.');
}

/**
 * @param {Size} size
 * @param {Measured} measured
 * @returns {boolean} whether every target is met
 */
function report({ pages, rounds }, { ours, inPlace, fresh, stages, idle }) {
  console.log(`\n${pages.toLocaleString('en')} articles, ${rounds} rounds`);
  for (const [name, values] of Object.entries({ ours, 'bare, in place': inPlace, 'bare, fresh': fresh })) {
    row(name, `${ms(median(values))} median`, `${ms(percentile(values, 0.95))} p95`);
  }
  const above = (/** @type {number} */ one, /** @type {number} */ other) => one - other;
  row('ours − bare, fresh', `${ms(pairedMedian(ours, fresh, above))} median`);
  const parts = Object.keys(stages[0] ?? {}).map((name) => {
    const key = /** @type {keyof Stages} */ (name);
    return `${name} ${median(stages.map((stage) => stage[key])).toFixed(0)}`;
  });
  row('of ours, medians', `${parts.join(', ')} ms`);
  return [
    target('ours − bare, median', pairedMedian(ours, inPlace, above), MEDIAN_LIMIT, ms),
    target('ours − bare, p95', percentile(ours, 0.95) - percentile(inPlace, 0.95), P95_LIMIT, ms),
    target('idle, of a core', idle, IDLE_LIMIT, (share) => `${(share * 100).toFixed(2)} %`),
  ].every(Boolean);
}

/**
 * @param {string} what
 * @param {number} reached
 * @param {number} limit
 * @param {(value: number) => string} shown
 */
function target(what, reached, limit, shown) {
  row(what, shown(reached), `target ≤ ${shown(limit)}`, reached <= limit ? 'ok' : 'MISSED');
  return reached <= limit;
}

/**
 * @param {number[]} values at least one
 * @param {number} share
 * @returns {number} the least of them that so many are not above
 */
function percentile(values, share) {
  const ordered = values.toSorted((a, b) => a - b);
  return ordered[Math.ceil(share * ordered.length) - 1] ?? NaN;
}

/** @param {number} milliseconds */
function ms(milliseconds) {
  return `${milliseconds.toFixed(0)} ms`;
}

/** @param {(string | undefined)[]} cells */
function row(...cells) {
  printRow([26, 18, 20, 0], cells);
}

process.exitCode = await main();
