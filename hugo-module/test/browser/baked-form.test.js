import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { bakedFiles } from '../baked-files.js';
import { PHONE, overflow, serve, visit } from '../browser.js';
import { ARTICLES, TALL, askedFor, comment, looksRight, readingSite, shown } from './reading-site.js';
import { ACCEPTED, ENGLISH, heard, listed, ofScripts, partsOf, send, sent, told, write } from './writing.js';

/**
 * @typedef {import('node:test').TestContext} TestContext
 * @typedef {import('playwright-core').Page} Page
 * @typedef {import('./reading-site.js').Comment} Comment
 */

const CONVERSATION = [
  comment({ author: 'Alice', content: 'Well **said**.', site: 'https://alice.example/' }),
  comment({
    author: 'Bob',
    content: '> Well said.\n\nIndeed: `hugo`\n\n- one\n- two',
    date: '2024-05-07 20:00:00',
  }),
  comment({ author: 'Zoé', content: 'See https://example.com/', date: '2024-05-08 09:00:00' }),
];

const MANY = Array.from({ length: 60 }, (_, index) =>
  comment({ content: `Number ${index}`, date: `2024-01-01 10:${String(index).padStart(2, '0')}:00` }),
);

const NO_SCRIPTS = { javaScriptEnabled: false };

/**
 * @param {TestContext} t
 * @param {Comment[]} [comments]
 * @param {string} [lines] of [params.stacosys]
 */
function bakedSite(t, comments = CONVERSATION, lines = '') {
  const paths = [...Object.values(ARTICLES), TALL];
  const files = bakedFiles(Object.fromEntries(paths.map((path) => [path, comments])));
  return readingSite(t, { params: `comments = "baked"\n${lines}`, files });
}

/**
 * @param {TestContext} t
 * @param {string} [folder]
 */
async function article(t, folder = bakedSite(t)) {
  const site = await serve(t, folder, ACCEPTED);
  return { ...(await visit(t, site.address + ARTICLES.en)), site };
}

test('a reader without JavaScript reads all comments, asks for none, and can write one', async (t) => {
  const site = await serve(t, bakedSite(t), ACCEPTED);
  const { page, problems } = await visit(t, site.address + ARTICLES.en, { ...NO_SCRIPTS, viewport: PHONE });
  const { comments, author, message, button } = partsOf(page);
  assert.equal(await comments.count(), 3);
  for (const item of await comments.all()) assert.ok(await item.isVisible());
  assert.equal(await page.locator('.stacosys-number').innerText(), '3');
  assert.equal(await page.locator('noscript, .stacosys-status').count(), 0);
  assert.equal(await overflow(page), 0);
  assert.deepEqual(askedFor(site), []);
  await author.fill('Ann');
  await message.fill('One\nTwo');
  await button.click();
  await page.waitForURL(`${site.address}/thanks/`);
  assert.deepEqual(sent(site), [
    [
      ['url', ARTICLES.en],
      ['author', 'Ann'],
      ['site', ''],
      ['message', 'One\r\nTwo'],
      ['remarque', ''],
    ],
  ]);
  assert.deepEqual(ofScripts(problems), []);
});

test('a page with baked comments asks for itself, a style, a script and an icon', async (t) => {
  const { page, problems, site } = await article(t);
  await page.waitForLoadState('networkidle');
  const kinds = site.requests.map(({ url }) => url.replace(/\.[0-9a-f]{64}\./, '.')).sort();
  assert.deepEqual(kinds, [
    ARTICLES.en,
    '/favicon.ico',
    '/stacosys/baked.js',
    '/stacosys/stacosys.min.css',
    '/theme.css',
  ]);
  assert.deepEqual(problems, []);
});

test('an address of a comment leads there, with or without a script', async (t) => {
  const site = await serve(t, bakedSite(t, MANY));
  for (const javaScriptEnabled of [true, false]) {
    const id = `comment-20240101104200`;
    const { page } = await visit(t, `${site.address}${TALL}#${id}`, { javaScriptEnabled });
    const target = page.locator(':target');
    assert.equal(await target.getAttribute('id'), id);
    const top = async () => (await target.boundingBox())?.y ?? NaN;
    assert.ok((await top()) >= 0 && (await top()) < 200, `${await top()}`);
  }
});

