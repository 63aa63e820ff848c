import { LEAST_SLOW, load } from './load.js';
import { PATHS, awaitedOn } from './open-blog.js';
import { refuseWrong } from './refuse-wrong.js';

/**
 * @typedef {import('./open-blog.js').Blog} Blog
 * @typedef {import('./open-blog.js').PageName} PageName
 *
 * @typedef {object} Measured a page of a contender
 * @property {Blog} blog
 * @property {PageName} page
 * @property {import('./load.js').Transfer[]} transfers of a whole load
 * @property {number[]} times milliseconds until all was visible, one a round
 *
 * @typedef {import('playwright-core').Browser} Browser
 * @typedef {<T>(use: (browser: Browser) => Promise<T>) => Promise<T>} WithBrowser a new one, which is closed afterwards
 */

/**
 * What each page fetches in all: until nothing more comes, on a fast network. Nothing of it depends on the machine.
 *
 * @param {Browser} browser
 * @param {Blog[]} blogs
 * @returns {Promise<Measured[]>} without times
 */
export async function inspect(browser, blogs) {
  /** @type {Measured[]} */
  const measured = [];
  for (const blog of blogs) {
    const pages = blog.contender.pages.map(async (page) => {
      const { transfers } = await loadRight(browser, blog, page, false);
      return { blog, page, transfers, times: [] };
    });
    measured.push(...(await Promise.all(pages)));
  }
  return measured;
}

/**
 * Loads each page once a round, in turns that begin with another one each time, and notes how long it took.
 *
 * @param {WithBrowser} withBrowser
 * @param {Measured[]} measured gets the times
 * @param {number} rounds
 * @param {(step: string) => void} progress
 */
export async function time(withBrowser, measured, rounds, progress) {
  for (let round = 0; round < rounds; round += 1) {
    progress(`slow 4G, round ${round + 1} of ${rounds}`);
    const first = Math.floor((round * measured.length) / rounds);
    const inTurn = [...measured.slice(first), ...measured.slice(0, first)];
    await withBrowser(async (browser) => {
      for (const page of inTurn) page.times.push(await timeOf(browser, page));
    });
  }
}

/**
 * @param {Browser} browser
 * @param {Measured} measured
 */
async function timeOf(browser, { blog, page }) {
  const { visible } = await loadRight(browser, blog, page, true);
  if (visible < LEAST_SLOW) throw new Error(`${blog.contender.name}: the network was not slowed down`);
  return visible;
}

/**
 * @param {Browser} browser
 * @param {Blog} blog
 * @param {PageName} page
 * @param {boolean} slow
 */
async function loadRight(browser, { contender, origin }, page, slow) {
  const awaited = awaitedOn(contender, page);
  const loaded = await load(browser, { url: origin + PATHS[page], awaited, slow });
  // A slow load is left as soon as all is there: what is still under way then has no status yet
  const transfers = slow ? loaded.transfers.filter(({ status }) => status !== 0) : loaded.transfers;
  refuseWrong(`${contender.name}, ${page}`, { ...loaded, transfers }, awaited, origin);
  return loaded;
}
