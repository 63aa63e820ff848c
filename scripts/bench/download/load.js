import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Awaited what a page has to show
 * @property {Record<string, number>} counts path of an article → its count
 * @property {string[]} marks of the comments
 *
 * @typedef {object} Found
 * @property {Record<string, string>} counts
 * @property {string[]} missing marks of comments that are not in the layout
 * @property {string} footer
 *
 * @typedef {'html' | 'script' | 'style' | 'other'} Kind
 *
 * @typedef {object} Transfer a request
 * @property {string} url
 * @property {Kind} kind
 * @property {number} status 0 where nothing came
 * @property {number} bytes over the wire, with the headers of the answer
 * @property {number} body bytes of it without them, compressed
 *
 * @typedef {object} Load
 * @property {number} visible milliseconds from the start of the navigation; Infinity where it never was
 * @property {Found} found
 * @property {Transfer[]} transfers
 * @property {string[]} errors of scripts
 *
 * @typedef {object} Visit
 * @property {string} url
 * @property {Awaited} awaited
 * @property {boolean} slow with the network and the processor of a phone, until all is visible; else until nothing more is fetched
 * @property {number} [limit] milliseconds in which all has to be visible
 */

/**
 * "Slow 4G" as the network panel of Chromium's DevTools has it: 150 ms and 1.6 Mbit/s, 750 kbit/s up, corrected
 * for a throttle that delays requests, not packets (×3.75 and ×0.9), as Lighthouse does:
 * https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md
 */
const SLOW_4G = {
  offline: false,
  latency: 150 * 3.75,
  downloadThroughput: ((1.6 * 1e6) / 8) * 0.9,
  uploadThroughput: ((750 * 1e3) / 8) * 0.9,
};
const CPU_SLOWDOWN = 4;

/** The phone of Lighthouse. */
const SCREEN = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 };

const WATCHER = fileURLToPath(new URL('watch-page.js', import.meta.url));
const LIMIT = 30_000; // milliseconds
const QUIET = 500; // milliseconds, as browsers' drivers have it

/** @type {Record<string, Kind>} of what the DevTools protocol calls them */
const KINDS = { Document: 'html', Script: 'script', Stylesheet: 'style' };

/**
 * Opens a page as a reader who has been nowhere before.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {Visit} visit
 * @returns {Promise<Load>}
 */
export async function load(browser, { url, awaited, slow, limit = LIMIT }) {
  const context = await browser.newContext({ ...SCREEN, ignoreHTTPSErrors: true, locale: 'en-US' });
  try {
    const page = await context.newPage();
    /** @type {string[]} */
    const errors = [];
    page.on('pageerror', (error) => errors.push(error.message));
    const network = await recordTransfers(page, slow);
    await page.addInitScript(`window.awaited = ${JSON.stringify(awaited)}`);
    await page.addInitScript({ path: WATCHER });
    await page.goto(url, { waitUntil: 'commit', timeout: LIMIT });
    const visible = await visibleAfter(page, limit);
    if (!slow) await untilQuiet(network);
    const found = /** @type {Found} */ (await page.evaluate('window.found()'));
    const transfers = [...network.transfers.values()];
    await addBodies(page, transfers);
    return { visible, found, transfers, errors };
  } finally {
    await context.close();
  }
}

/**
 * @param {import('playwright-core').Page} page
 * @param {number} timeout
 */
async function visibleAfter(page, timeout) {
  try {
    // The page notes the time itself: asking it more often would only slow it down
    const handle = await page.waitForFunction('window.visibleAt', undefined, { timeout, polling: 100 });
    return Number(await handle.jsonValue());
  } catch (error) {
    // What is missing is for the caller to say
    if (error instanceof Error && error.name === 'TimeoutError') return Infinity;
    throw error;
  }
}

/**
 * @typedef {object} Network
 * @property {Map<string, Transfer>} transfers grows
 * @property {Set<string>} open of them are under way
 * @property {number} changed when something began or ended, of performance.now()
 */

/** @param {Network} network until nothing has been under way for a while */
async function untilQuiet(network) {
  const deadline = performance.now() + LIMIT;
  while (network.open.size > 0 || performance.now() - network.changed < QUIET) {
    if (performance.now() > deadline) return; // what never came has no status, which is refused
    await pause(QUIET / 10);
  }
}

/**
 * @param {import('playwright-core').Page} page
 * @param {boolean} slow
 * @returns {Promise<Network>}
 */
async function recordTransfers(page, slow) {
  /** @type {Network} */
  const network = { transfers: new Map(), open: new Set(), changed: performance.now() };
  const { transfers, open } = network;
  const session = await page.context().newCDPSession(page);
  session.on('Network.requestWillBeSent', ({ requestId, request, type = '' }) => {
    if (request.url.startsWith('data:')) return;
    const kind = KINDS[type] ?? 'other';
    network.changed = performance.now();
    open.add(requestId);
    transfers.set(requestId, { url: request.url, kind, status: 0, bytes: 0, body: 0 });
  });
  const update = (/** @type {string} */ id, /** @type {(transfer: Transfer) => void} */ change) => {
    const transfer = transfers.get(id);
    if (transfer) change(transfer);
  };
  session.on('Network.responseReceived', ({ requestId, response }) =>
    update(requestId, (transfer) => (transfer.status = response.status)),
  );
  const end = (/** @type {string} */ id) => {
    network.changed = performance.now();
    open.delete(id);
  };
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    update(requestId, (transfer) => (transfer.bytes = encodedDataLength));
    end(requestId);
  });
  session.on('Network.loadingFailed', ({ requestId }) => {
    update(requestId, (transfer) => (transfer.status = 0));
    end(requestId);
  });
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  if (slow) {
    await session.send('Network.emulateNetworkConditions', SLOW_4G);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  }
  return network;
}

const SIZES = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .map(({ name, encodedBodySize }) => [name, encodedBodySize])`;

/**
 * The protocol counts the frames of HTTP/2, too: what a body takes itself, the page knows.
 *
 * @param {import('playwright-core').Page} page
 * @param {Transfer[]} transfers
 */
async function addBodies(page, transfers) {
  const sizes = /** @type {[string, number][]} */ (await page.evaluate(SIZES));
  for (const transfer of transfers) {
    const next = sizes.findIndex(([name]) => name === transfer.url);
    transfer.body = next < 0 ? 0 : Number(sizes.splice(next, 1)[0]?.[1]);
  }
}

/** What a page takes at the least on the slow network: an answer before that was not slowed down. */
export const LEAST_SLOW = SLOW_4G.latency;
