import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { HUGO_OLDEST } from '../../../scripts/tools.js';
import { DESKTOP, PHONE, exampleSite, overflow, screenshot, serve, violations, visit } from '../browser.js';
import { STRICT, build } from '../hugo-site.js';

/** @typedef {import('playwright-core').Page} Page */

const START = '/docs/getting-started/';
const INDEX = '/docs/index.json';

/** @type {('light' | 'dark')[]} */
const SCHEMES = ['light', 'dark'];

/** @param {Page} page */
const partsOf = (page) => ({
  field: page.getByRole('searchbox', { name: 'Search the documentation' }),
  results: page.locator('.docs-results a'),
  status: page.getByRole('search').getByRole('status'),
});

test('results come as a reader types, the best first, and lead to the part of the page', async (t) => {
  const site = await serve(t, (await exampleSite()).output);
  const { page, problems } = await visit(t, site.address + START);
  const { field, results, status } = partsOf(page);
  await field.pressSequentially('maxlength');
  await results.first().waitFor();
  assert.equal(await results.first().innerText(), 'Parameters: All parameters');
  assert.match(await status.innerText(), /^\d+ results?$/);
  assert.match((await page.locator('.docs-results mark').first().innerText()).toLowerCase(), /^maxlength$/);
  await results.first().click();
  await page.waitForURL(`${site.address}/docs/parameters/#all-parameters`);
  assert.deepEqual(problems, []);
});

test('a title counts for more than a text, and every word must be there', async (t) => {
  const site = await serve(t, (await exampleSite()).output);
  const { page } = await visit(t, site.address + START);
  const { field, results, status } = partsOf(page);
  await field.fill('isso');
  await results.first().waitFor();
  assert.equal(await results.first().innerText(), 'Coming from: Isso');
  await field.fill('isso qwertz');
  await page.waitForFunction(() => document.querySelectorAll('.docs-results a').length === 0);
  assert.equal(await status.innerText(), 'Nothing found');
  await field.fill('the');
  await results.first().waitFor();
  assert.equal(await results.count(), 12);
  assert.match(await status.innerText(), /^\d\d results, the first 12 are shown$/);
  await field.fill('');
  await page.waitForFunction(() => document.querySelectorAll('.docs-results a').length === 0);
  assert.equal(await status.innerText(), '');
});

test('the keyboard is enough: arrows, Enter, Escape', async (t) => {
  const site = await serve(t, (await exampleSite()).output);
  const { page, problems } = await visit(t, site.address + START);
  const { field, results } = partsOf(page);
  const focused = () =>
    page.evaluate(() => document.activeElement?.textContent || document.activeElement?.id);
  await field.focus();
  await page.keyboard.type('nginx');
  await results.nth(1).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.equal(await focused(), await results.nth(1).textContent());
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  assert.equal(await focused(), 'docs-query');
  await page.keyboard.press('Escape');
  assert.equal(await field.inputValue(), '');
  assert.equal(await results.count(), 0);
  await page.keyboard.type('isso');
  await results.first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${site.address}/docs/coming-from/#isso`);
  assert.deepEqual(problems, []);
});

test('signs that mean something in a pattern or in HTML are searched for as they are', async (t) => {
  const site = await serve(t, (await exampleSite()).output);
  const { page, problems } = await visit(t, site.address + START);
  const { field, status } = partsOf(page);
  const marks = page.locator('.docs-results mark');
  for (const query of ['{{', '[params.stacosys]', '$', '(', 'busy-timeout', '.*', '<img/src=x>', '\\p{L}']) {
    await field.fill('');
    await page.waitForFunction(() => document.querySelector('.docs-found')?.textContent === '');
    await field.fill(query);
    await page.waitForFunction(() => document.querySelector('.docs-found')?.textContent !== '');
    const found = await marks.allInnerTexts();
    assert.ok(
      found.every((text) => text === query),
      `${query}: ${found.join(' ')}`,
    );
    if (['{{', '[params.stacosys]', '$', '(', 'busy-timeout'].includes(query)) {
      assert.ok(found.length > 0, query);
    } else assert.equal(await status.innerText(), 'Nothing found', query);
  }
  assert.deepEqual(problems, []);
});

test('the index is asked for once, only by who searches, and what is typed is sent nowhere', async (t) => {
  const site = await serve(t, (await exampleSite()).output);
  const { page } = await visit(t, site.address + START);
  const { field, results } = partsOf(page);
  await page.waitForLoadState('networkidle');
  assert.ok(!site.requests.some(({ url }) => url === INDEX));
  site.requests.length = 0;
  await field.pressSequentially('honeypot');
  await results.first().waitFor();
  assert.deepEqual(
    site.requests.map(({ method, url }) => `${method} ${url}`),
    [`GET ${INDEX}`],
  );
});

