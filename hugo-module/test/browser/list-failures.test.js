import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve, visit } from '../browser.js';
import {
  ARTICLES,
  TALL,
  always,
  askedFor,
  comment,
  framesPassed,
  looksRight,
  readingSite,
  scrollToComments,
  shown,
  told,
} from './reading-site.js';

/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {import('../browser.js').Api} Api
 */

const html = (/** @type {number} */ status) =>
  new Response('<!doctype html><title>Oops</title><script>alert(1)</script>', {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  });

const json = (/** @type {string} */ body, status = 200) =>
  new Response(body, { status, headers: { 'Content-Type': 'application/json' } });

/** @type {Record<string, Api>} what an API answers that has no comments to give */
const FAILURES = {
  'a broken connection': () => Response.error(),
  'HTML with status 200': () => html(200),
  'nothing at all': () => new Response(null, { status: 204 }),
  'status 401 with HTML': () => html(401),
  'status 401 with JSON': () => json('{"error": "unauthorized"}', 401),
  'status 404': () => html(404),
  'status 500': () => html(500),
  'status 502': () => html(502),
  'half of its JSON': () => json('{"data": [{"author": "Wr'),
  'JSON of no object': () => json('null'),
  'an empty object': () => json('{}'),
  'a list': () => json('[]'),
  'a number as its data': () => json('{"data": 3}'),
  'a text as its data': () => json('{"data": "comments"}'),
  'no data': () => json('{"data": null}'),
  'a comment that is null': () => json('{"data": [null]}'),
  'a comment without anything': () => json('{"data": [{}]}'),
  'a comment of numbers': () => json('{"data": [{"author": 1, "content": 2, "date": 3}]}'),
};

for (const [name, api] of Object.entries(FAILURES)) {
  test(`a sentence and a button tell the reader of an API that answers ${name}`, async (t) => {
    const site = await serve(t, readingSite(t), api);
    const { page, problems } = await visit(t, site.address + TALL);
    /** @type {string[]} */
    const asked = [];
    page.on('request', (request) => asked.push(request.url())); // Chromium itself repeats some that broke
    await listenForErrors(page);
    await scrollToComments(page);
    await told(page, 'error');
    assert.equal(await status(page), 'The comments cannot be loaded just now. Try again');
    assert.deepEqual(await shown(page), []);
    await isWhole(page, 'A long read');
    assert.equal(await errorsHeard(page), 1);
    assert.deepEqual(problems.filter(isOfScript), []);

    site.api = always(comment());
    await page.getByRole('button', { name: 'Try again' }).click();
    await told(page, 'load');
    assert.equal((await shown(page)).length, 1);
    assert.equal(await status(page), 'The comments are loaded.');
    assert.equal(await page.locator('.stacosys-number').textContent(), '1');
    assert.equal(await errorsHeard(page), 1);
    assert.equal(asked.length, 2);
    assert.deepEqual(problems.filter(isOfScript), []);
  });
}

test('a reader who was told of a failure can still send a comment', async (t) => {
  const site = await serve(t, readingSite(t), () => json('{"data": [null]}'));
  const { page, problems } = await visit(t, site.address + ARTICLES.en);
  await told(page, 'error');
  site.api = ({ method }) =>
    method === 'POST' ? new Response(null, { status: 302, headers: { Location: '/' } }) : Response.error();
  await page.getByLabel('Name', { exact: true }).fill('Wren');
  await page.getByRole('textbox', { name: 'Comment' }).fill('All the same: thank you.');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('.stacosys-outcome .on-sent, .stacosys-outcome .on-error').waitFor();
  assert.match(await page.locator('.stacosys-outcome').innerText(), /Thank you/);
  assert.equal((await shown(page)).length, 1);
  assert.deepEqual(problems.filter(isOfScript), []);
});

test('one form of the url that fails is a failure: half a conversation is none', async (t) => {
  const files = {
    'data/stacosys/counts.json': '{"/article/": 2}',
    'data/stacosys/forms.json': '{"/article/": ["/article/", "article"]}',
  };
  const site = await serve(t, readingSite(t, { files }), ({ url }) =>
    url.endsWith('=article') ? html(500) : always(comment())(),
  );
  const { page, problems } = await visit(t, site.address + ARTICLES.en);
  await told(page, 'error');
  assert.deepEqual(await shown(page), []);
  assert.equal(await page.locator('.stacosys-number').textContent(), '2');
  site.api = always(comment());
  await page.getByRole('button', { name: 'Try again' }).click();
  await told(page, 'load');
  assert.equal((await shown(page)).length, 2);
  assert.deepEqual(problems.filter(isOfScript), []);
});

test('a reader waits 8 seconds for an answer that never comes, and is told', async (t) => {
  const site = await serve(t, readingSite(t), () => new Promise(() => {}));
  const { page, problems } = await visit(t, site.address + ARTICLES.en);
  await told(page, 'busy');
  assert.equal(await status(page), 'Loading the comments…');
  await isWhole(page, 'On mending');
  await looksRight(page, 'loading', ['phone-dark']);
  await told(page, 'error');
  assert.equal(await status(page), 'The comments cannot be loaded just now. Try again');
  site.api = always(comment());
  await page.getByRole('button', { name: 'Try again' }).click();
  await told(page, 'load');
  assert.equal((await shown(page)).length, 1);
  assert.deepEqual(problems.filter(isOfScript), []);
});

