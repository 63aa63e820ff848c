/*
 * Shared set-up of the tests that write comments: what a reader does with the form, a Stacosys behind
 * it, and sites whose parameters differ from those of the example site. It holds no test itself.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { devStacosys } from '../../../scripts/dev-stacosys.js';
import { databaseWith, openTable } from '../../../scripts/test/serving.js';
import { ROOT } from '../../../scripts/tools.js';
import { answeredBy, inlineSite } from '../browser.js';
import { CONFIG } from '../hugo-site.js';

/**
 * @typedef {import('node:test').TestContext} TestContext
 * @typedef {import('playwright-core').Page} Page
 * @typedef {import('../browser.js').Api} Api
 * @typedef {import('../browser.js').Site} Site
 *
 * @typedef {object} Written
 * @property {string} [author]
 * @property {string} [site]
 * @property {string} [email]
 * @property {string} [message]
 */

/** An article of the example site that nobody has written a comment about. */
export const ARTICLE = '/2019/counting-slugs/';

/** The one article of an inline site. */
export const INLINE = '/bread/';

/** What readers of English are told. */
export const ENGLISH = sentences('en');

/** @type {Api} Stacosys took the comment; and it has none to show */
export const ACCEPTED = ({ method }) =>
  method === 'POST'
    ? new Response(null, { status: 302, headers: { Location: '/thanks/' } })
    : Response.json({ data: [] });

/**
 * @param {TestContext} t
 * @returns {Promise<{api: Api, comments: import('../../../scripts/comment-table.js').CommentTable}>}
 *   Stacosys for development, and its comments
 */
export async function emptyStacosys(t) {
  const comments = openTable(t, databaseWith(t));
  return { api: await answeredBy(t, devStacosys({ comments, redirect: '/thanks/' })), comments };
}

/**
 * A site with one article, and parameters of its own.
 *
 * @param {TestContext} t
 * @param {string} parameters TOML, of the table params.stacosys
 * @param {Record<string, string>} [files] beside
 * @param {string} [html] attributes of its html element
 * @param {string} [language] TOML, the tables of the languages
 */
export function siteWith(t, parameters, files = {}, html = 'lang="en"', language = '') {
  return inlineSite(t, {
    'hugo.toml': `${CONFIG}${language}[params.stacosys]\n${parameters}\n`,
    'data/stacosys/counts.json': '{}',
    'content/bread.md': '---\ntitle: Bread\ndate: 2024-01-01\n---\nFlour, water, salt.\n',
    'layouts/_default/single.html': `<!doctype html>
<html ${html}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{{ .Title }}</title>
<link rel="stylesheet" href="/plain.css">
</head>
<body><main><h1>{{ .Title }}</h1>{{ .Content }}{{ partial "comments.html" . }}</main></body>
</html>
`,
    'static/plain.css':
      ':root { color-scheme: light dark; background: canvas; color: canvastext; font: 1rem/1.5 sans-serif }',
    ...files,
  });
}

/**
 * @param {Page} page
 * @returns what a reader meets, by the names and classes that themes may rely on
 */
export function partsOf(page) {
  const section = page.locator('.stacosys');
  const form = section.locator('form');
  return {
    form,
    author: form.locator('[name="author"]'),
    site: form.locator('[name="site"]'),
    email: form.locator('[name="email"]'),
    message: form.locator('[name="message"]'),
    remember: form.getByRole('checkbox'),
    summary: form.locator('summary'),
    preview: form.locator('.stacosys-preview'),
    button: form.getByRole('button'),
    outcome: section.locator('.stacosys-outcome'),
    comments: section.locator('.stacosys-list > .stacosys-comment'),
    pending: section.locator('.stacosys-comment:has(.stacosys-pending)'),
  };
}

/**
 * @param {Page} page
 * @param {Written} [comment]
 */
export async function write(page, { author = 'Ann', site = '', email, message = 'Hello' } = {}) {
  const parts = partsOf(page);
  await parts.author.fill(author);
  await parts.site.fill(site);
  if (email !== undefined) await parts.email.fill(email);
  await parts.message.fill(message);
}

/** @param {Page} page */
export async function send(page) {
  await partsOf(page).button.click();
}

/**
 * @param {Page} page
 * @returns {Promise<string>} what the reader is told, once it is known what became of the comment
 */
export async function told(page) {
  const sentence = partsOf(page).outcome.locator(':scope > :not(.on-busy)');
  await sentence.waitFor();
  return sentence.innerText();
}

/**
 * @param {string} language
 * @returns {Record<string, string>} the texts of the module, without those that depend on a number
 */
export function sentences(language) {
  const file = join(ROOT, 'hugo-module', 'i18n', `${language}.toml`);
  const tables = Object.entries(parse(readFileSync(file, 'utf8')));
  return Object.fromEntries(tables.map(([name, table]) => [name, String(Object(table).other)]));
}

/**
 * @param {Page} page
 * @param {number} amount of comments that the list shows
 */
export async function listed(page, amount) {
  const isReady = (/** @type {number} */ expected) =>
    document.querySelectorAll('.stacosys-list > *').length === expected;
  await page.waitForFunction(isReady, amount);
}

/**
 * Opens the page again, its list of comments included.
 *
 * @param {Page} page
 * @param {'load' | 'error'} outcome of the list
 */
export async function reload(page, outcome = 'load') {
  await page.reload();
  await partsOf(page).form.scrollIntoViewIfNeeded();
  const done = outcome === 'load' ? '.on-load' : '.on-error';
  await page.locator(`.stacosys-status ${done}`).waitFor({ state: 'attached' });
}

/**
 * @param {Site} site
 * @returns {[name: string, value: string][][]} the fields of each comment that was sent
 */
export function sent({ requests }) {
  return requests.filter(({ method }) => method === 'POST').map(({ body }) => [...new URLSearchParams(body)]);
}

/**
 * Notes what the section tells theme authors from now on, until the page is left.
 *
 * @param {Page} page
 * @returns {Promise<() => Promise<string[]>>} the events, each with where its bubbling began
 */
export async function heard(page) {
  await page.evaluate(() => {
    const events = (Object(window).heardEvents = /** @type {string[]} */ ([]));
    for (const name of ['stacosys:load', 'stacosys:sent', 'stacosys:error']) {
      document.addEventListener(name, ({ target }) =>
        events.push(`${name} on #${/** @type {Element} */ (target).id}`),
      );
    }
  });
  return () => page.evaluate(() => Object(window).heardEvents);
}

/**
 * @param {Page} page
 * @returns {Promise<string>} all that the browser keeps for this site
 */
export function kept(page) {
  return page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
}

/**
 * @param {string[]} problems
 * @returns {string[]} without what the browser itself says about an answer that a test wanted
 */
export function ofScripts(problems) {
  return problems.filter((problem) => !problem.startsWith('console: Failed to load resource'));
}
