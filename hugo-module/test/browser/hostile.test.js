import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { CommentTable } from '../../../scripts/comment-table.js';
import { devStacosys } from '../../../scripts/dev-stacosys.js';
import { writeDatabase } from '../../../scripts/stacosys-database.js';
import { temporaryFolder } from '../../../stacosys-hook/test/database.js';
import { DESKTOP, PHONE, answeredBy, overflow, serve, visit } from '../browser.js';
import { HOSTILE, SITES, URLS } from './hostile-comments.js';
import { strangers, targets, timesProbed, touchEverything, visitWithProbe, words } from './probe.js';
import {
  ARTICLES,
  always,
  askedFor,
  bakedFrom,
  comment,
  looksRight,
  readingSite,
  shown,
  told,
} from './reading-site.js';

const COMMENTS = HOSTILE.map((hostile) => hostile.comment);

for (const bypassCSP of [false, true]) {
  const policy = bypassCSP ? 'without a policy' : 'under the policy';
  test(`hostile comments run nothing and ask for nothing (${policy})`, async (t) => {
    assert.ok(HOSTILE.length >= 60);
    const site = await serve(t, readingSite(t), always(...COMMENTS));
    const { page, problems, elsewhere } = await visitWithProbe(t, site.address, ARTICLES.en, { bypassCSP });
    await told(page, 'load');
    assert.equal(await page.locator('.stacosys-list > li').count(), HOSTILE.length);
    assert.equal(await page.locator('.stacosys-number').textContent(), String(HOSTILE.length));
    await touchEverything(page);
    await page.waitForLoadState('networkidle');
    assert.equal(await timesProbed(page), 0);
    assert.deepEqual(await strangers(page), []);
    assert.deepEqual(await targets(page), ['http:', 'https:']);
    assert.deepEqual(elsewhere, []);
    assert.deepEqual(problems, []);
  });
}

test('a hostile comment is text, whole', async (t) => {
  const site = await serve(t, readingSite(t), always(...COMMENTS));
  const { page } = await visit(t, site.address + ARTICLES.en);
  await told(page, 'load');
  const list = await shown(page);
  for (const [index, { what, comment }] of HOSTILE.entries()) {
    const item = list[index];
    assert.equal(item?.author.toWellFormed(), String(comment.author).toWellFormed(), what);
    assert.equal(words(item?.text), words(comment.content), what);
    assert.equal(item?.id, `comment-${String(comment.date).replace(/\D/g, '')}`, what);
  }
});

test('a site is a link where it is an address of the web, and nowhere else', async (t) => {
  const comments = Object.keys(SITES).map((address) => comment({ site: address }));
  const site = await serve(t, readingSite(t), always(...comments));
  const { page } = await visit(t, site.address + ARTICLES.en);
  await told(page, 'load');
  for (const [index, [address, isOfWeb]] of Object.entries(SITES).entries()) {
    const item = (await shown(page))[index];
    assert.equal(item?.site, isOfWeb ? address : null);
  }
});

/** @type {Record<string, string[]>} axe takes its time over so many comments: all views in one language */
const VIEWS = { fr: ['phone-dark'], ar: ['phone-light', 'desktop-dark'] };

for (const [language, path] of Object.entries(ARTICLES)) {
  test(`a hostile list is accessible and fits (${language})`, async (t) => {
    const site = await serve(t, readingSite(t, { params: 'avatars = "initials"' }), always(...COMMENTS));
    const { page, problems } = await visit(t, site.address + path);
    await told(page, 'load');
    await looksRight(page, `hostile-${language}`, VIEWS[language]);
    assert.deepEqual(problems, []);
  });
}

test('a word of 100 KB fits, wherever it stands', async (t) => {
  const word = 'w'.repeat(100_000);
  const contents = [word, `\`${word}\``, `\`\`\`\n${word}`, `> - ${word}`, `https://evil.example/${word}`];
  const comments = [
    ...contents.map((content) => comment({ content })),
    comment({ author: word }),
    comment({ site: `https://evil.example/${word}` }),
  ];
  const site = await serve(t, readingSite(t, { params: 'avatars = "initials"' }), always(...comments));
  for (const path of [ARTICLES.en, ARTICLES.ar]) {
    const { page, problems } = await visit(t, site.address + path);
    await told(page, 'load');
    for (const size of [PHONE, DESKTOP]) {
      await page.setViewportSize(size);
      assert.equal(await overflow(page), 0, `${path} ${size.width}`);
    }
    assert.deepEqual(problems, []);
  }
});

test('hostile avatars stay pictures of Gravatar', async (t) => {
  const site = await serve(t, readingSite(t, { params: 'avatars = "gravatar"' }), always(...COMMENTS));
  const { page } = await visit(t, site.address + ARTICLES.en, { bypassCSP: true });
  await page.route('https://www.gravatar.com/**', (route) => route.abort());
  await told(page, 'load');
  const sources = await page
    .locator('.stacosys-list img')
    .evaluateAll((images) => images.map((image) => /** @type {HTMLImageElement} */ (image).src));
  assert.equal(sources.length, HOSTILE.length);
  for (const source of sources) assert.ok(source.startsWith('https://www.gravatar.com/'), source);
});

test('comments under hostile urls are all there, and the page is as if they were not hostile', async (t) => {
  const database = join(temporaryFolder(t), 'db.sqlite');
  writeDatabase(database, URLS.map(underUrl));
  const stacosys = devStacosys({ comments: new CommentTable(database) });
  const folder = readingSite(t, { files: bakedFrom(t, database) });
  const site = await serve(t, folder, await answeredBy(t, stacosys));
  const { page, problems, elsewhere } = await visitWithProbe(t, site.address, ARTICLES.en);
  assert.equal(await page.locator('.stacosys-number').textContent(), String(URLS.length));
  await told(page, 'load');
  const texts = (await shown(page)).map(({ text }) => text);
  assert.deepEqual(
    texts,
    URLS.map((_, index) => `Comment ${index}`),
  );
  assert.deepEqual(askedFor(site).sort(), [...URLS].sort());
  const attributes = await page.locator('#comments').evaluate((section) => section.getAttributeNames());
  assert.deepEqual(attributes, ['class', 'id', 'lang', 'data-requests', 'aria-labelledby']);
  assert.equal(await page.locator('[name=url]').inputValue(), '/article/');
  assert.equal(await timesProbed(page), 0);
  assert.equal(await page.locator('script').count(), 1);
  assert.equal(await overflow(page), 0);
  assert.deepEqual(elsewhere, []);
  assert.deepEqual(problems, []);
});

/**
 * @param {string} url
 * @param {number} index
 */
function underUrl(url, index) {
  const published = `2024-01-02 10:00:${String(index).padStart(2, '0')}`;
  return { url, author: 'Mallory', content: `Comment ${index}`, created: published, published };
}
