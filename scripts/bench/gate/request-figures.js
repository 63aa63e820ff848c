import { once } from 'node:events';
import { createServer } from 'node:http';
import { chromium } from 'playwright-core';
import sirv from 'sirv';
import { usableChromium } from '../../tools.js';

/** @typedef {import('playwright-core').Page} Page */

const API = '/api/';
const COMMENT = { author: 'Wren', content: 'Well said.', date: '2024-05-06 07:08:09', avatar: '' };

/**
 * What a reader's browser asks for, in a real Chromium, with comments that are read to their end.
 *
 * @param {Record<'counts' | 'comments' | 'baked', {output: string}>} site
 * @returns {Promise<Record<string, number>>}
 */
export async function requestFigures({ counts, comments, baked }) {
  const executablePath = usableChromium();
  if (executablePath === null) {
    throw new Error('There is no Chromium: install one with node scripts/setup.js chromium');
  }
  const isRoot = process.getuid?.() === 0; // for whom Chromium has no sandbox
  const browser = await chromium.launch({ executablePath, chromiumSandbox: !isRoot, timeout: 60_000 });
  try {
    const visit = (/** @type {string} */ output, /** @type {string} */ path, /** @type {Read} */ read) =>
      requestsOf(browser, output, path, read);
    const list = await visit(counts.output, '/posts/', readList);
    const live = await visit(comments.output, '/posts/article-0/', readLive);
    const still = await visit(baked.output, '/posts/article-0/', readBaked);
    return {
      'list-requests': list.length - 1,
      'live-requests': live.length - 1,
      'live-api-requests': live.filter(isApi).length,
      'baked-requests': still.length - 1,
      'baked-api-requests': still.filter(isApi).length,
    };
  } finally {
    await browser.close();
  }
}

/**
 * @typedef {(page: Page) => Promise<void>} Read scrolls through a page, and refuses one that shows something else
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} output
 * @param {string} path
 * @param {Read} read
 * @returns {Promise<string[]>} the paths that were asked for, the page's own included
 */
async function requestsOf(browser, output, path, read) {
  /** @type {string[]} */
  const requests = [];
  const sendFile = sirv(output);
  const server = createServer((request, response) => {
    const asked = String(request.url);
    if (asked !== '/favicon.ico') requests.push(asked); // which the page does not name
    if (isApi(asked)) response.end(JSON.stringify({ data: [COMMENT] }));
    else sendFile(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const page = await browser.newPage();
  try {
    await page.goto(`http://127.0.0.1:${port}${path}`);
    await page.waitForLoadState('networkidle');
    await read(page);
    await page.waitForLoadState('networkidle');
    return requests;
  } finally {
    await page.close();
    server.close();
    server.closeAllConnections();
  }
}

/** @param {string} path */
function isApi(path) {
  return path.startsWith(API);
}

/** @type {Read} */
async function readList(page) {
  const shown = await page.locator('.stacosys-count').count();
  if (shown !== 20) throw new Error(`the list shows ${shown} counts`);
}

/** @type {Read} */
async function readLive(page) {
  await page.locator('#comments').scrollIntoViewIfNeeded();
  await page.locator('.stacosys-list > li').first().waitFor();
}

/** @type {Read} */
async function readBaked(page) {
  await page.locator('.stacosys-list > li').last().scrollIntoViewIfNeeded();
  const shown = await page.locator('.stacosys-list > li').count();
  if (shown !== 21) throw new Error(`the article shows ${shown} comments`);
}
