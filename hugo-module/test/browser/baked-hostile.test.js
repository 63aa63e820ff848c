import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HUGO_VERSIONS } from '../../../scripts/tools.js';
import { bakedFiles } from '../baked-files.js';
import { overflow, serve, visit } from '../browser.js';
import { HOSTILE, SITES } from './hostile-comments.js';
import { strangers, targets, timesProbed, touchEverything, visitWithProbe, words } from './probe.js';
import { ARTICLES, askedFor, comment, looksRight, readingSite, shown } from './reading-site.js';

/** @typedef {import('node:test').TestContext} TestContext */

const COMMENTS = HOSTILE.map((hostile) => hostile.comment);
const UNSAFE = '[markup.goldmark.renderer]\nunsafe = true';

/**
 * @param {TestContext} t
 * @param {object} [options]
 * @param {string} [options.lines] of the configuration, from [params.stacosys] on
 * @param {string} [options.version] of Hugo
 * @param {import('./reading-site.js').Comment[]} [options.comments]
 */
function bakedSite(t, { lines = '', version, comments = COMMENTS } = {}) {
  const files = bakedFiles(Object.fromEntries(Object.values(ARTICLES).map((path) => [path, comments])));
  return readingSite(t, { params: `comments = "baked"\n${lines}`, files, version });
}

/** @param {string} folder */
function pagesOf(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /article\/index\.html$/.test(file),
  );
  assert.equal(files.length, Object.keys(ARTICLES).length);
  return Object.fromEntries(files.sort().map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

for (const [name, lines] of Object.entries({ 'as it is': '', 'that allows HTML in Markdown': UNSAFE })) {
  test(`baked hostile comments run nothing and ask for nothing, in a Hugo ${name}`, async (t) => {
    assert.ok(HOSTILE.length >= 60);
    const [oldest = '', latest = ''] = HUGO_VERSIONS.map((version) => bakedSite(t, { lines, version }));
    assert.deepEqual(pagesOf(oldest), pagesOf(latest));
    for (const bypassCSP of [false, true]) {
      const site = await serve(t, latest);
      const { page, problems, elsewhere } = await visitWithProbe(t, site.address, ARTICLES.en, { bypassCSP });
      assert.equal(await page.locator('.stacosys-list > li').count(), HOSTILE.length);
      assert.equal(await page.locator('.stacosys-number').textContent(), String(HOSTILE.length));
      await touchEverything(page);
      await page.waitForLoadState('networkidle');
      assert.equal(await timesProbed(page), 0);
      assert.equal(await page.locator('script').count(), 1);
      assert.deepEqual(await strangers(page), []);
      assert.deepEqual(await targets(page), ['http:', 'https:']);
      assert.deepEqual(askedFor(site), []);
      assert.deepEqual(elsewhere, []);
      assert.deepEqual(problems, []);
    }
  });
}

test('a baked hostile comment is text, whole', async (t) => {
  const site = await serve(t, bakedSite(t));
  const { page } = await visit(t, site.address + ARTICLES.en);
  const list = await shown(page);
  for (const [index, { what, comment }] of HOSTILE.entries()) {
    const item = list[index];
    const author = String(comment.author).toWellFormed().replaceAll('\0', '\ufffd');
    assert.equal(item?.author, author, what);
    assert.equal(words(item?.text), words(comment.content), what);
    assert.equal(item?.id, `comment-${String(comment.date).replace(/\D/g, '')}`, what);
  }
});

test('a baked site is a link where it is an address of the web, and nowhere else', async (t) => {
  const comments = Object.keys(SITES).map((address) => comment({ site: address }));
  const site = await serve(t, bakedSite(t, { comments }));
  const { page } = await visit(t, site.address + ARTICLES.en);
  const links = await shown(page);
  for (const [index, [address, isOfWeb]] of Object.entries(SITES).entries()) {
    assert.equal(links[index]?.site !== null, isOfWeb, address);
  }
});

test('baked hostile avatars stay pictures of Gravatar', async (t) => {
  const site = await serve(t, bakedSite(t, { lines: 'avatars = "gravatar"' }));
  const { page, problems } = await visit(t, 'about:blank', { bypassCSP: true });
  await page.route('https://www.gravatar.com/**', (route) => route.abort());
  await page.goto(site.address + ARTICLES.en);
  const sources = await page
    .locator('.stacosys-list img')
    .evaluateAll((images) => images.map((image) => /** @type {HTMLImageElement} */ (image).src));
  assert.equal(sources.length, HOSTILE.length);
  assert.deepEqual([...new Set(sources)], ['https://www.gravatar.com/avatar/?d=mp'], 'none is a hash');
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('ERR_FAILED')),
    [],
  );
});

/** @type {Record<string, string[]>} axe takes its time over so many comments: all views in one language */
const VIEWS = { fr: ['phone-dark'], ar: ['phone-light', 'desktop-dark'] };

for (const [language, path] of Object.entries(ARTICLES)) {
  test(`a baked hostile list is accessible and fits (${language})`, async (t) => {
    const site = await serve(t, bakedSite(t, { lines: 'avatars = "initials"' }));
    const { page, problems } = await visit(t, site.address + path);
    await looksRight(page, `baked-hostile-${language}`, VIEWS[language]);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(problems, []);
  });
}
