import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HUGO_VERSIONS } from '../../../scripts/tools.js';
import { bakedFiles } from '../baked-files.js';
import { inlineSite, serve, visit } from '../browser.js';
import { CONFIG } from '../hugo-site.js';
import { COMMENTS } from './ordinary-comments.js';
import { ARTICLES, always, comment, readingSite, told } from './reading-site.js';

/** @typedef {import('playwright-core').Page} Page */

const HASH = '0123456789abcdef0123456789abcdef';
const SITES = [
  'https://wren.example/a?b=c&d=e#f',
  '',
  undefined,
  'http://wren.example',
  'ftp://wren.example',
];
const NAMES = ['Wren', 'Élodie d’Ys', '👩‍🌾 Farmer', 'أحمد', "O'Hara + Söhne", '<b>Bob</b>', '日本'];

/** Now and then two in one second; of each name, site and avatar some. */
const ORDINARY = COMMENTS.map(([, content], index) =>
  comment({
    author: NAMES[index % NAMES.length],
    content,
    date: `2024-0${1 + (index % 9)}-02 ${String(index % 24).padStart(2, '0')}:30:00`,
    site: SITES[index % SITES.length],
    avatar: index % 2 ? HASH : '',
  }),
).sort((one, other) => String(one.date).localeCompare(String(other.date)));

/** The languages of the module, all of whose dates look otherwise. */
const LANGUAGES = ['en', 'fr', 'de', 'es', 'it', 'nl', 'pl', 'pt', 'ar'];

/** And two of which the browser knows more than the module. */
const VARIANTS = ['en-gb', 'pt-br'];

/** Midnight, noon, one digit and two, in each month. */
const DATES = Array.from({ length: 12 }, (_, month) =>
  ['03 00:00:00', '09 02:05:59', '15 12:09:00', '28 23:30:30'].map(
    (rest) => `2024-${String(month + 1).padStart(2, '0')}-${rest}`,
  ),
).flat();

test('the comments compared are of every kind', () => {
  assert.ok(ORDINARY.length > 100);
  const days = ORDINARY.map(({ date }) => date);
  assert.ok(new Set(days).size < days.length, 'two of one second');
});

for (const avatars of ['none', 'initials', 'gravatar']) {
  test(`the baked list is the one that the browser builds (avatars = "${avatars}")`, async (t) => {
    const lines = `avatars = "${avatars}"\n`;
    const paths = [ARTICLES.en, ARTICLES.fr];
    const files = bakedFiles(Object.fromEntries(paths.map((path) => [path, ORDINARY])));
    const baked = await serve(t, readingSite(t, { params: `${lines}comments = "baked"`, files }));
    const live = await serve(t, readingSite(t, { params: lines }), always(...ORDINARY));
    for (const path of paths) {
      const built = await visit(t, live.address + path);
      await told(built.page, 'load');
      const read = await visit(t, baked.address + path);
      const [expected, actual] = [await listOf(built.page), await listOf(read.page)];
      assert.equal(actual.length, ORDINARY.length);
      for (const [index, html] of expected.entries()) assert.equal(actual[index], html);
      assert.equal(
        await read.page.locator('.stacosys-number').textContent(),
        await built.page.locator('.stacosys-number').textContent(),
      );
    }
  });
}

test('a baked date is what the browser shows, in each language and month', async (t) => {
  const languages = [...LANGUAGES, ...VARIANTS];
  const tables = languages.map((language) => `[languages.${language}]\nweight = 1\n`).join('');
  const files = {
    'hugo.toml': `${CONFIG}defaultContentLanguageInSubdir = true\n${tables}[params.stacosys]\ncomments = "baked"\n`,
    'layouts/_default/single.html': '<!doctype html>{{ partial "stacosys/comments.html" . }}',
    ...Object.fromEntries(
      languages.map((language) => [`content/article.${language}.md`, '---\ntitle: x\n---\n']),
    ),
    ...bakedFiles(
      Object.fromEntries(
        languages.map((language) => [`/${language}/article/`, DATES.map((date) => comment({ date }))]),
      ),
    ),
  };
  for (const version of HUGO_VERSIONS) {
    const site = await serve(t, inlineSite(t, files, version));
    const { page } = await visit(t, 'about:blank', { timezoneId: 'America/New_York' });
    for (const language of languages) {
      await page.goto(`${site.address}/${language}/article/`);
      const { texts, expected } = await datesOf(page);
      assert.equal(texts.length, DATES.length);
      assert.deepEqual(texts, expected, `${language}, Hugo ${version}`);
    }
  }
});

/**
 * The list without the spaces that HTML does not show: a template has a line per element, a library one
 * per block, and both leave blanks at the start of a line.
 *
 * @param {Page} page
 * @returns {Promise<string[]>} the HTML of each comment
 */
function listOf(page) {
  return page.locator('.stacosys-list > li').evaluateAll((items) =>
    items.map((item) => {
      item.normalize();
      const texts = document.createTreeWalker(item, NodeFilter.SHOW_TEXT);
      /** @type {Text[]} */
      const between = [];
      for (let node; (node = /** @type {Text | null} */ (texts.nextNode()));) {
        const { parentElement: parent, previousSibling: previous } = node;
        const isIndented = previous ? previous.nodeName === 'BR' : parent?.matches('p');
        if (isIndented) node.data = node.data.trimStart();
        if (parent?.matches('.stacosys-comment, .stacosys-meta, .stacosys-content, blockquote, ul, ol, li')) {
          between.push(node);
        }
      }
      for (const node of between) if (!node.data.replace(/[ \n]/g, '')) node.remove();
      return item.outerHTML;
    }),
  );
}

/**
 * @param {Page} page
 * @returns {Promise<{texts: string[], expected: string[]}>} what the page shows, and what the script of the live list would
 */
function datesOf(page) {
  return page.locator('.stacosys-date[datetime]').evaluateAll((times) => {
    const { lang } = /** @type {HTMLElement} */ (document.querySelector('section.stacosys'));
    const options = /** @type {const} */ ({ dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
    return {
      texts: times.map((time) => time.textContent ?? ''),
      expected: times.map((time) => {
        const { dateTime } = /** @type {HTMLTimeElement} */ (time);
        return new Date(`${dateTime.replace(' ', 'T')}Z`).toLocaleString(lang, options);
      }),
    };
  });
}
