/*
 * Part "rebuild" of npm run bench: from the commit of a comment to its count on a page, over HTTP, against
 * bare `hugo --minify` of the same site, and against a poller.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { generateSite } from './generated-site.js';
import { servePages } from './page-server.js';
import { pollOnce } from './poller-process.js';
import { rebuildResult } from './rebuild-result.js';
import { rebuildRounds } from './rebuild-rounds.js';
import { hugoVersion } from '../tools.js';
import { startWatch } from './watch-process.js';

/**
 * @typedef {import('./part.js').Context} Context
 * @typedef {import('./rebuild-rounds.js').Rounds} Rounds
 * @typedef {import('./poller-process.js').Polled} Polled
 * @typedef {import('./generated-site.js').GeneratedSite} GeneratedSite
 *
 * @typedef {{pages: number, rounds: number}} Size
 */

const SIZES = [
  { pages: 10_000, rounds: 5 },
  { pages: 1000, rounds: 8 },
  { pages: 100, rounds: 8 },
];
const QUICK_SIZES = [
  { pages: 1000, rounds: 3 },
  { pages: 100, rounds: 3 },
];

/** The poller's site, and that of the watch which has nothing to do. */
export const PAGES = 1000;

/**
 * Seconds before the poller looks: a comment comes at any moment of its minute. Its period is a minute; what
 * would follow before the next comment of this measurement is left out.
 */
const WAITS = [54, 42, 30, 18, 6];
const QUICK_WAITS = [6];

/** What a round may take longer than any before. */
const MARGIN = 3000; // milliseconds

/** @type {import('./part.js').Part} */
export const rebuild = {
  name: 'rebuild',
  title: 'Rebuild',
  needs: ['hugo-latest'],
  seconds: (quick) => (quick ? 45 : 230),
  run,
};

/**
 * The rounds of the others fill the time for which the poller waits.
 *
 * @param {Context} context
 */
async function run({ quick, folder, hugo, progress }) {
  const sizes = quick ? QUICK_SIZES : SIZES;
  /** @type {Rounds[]} */
  const measured = sizes.map(({ pages }) => ({ pages, ours: [], inPlace: [], fresh: [], stages: [] }));
  const work = allRounds(sizes, measured, { folder, hugo, progress });
  progress('two sites');
  const polledSite = generateSite(join(folder, 'polled'), PAGES);
  const idle = await startIdle(generateSite(join(folder, 'idle'), PAGES), hugo);
  const server = await servePages(join(polledSite.folder, 'public'));
  try {
    /** @type {Polled[]} */
    const polled = [];
    const idleShares = [];
    for (const wait of quick ? QUICK_WAITS : WAITS) {
      progress(`a comment ${wait} s before the poller looks`);
      const poll = pollOnce.bind(null, polledSite, hugo, server, wait);
      const one = (await poll((until) => workUntil(until, work))) ?? (await poll(async () => {}));
      if (!one) throw new Error('The machine is too busy to see when the poller looks');
      polled.push(one);
      idleShares.push(idle.share());
    }
    while (!(await work.next()).done);
    const versions = { Hugo: hugoVersion(hugo) ?? 'unknown' };
    return rebuildResult(measured.toReversed(), polled, idleShares, versions);
  } finally {
    await work.return(undefined);
    await idle.stop();
    server.close();
  }
}

/**
 * @param {Size[]} sizes
 * @param {Rounds[]} measured of each
 * @param {Pick<Context, 'folder' | 'hugo' | 'progress'>} context
 * @returns {AsyncGenerator<number>} after each round, the milliseconds that the next may take
 */
async function* allRounds(sizes, measured, { folder, hugo, progress }) {
  for (const [index, { pages, rounds }] of sizes.entries()) {
    const of = measured[index];
    if (!of) throw new RangeError('As many results as sizes');
    const articles = `${pages.toLocaleString('en')} articles`;
    progress(`a site of ${articles}`);
    yield pages * 3; // writing it, and its first build
    const site = generateSite(join(folder, String(pages)), pages);
    let started = performance.now();
    let longest = 0;
    for await (const round of rebuildRounds(site, rounds, hugo, of)) {
      longest = Math.max(longest, performance.now() - started);
      progress(`${articles}, round ${round} of ${rounds}`);
      yield longest;
      started = performance.now();
    }
  }
}

/**
 * Does rounds as long as there is time for one, and some more.
 *
 * @param {number} until by performance.now()
 * @param {AsyncGenerator<number>} work
 */
async function workUntil(until, work) {
  let needed = 0;
  while (performance.now() + 1.5 * needed + MARGIN < until) {
    const { value, done } = await work.next();
    if (done) return;
    needed = value;
  }
}

/**
 * A watch whose database nobody changes.
 *
 * @param {GeneratedSite} site
 * @param {string} hugo
 */
async function startIdle(site, hugo) {
  const watch = startWatch(site, hugo);
  try {
    await watch.published();
    await pause(2000); // what is to be done after the build is done
  } catch (error) {
    await watch.stop();
    throw error;
  }
  let last = { cpu: watch.cpu(), at: performance.now() };
  return {
    /** @returns {number} of a core, since it was asked before */
    share: () => {
      const now = { cpu: watch.cpu(), at: performance.now() };
      const share = (now.cpu - last.cpu) / (now.at - last.at);
      last = now;
      return share;
    },
    stop: watch.stop,
  };
}