test('an own comment waits below the list as plain text, until the page is built with it', async (t) => {
  const { page, problems, site } = await article(t);
  const { pending, comments } = partsOf(page);
  const message = 'One\ntwo **three** <b onclick="x()">four</b>\n\nfive';
  await write(page, { author: 'Ann', site: 'https://ann.example', message });
  await send(page);
  assert.equal(await told(page), ENGLISH.stacosysSent);
  for (const reload of [false, true]) {
    if (reload) await page.reload();
    await listed(page, 4);
    assert.equal(await comments.last().innerText(), await pending.innerText(), 'it is the last one');
    assert.equal(await pending.locator('.stacosys-pending').innerText(), ENGLISH.stacosysPending);
    assert.equal(await pending.locator('.stacosys-author a').getAttribute('href'), 'https://ann.example');
    assert.equal(await pending.locator('.stacosys-content').innerText(), message);
    assert.equal(await pending.locator('time, a[href^="#"]').count(), 0);
    assert.equal(await page.locator('.stacosys-number').textContent(), '3');
  }
  await page.goto(site.address + ARTICLES.fr);
  assert.equal(await pending.count(), 0, 'on another page');
  const published = comment({
    author: ' Ann',
    content: message.replaceAll('\n', '\r\n'),
    date: '2024-06-01 10:00:00',
  });
  await showBuilt(page, bakedSite(t, [...CONVERSATION, published]));
  await page.goto(site.address + ARTICLES.en);
  assert.equal(await comments.count(), 4);
  assert.equal(await pending.count(), 0, 'once it is published');
  assert.equal(await page.locator('.stacosys-number').textContent(), '4');
  assert.deepEqual(problems, []);
});

test('of two that wait, the one that was published goes', async (t) => {
  const { page } = await article(t);
  const { pending } = partsOf(page);
  for (const message of ['First 👍🏽', 'Second']) {
    await write(page, { message });
    await send(page);
    await page.locator('.stacosys-content', { hasText: message }).waitFor();
  }
  assert.deepEqual(await pending.locator('.stacosys-content').allInnerTexts(), ['First 👍🏽', 'Second']);
  const published = comment({ author: 'Ann', content: 'First 👍🏽', date: '2024-06-01 10:00:00' });
  await showBuilt(page, bakedSite(t, [...CONVERSATION, published]));
  await page.reload();
  await listed(page, 5);
  assert.deepEqual(await pending.locator('.stacosys-content').allInnerTexts(), ['Second']);
});

test('the form keeps a draft and, on request, a name; it has no preview', async (t) => {
  const { page, problems } = await article(t);
  const { message, author, remember, preview, summary } = partsOf(page);
  assert.equal(await preview.count(), 0);
  assert.equal(await summary.count(), 0);
  await write(page, { author: 'Ann', message: 'Half a\nthought' });
  await remember.check();
  await page.reload();
  assert.equal(await message.inputValue(), 'Half a\nthought');
  assert.equal(await author.inputValue(), 'Ann');
  assert.deepEqual(problems, []);
});

test('a comment that is not taken is kept, not shown, and told', async (t) => {
  const { page, site } = await article(t);
  const events = await heard(page);
  site.api = () => new Response('', { status: 413 });
  await write(page, { message: 'Long' });
  await send(page);
  assert.equal(await told(page), ENGLISH.stacosysTooLong);
  assert.equal(await partsOf(page).message.inputValue(), 'Long');
  assert.equal(await partsOf(page).pending.count(), 0);
  site.api = ACCEPTED;
  await send(page);
  assert.equal(await told(page), ENGLISH.stacosysSent);
  assert.equal(await partsOf(page).pending.count(), 1);
  assert.deepEqual(await events(), ['stacosys:error on #comments', 'stacosys:sent on #comments']);
});

test('all but keeping works where storage is switched off', async (t) => {
  const site = await serve(t, bakedSite(t), ACCEPTED);
  const { page, problems } = await visit(t, 'about:blank');
  await page.addInitScript(() => {
    for (const area of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, area, {
        get() {
          throw new DOMException('Denied', 'SecurityError');
        },
      });
    }
  });
  await page.goto(site.address + ARTICLES.en);
  await write(page);
  await send(page);
  assert.equal(await told(page), ENGLISH.stacosysSent);
  assert.equal(await partsOf(page).pending.count(), 1);
  assert.equal(await partsOf(page).message.inputValue(), '');
  assert.deepEqual(problems, []);
});

test('a page without a comment shows the first one that its reader writes', async (t) => {
  const { page, problems } = await article(t, bakedSite(t, []));
  assert.deepEqual(await shown(page), []);
  await write(page);
  await send(page);
  await listed(page, 1);
  assert.equal(await page.locator('.stacosys-number').textContent(), '0');
  assert.deepEqual(problems, []);
});

for (const [language, path] of Object.entries(ARTICLES)) {
  test(`baked comments, and one that waits, are accessible and fit (${language})`, async (t) => {
    const avatars = language === 'fr' ? 'none' : 'initials';
    const site = await serve(t, bakedSite(t, CONVERSATION, `avatars = "${avatars}"`), ACCEPTED);
    const { page, problems } = await visit(t, site.address + path);
    await write(page, { message: 'It waits.\n\nIn **two** lines.' });
    await send(page);
    await told(page);
    await looksRight(page, `baked-${language}`);
    assert.deepEqual(problems, []);
  });
}

/**
 * From now on, the pages of another build answer, as after a deployment.
 *
 * @param {Page} page
 * @param {string} folder
 */
async function showBuilt(page, folder) {
  await page.route('**/article/', (route) =>
    route.fulfill({ path: join(folder, new URL(route.request().url()).pathname, 'index.html') }),
  );
}
