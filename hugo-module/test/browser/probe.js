/*
 * A browser that notes whatever a hostile comment sets off, and what became of such comments in a page. It
 * holds no test itself.
 */
import { visit } from '../browser.js';
import { requestsElsewhere } from './reading-site.js';

/**
 * @typedef {import('node:test').TestContext} TestContext
 * @typedef {import('playwright-core').Page} Page
 */

/** The elements that Markdown makes, with all the attributes that they may have. */
const ALLOWED = [
  'p',
  'br',
  'hr',
  'em',
  'strong',
  'code',
  'pre',
  'blockquote',
  'ul',
  'ol start',
  'li',
  'a href rel',
];

/**
 * @param {TestContext} t
 * @param {string} address
 * @param {string} path
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function visitWithProbe(t, address, path, options) {
  const { page, problems } = await visit(t, 'about:blank', options);
  const elsewhere = requestsElsewhere(page, address);
  page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`));
  page.on('popup', (popup) => problems.push(`window: ${popup.url()}`));
  await page.addInitScript(() => {
    Object.assign(window, { timesProbed: 0, probe: () => (Object(window).timesProbed += 1) });
  });
  await page.goto(address + path);
  return { page, problems, elsewhere };
}

/** @param {Page} page */
export function timesProbed(page) {
  return page.evaluate(() => Object(window).timesProbed);
}

/**
 * What a reader's mouse and keyboard may set off.
 *
 * @param {Page} page
 */
export async function touchEverything(page) {
  await page.locator('.stacosys-list *').evaluateAll((elements) => {
    const events = [
      'mouseover',
      'mouseenter',
      'focus',
      'pointerdown',
      'animationstart',
      'toggle',
      'load',
      'error',
    ];
    for (const element of elements) {
      for (const event of events) element.dispatchEvent(new Event(event));
    }
  });
}

/**
 * @param {Page} page
 * @returns {Promise<string[]>} elements in comments that are not of Markdown's making
 */
export async function strangers(page) {
  const found = await page
    .locator('.stacosys-list .stacosys-content *')
    .evaluateAll((elements) =>
      elements.map((element) => [element.localName, ...element.getAttributeNames()].join(' ')),
    );
  return [...new Set(found)].filter((element) => !ALLOWED.includes(element));
}

/**
 * @param {Page} page
 * @returns {Promise<string[]>} the schemes to which links of the list lead
 */
export async function targets(page) {
  const schemes = await page
    .locator('.stacosys-list a[href]')
    .evaluateAll((links) =>
      links
        .filter((link) => !link.getAttribute('href')?.startsWith('#'))
        .map((link) => /** @type {HTMLAnchorElement} */ (link).protocol),
    );
  return [...new Set(schemes)].filter((scheme) => scheme !== ':').sort(); // which leads nowhere
}

/**
 * @param {unknown} text
 * @returns {string} its letters: marks of Markdown are none
 */
export function words(text) {
  return String(text)
    .toWellFormed()
    .replace(/[^\p{L}\p{M}\p{Cf}]/gu, '');
}