test('an answer in time is shown, however slow', async (t) => {
  const { promise: answered, resolve: answer } = Promise.withResolvers();
  const site = await serve(t, readingSite(t), async () => {
    await answered;
    return always(comment())();
  });
  const { page } = await visit(t, site.address + ARTICLES.en);
  await told(page, 'busy');
  await framesPassed(page);
  answer(null);
  await told(page, 'load');
  assert.equal((await shown(page)).length, 1);
});

test('a reader without a mouse can try again, and again', async (t) => {
  const site = await serve(t, readingSite(t), () => html(500));
  const { page, problems } = await visit(t, site.address + ARTICLES.en);
  await told(page, 'error');
  const retry = page.getByRole('button', { name: 'Try again' });
  for (const key of ['Enter', 'Space']) {
    const asked = askedFor(site).length;
    await page.keyboard.press('Tab'); // nothing before it in this page can have the focus
    assert.ok(await retry.evaluate((button) => button === document.activeElement), key);
    const answered = page.waitForResponse('**/api/comments?**');
    await page.keyboard.press(key);
    await answered;
    await told(page, 'error');
    assert.equal(askedFor(site).length, asked + 1, key);
  }
  site.api = always(comment());
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await told(page, 'load');
  assert.equal((await shown(page)).length, 1);
  assert.deepEqual(problems.filter(isOfScript), []);
});

/** @type {Record<string, object>} comments that are odd, and comments all the same */
const ODD = {
  'without an avatar': { avatar: null },
  'with an unknown field': { ulid: 1, replies: [{}], innerHTML: '<b>', toString: 'x' },
  'without a site': { site: undefined },
  'whose site is null': { site: null },
  'whose site is empty': { site: '' },
};

for (const avatars of ['none', 'initials']) {
  test(`odd comments are comments (avatars = "${avatars}")`, async (t) => {
    const comments = Object.values(ODD).map((fields) => comment(fields));
    const folder = readingSite(t, { params: `avatars = "${avatars}"` });
    const site = await serve(t, folder, always(...comments));
    const { page, problems } = await visit(t, site.address + ARTICLES.en);
    await told(page, 'load');
    for (const { author, site: address, text } of await shown(page)) {
      assert.deepEqual({ author, address, text }, { author: 'Wren', address: null, text: 'Well said.' });
    }
    assert.equal((await shown(page)).length, comments.length);
    assert.deepEqual(problems, []);
  });
}

for (const [language, path] of Object.entries(ARTICLES)) {
  test(`an article without a comment is accessible and fits (${language})`, async (t) => {
    const site = await serve(t, readingSite(t), always());
    const { page, problems } = await visit(t, site.address + path);
    await told(page, 'load');
    assert.equal(await page.locator('.stacosys-number').textContent(), '0');
    const place = await page.locator('.stacosys-status').boundingBox();
    assert.equal(place?.height, 0, 'what is only to be heard takes no room');
    await looksRight(page, `empty-${language}`);
    assert.deepEqual(problems, []);
  });

  test(`a failure is accessible and fits (${language})`, async (t) => {
    const site = await serve(t, readingSite(t), () => html(500));
    const { page } = await visit(t, site.address + path);
    await told(page, 'error');
    await looksRight(page, `error-${language}`);
  });
}

/** @param {Page} page */
async function status(page) {
  return (await page.locator('.stacosys-status').innerText()).trim();
}

/**
 * @param {Page} page
 * @param {string} title
 */
async function isWhole(page, title) {
  assert.equal(await page.title(), title);
  assert.ok(await page.getByRole('heading', { name: title }).isVisible());
  assert.ok(await page.locator('.text').isVisible());
  await page.getByLabel('Name', { exact: true }).fill('Mia');
  await page.getByRole('textbox', { name: 'Comment' }).fill('Still **here**.');
  assert.equal(await page.locator('.stacosys-preview strong').textContent(), 'here');
  assert.ok(await page.getByRole('button', { name: 'Send' }).isEnabled());
}

/** @param {Page} page */
async function listenForErrors(page) {
  await page.evaluate(() => {
    Object.assign(window, { errorsHeard: 0 });
    document.addEventListener('stacosys:error', (event) => {
      const { detail, target } = /** @type {CustomEvent} */ (event);
      const isOurs = detail instanceof Error && /** @type {Element} */ (target).id === 'comments';
      Object(window).errorsHeard += isOurs ? 1 : NaN;
    });
  });
}

/** @param {Page} page */
function errorsHeard(page) {
  return page.evaluate(() => Object(window).errorsHeard);
}

/**
 * The console also notes every answer of 400 and more, whatever a page makes of it.
 *
 * @param {string} problem
 */
function isOfScript(problem) {
  return !/Failed to load resource/.test(problem);
}