test('a reader is told when the search cannot be loaded, and the next letter tries again', async (t) => {
  const site = await serve(t, (await exampleSite()).output);
  const { page } = await visit(t, site.address + START);
  const { field, results, status } = partsOf(page);
  let isDown = true;
  await page.route(`**${INDEX}`, (route) => (isDown ? route.abort() : route.continue()));
  await field.fill('honeypo');
  await page.getByText('The search could not be loaded').waitFor();
  isDown = false;
  await field.pressSequentially('t');
  await results.first().waitFor();
  assert.match(await status.innerText(), /result/);
});

test('the search works in a sub-folder, built by the oldest Hugo', async (t) => {
  const site = dirname((await exampleSite()).output);
  const address = 'https://example.org/blog/';
  const { status, log } = build(site, HUGO_OLDEST, [...STRICT, '--minify', '--baseURL', address], {
    HUGO_PARAMS_STACOSYS_REDIRECT: '/blog/thanks/',
  });
  assert.equal(status, 0, log);
  const root = mkdtempSync(join(tmpdir(), 'hugo-stacosys-sub-folder-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  renameSync(join(site, `public-${HUGO_OLDEST}`), join(root, 'blog'));
  const served = await serve(t, root);
  const { page, problems } = await visit(t, `${served.address}/blog${START}`);
  const { field, results } = partsOf(page);
  await field.fill('gravatar');
  await results.first().waitFor();
  await results.first().click();
  await page.waitForURL(/\/blog\/docs\/[a-z-]+\//);
  assert.ok(await page.getByRole('heading', { level: 1 }).isVisible());
  assert.deepEqual(problems, []);
});

test('without JavaScript there is no search, and the list of all pages', async (t) => {
  const site = await serve(t, (await exampleSite()).output);
  const { page } = await visit(t, site.address + START, { javaScriptEnabled: false });
  assert.ok(!(await page.locator('.docs-search').isVisible()));
  const pages = page.getByRole('navigation', { name: 'Documentation' }).getByRole('link');
  assert.ok((await pages.count()) > 10);
  await pages.getByText('Parameters').click();
  await page.waitForURL(`${site.address}/docs/parameters/`);
});

for (const [device, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
  for (const colorScheme of SCHEMES) {
    test(`a page and its search are accessible and fit (${device}, ${colorScheme})`, async (t) => {
      const site = await serve(t, (await exampleSite()).output);
      const { page, problems } = await visit(t, site.address + START, { viewport, colorScheme });
      const { field, results } = partsOf(page);
      await field.waitFor();
      await screenshot(page, `docs-start-${device}-${colorScheme}`);
      await field.fill('comments');
      await results.first().waitFor();
      await screenshot(page, `docs-search-${device}-${colorScheme}`);
      assert.deepEqual(await violations(page), []);
      assert.equal(await overflow(page), 0);
      assert.deepEqual(problems, []);
    });
  }
}

test('every page of the documentation fits a phone, its tables too, and the home page is accessible', async (t) => {
  const site = await serve(t, (await exampleSite()).output);
  const { page, problems } = await visit(t, `${site.address}/docs/`, { viewport: PHONE });
  assert.deepEqual(await violations(page), []);
  const links = await page
    .locator('.docs-list a:first-child')
    .evaluateAll((all) => all.map((a) => a.getAttribute('href')));
  assert.ok(links.length > 10, String(links));
  let cells = 0;
  for (const link of ['/docs/', ...links]) {
    await page.goto(`${site.address}${link}`);
    assert.equal(await overflow(page), 0, String(link));
    for (const { heading, before } of await page.evaluate(cellsBesideFirst)) {
      assert.equal(before, JSON.stringify(`${heading}: `), `${link}: each cell names its column`);
      cells += 1;
    }
    await screenshot(page, `docs-${String(link).replaceAll('/', '-').slice(6, -1) || 'home'}-phone`);
  }
  assert.ok(cells > 100, String(cells));
  assert.deepEqual(problems, []);
});

/** In the browser: the heading above each cell of a table, and what a style sheet puts before the cell. */
function cellsBesideFirst() {
  return [...document.querySelectorAll('table')].flatMap((table) =>
    [...table.querySelectorAll('td:not(:first-child, :empty)')].map((cell) => ({
      heading: table.tHead?.rows[0]?.cells[/** @type {HTMLTableCellElement} */ (cell).cellIndex]?.textContent,
      before: getComputedStyle(cell, '::before').content.replaceAll('" "', ''),
    })),
  );
}

test('a page of tables is accessible on a desk', async (t) => {
  const site = await serve(t, (await exampleSite()).output);
  const { page } = await visit(t, `${site.address}/docs/parameters/`, { colorScheme: 'dark' });
  assert.deepEqual(await violations(page), []);
  await screenshot(page, 'docs-parameters-desktop-dark');
});
