/*
 * A small site with one article in three languages, and what the browser shows of its comments, for
 * the tests of reading. It holds no test itself.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/tools.js';
import { DESKTOP, PHONE, inlineSite, overflow, screenshot, violations } from '../browser.js';
import { CONFIG, makeSite } from '../hugo-site.js';

/**
 * @typedef {import('node:test').TestContext} TestContext
 * @typedef {import('playwright-core').Page} Page
 *
 * @typedef {object} Comment as the API answers it
 * @property {unknown} author
 * @property {unknown} content
 * @property {unknown} date
 * @property {unknown} [site]
 * @property {unknown} [avatar]
 *
 * @typedef {object} Shown what a reader sees of a comment
 * @property {string} id
 * @property {string} author
 * @property {string | null} site
 * @property {string} rel
 * @property {string} date
 * @property {string} datetime
 * @property {string | null} permalink
 * @property {string} text
 */

/** The same article: its path in each language. */
export const ARTICLES = { en: '/article/', fr: '/fr/article/', ar: '/ar/article/' };

/** An article whose comments are far below the window. */
export const TALL = '/tall/';

const LANGUAGES = `defaultContentLanguage = "en"
[languages.en]
  weight = 1
  [languages.en.params]
    direction = "ltr"
[languages.fr]
  weight = 2
  [languages.fr.params]
    direction = "ltr"
[languages.ar]
  weight = 3
  [languages.ar.params]
    direction = "rtl"
`;

const LAYOUT = `<!doctype html>
<html lang="{{ site.Language.Lang }}" dir="{{ site.Params.direction }}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ .Title }}</title>
<link rel="stylesheet" href="/theme.css">
</head>
<body>
<main>
<article>
<h1>{{ .Title }}</h1>
<div class="text{{ if .Params.tall }} tall{{ end }}">{{ .Content }}</div>
{{ partial "comments.html" . }}
</article>
</main>
</body>
</html>
`;

const THEME = `:root { color-scheme: light dark; font: 1rem/1.5 sans-serif; }
body { max-inline-size: 40rem; margin: 1rem auto; padding-inline: 1rem; }
a:any-link { color: inherit; }
.tall { block-size: 5000px; }
`;

const FILES = {
  'static/theme.css': THEME,
  'layouts/_default/single.html': LAYOUT,
  'layouts/_default/list.html':
    '{{ range site.RegularPages }}{{ partial "stacosys/count.html" . }}\n{{ end }}',
  'content/article.en.md': '---\ntitle: On mending\n---\nA seam that held for eleven winters.\n',
  'content/article.fr.md': '---\ntitle: Réparer\n---\nUne couture qui a tenu onze hivers.\n',
  'content/article.ar.md': '---\ntitle: عن الإصلاح\n---\nدرزة صمدت أحد عشر شتاء.\n',
  'content/tall.en.md': '---\ntitle: A long read\ntall: true\n---\nIt goes on and on.\n',
  'data/stacosys/counts.json': '{}',
};

/**
 * A site with parameters alone is built once for all tests of a file.
 *
 * @param {TestContext} t
 * @param {object} [options]
 * @param {string} [options.params] lines of [params.stacosys]
 * @param {Record<string, string>} [options.files] which replace those of the site
 * @param {string} [options.version] of Hugo, where there are files
 * @returns {string} the folder of its pages
 */
export function readingSite(t, { params = '', files, version } = {}) {
  const config = { 'hugo.toml': `${CONFIG}${LANGUAGES}[params.stacosys]\n${params}\n` };
  if (files) return inlineSite(t, { ...FILES, ...config, ...files }, version);
  const folder = built.get(params) ?? inlineSite(UNTIL_THE_END, { ...FILES, ...config });
  built.set(params, folder);
  return folder;
}

/** @type {Map<string, string>} parameters → folder */
const built = new Map();

const UNTIL_THE_END = /** @type {TestContext} */ ({
  after: (clean) => void process.once('exit', () => clean?.(UNTIL_THE_END, () => {})),
});

/**
 * @param {TestContext} t
 * @param {string} database of Stacosys
 * @returns {Record<string, string>} what `stacosys-hook bake` writes into the site: path → text
 */
