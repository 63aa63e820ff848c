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

/** From the largest. */
const SIZES = [
  { pages: 5000, rounds: 5 },
  { pages: 1000, rounds: 8 },
  { pages: 100, rounds: 8 },
];
const QUICK_SIZES = [
  { pages: 1000, rounds: 2 },
  { pages: 100, rounds: 2 },
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
const MARGIN = 2000; // milliseconds

/** @type {import('./part.js').Part} */
export const rebuild = {
  name: 'rebuild',
  title: 'Rebuild',
  needs: ['hugo-latest'],
  seconds: (quick) => (quick ? 30 : 190),
  run,
};

/**
 * The rounds of the others fill the time for which the poller waits.
 *
 * @param {Context} context
 */
async function run({ quick, folder, hugo, progress }) {
  const works = (quick ? QUICK_SIZES : SIZES).map((size) => workOn(size, { folder, hugo, progress }));
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
      const one = (await poll((until) => workUntil(until, works))) ?? (await poll(async () => {}));
      if (!one) throw new Error('The machine is too busy to see when the poller looks');
      polled.push(one);
      idleShares.push(idle.share());
    }
    await workUntil(Infinity, works);
    const measured = works.map(({ measured }) => measured).toReversed();
    return rebuildResult(measured, polled, idleShares, { Hugo: hugoVersion(hugo) ?? 'unknown' });
  } finally {
    for (const { stop } of works) await stop();
    await idle.stop();
    server.close();
  }
}

/**
 * @typedef {object} Work the rounds of a size
 * @property {Rounds} measured so far
 * @property {number} needs milliseconds that the next round takes, about
 * @property {boolean} isDone
 * @property {() => Promise<void>} goOn with the next round
 * @property {() => Promise<unknown>} stop
 */

/**
 * @param {Size} size
 * @param {Pick<Context, 'folder' | 'hugo' | 'progress'>} context
 * @returns {Work}
 */
function workOn({ pages, rounds }, { folder, hugo, progress }) {
  /** @type {Rounds} */
  const measured = { pages, ours: [], inPlace: [], fresh: [], stages: [] };
  /** @type {AsyncGenerator<number> | undefined} */
  let steps;
  const work = {
    measured,
    needs: pages * 3, // writing the site, and its first builds
    isDone: false,
    goOn: async () => {
      const started = performance.now();
      progress(`${pages.toLocaleString('en')} articles, ${measured.ours.length} of ${rounds} rounds done`);
      const isFirst = steps === undefined; // makes the site, too
      steps ??= rebuildRounds(generateSite(join(folder, String(pages)), pages), rounds, hugo, measured);
      const { value, done } = await steps.next();
      work.isDone = done === true || value === rounds;
      work.needs = isFirst ? pages * 2 : performance.now() - started;
    },
    stop: async () => steps?.return(undefined),
  };
  return work;
}

/**
 * Does rounds as long as there is time for one, the longest that fits.
 *
 * @param {number} until by performance.now()
 * @param {Work[]} works from the one with the longest rounds
 */
async function workUntil(until, works) {
  for (;;) {
    const fitting = works.find(
      ({ isDone, needs }) => !isDone && performance.now() + 1.5 * needs + MARGIN < until,
    );
    if (!fitting) return;
    await fitting.goOn();
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