export function bakedFrom(t, database) {
  const folder = makeSite(t, FILES);
  const bin = join(ROOT, 'stacosys-hook', 'bin.js');
  execFileSync(process.execPath, [bin, 'bake', '--quiet', '--db', database, '--source', folder]);
  const files = ['counts', 'spellings', 'forms'].map((name) => `data/stacosys/${name}.json`);
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

/**
 * @param {Partial<Comment>} [fields]
 * @returns {Comment}
 */
export function comment(fields) {
  return { author: 'Wren', content: 'Well said.', date: '2024-05-06 07:08:09', avatar: '', ...fields };
}

/**
 * @param {Comment[]} comments
 * @returns {() => Response} the same answer for every url
 */
export function always(...comments) {
  return () => Response.json({ data: comments });
}

/**
 * Waits until the reader is told of an event: `load`, `busy`, `click`, `error`.
 *
 * @param {Page} page
 * @param {string} event
 */
export async function told(page, event) {
  await page.locator(`.stacosys-status .on-${event}`).waitFor({ state: 'attached' });
}

/** @param {Page} page */
export async function scrollToComments(page) {
  await page.locator('#comments').evaluate((section) => section.scrollIntoView());
}

/** @param {Page} page */
export function framesPassed(page) {
  return page.evaluate(async () => {
    for (let left = 4; left > 0; left -= 1) await new Promise(requestAnimationFrame);
    await new Promise((done) => void setTimeout(done));
  });
}

/**
 * @param {Page} page
 * @returns {Promise<Shown[]>}
 */
export function shown(page) {
  return page.locator('.stacosys-list > li').evaluateAll((items) =>
    items.map((item) => {
      const author = item.querySelector('.stacosys-author');
      const time = item.querySelector('time');
      return {
        id: item.id,
        author: author?.textContent ?? '',
        site: author?.querySelector('a')?.getAttribute('href') ?? null,
        rel: author?.querySelector('a')?.rel ?? '',
        date: (time?.textContent ?? '').replace(/\s/g, ' '),
        datetime: time?.dateTime ?? '',
        permalink: item.querySelector('.stacosys-permalink')?.getAttribute('href') ?? null,
        text: item.querySelector('.stacosys-content')?.textContent ?? '',
      };
    }),
  );
}

/**
 * @param {import('../browser.js').Site} site
 * @returns {string[]} the urls that the browser asked the API for, decoded
 */
export function askedFor({ requests }) {
  return requests
    .filter(({ url }) => url.startsWith('/api/'))
    .map(({ url }) => {
      const { pathname, searchParams } = new URL(url, 'http://api.example');
      return pathname === '/api/comments' ? (searchParams.get('url') ?? '') : pathname;
    });
}

/**
 * @param {Page} page
 * @param {string} address
 * @returns {string[]} grows with every request to another origin
 */
export function requestsElsewhere(page, address) {
  /** @type {string[]} */
  const elsewhere = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${address}/`)) elsewhere.push(request.url());
  });
  return elsewhere;
}

const WINDOWS = { phone: PHONE, desktop: DESKTOP };

/** @type {('light' | 'dark')[]} */
const SCHEMES = ['light', 'dark'];

/** Every window, light and dark. */
const VIEWS = Object.entries(WINDOWS).flatMap(([device, size]) =>
  SCHEMES.map((colorScheme) => ({ size, colorScheme, name: `${device}-${colorScheme}` })),
);

/**
 * Looks at a page on a phone and a desk, light and dark: axe finds nothing, nothing is wider than the
 * window, every button can be seen, and a picture is there to look at.
 *
 * @param {Page} page
 * @param {string} name of the pictures
 * @param {string[]} [views] the names of those that matter
 */
export async function looksRight(page, name, views = VIEWS.map((view) => view.name)) {
  for (const view of VIEWS.filter((candidate) => views.includes(candidate.name))) {
    const where = `${name}-${view.name}`;
    await page.setViewportSize(view.size);
    await page.emulateMedia({ colorScheme: view.colorScheme });
    await screenshot(page, `reading-${where}`);
    assert.equal(await overflow(page), 0, where);
    assert.deepEqual(await invisibleButtons(page), [], where);
    assert.deepEqual(await violations(page), [], where);
  }
}

/**
 * Letters in the colour of what is behind them, which axe takes for a decision.
 *
 * @param {Page} page
 * @returns {Promise<string[]>} their texts
 */
function invisibleButtons(page) {
  return page.locator('.stacosys button').evaluateAll((buttons) =>
    buttons
      .filter((button) => {
        const { color, backgroundColor } = getComputedStyle(button);
        return color === backgroundColor;
      })
      .map((button) => button.textContent ?? ''),
  );
}
