import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleSite, serve, visit } from '../browser.js';
import { ACCEPTED, ARTICLE, ENGLISH, heard, ofScripts, partsOf, send, sent, told, write } from './writing.js';

/**
 * @typedef {import('node:test').TestContext} TestContext
 * @typedef {import('playwright-core').Page} Page
 * @typedef {import('../browser.js').Api} Api
 */

const { stacosysRefused: REFUSED, stacosysTooLong: TOO_LONG, stacosysFailed: FAILED } = ENGLISH;
const { stacosysOffline: OFFLINE, stacosysSent: SENT } = ENGLISH;

const COMMENT = { author: 'Ann', site: 'https://ann.example', message: 'Two *lines*\nof a comment' };

/** @param {number} status */
const html = (status) => () =>
  new Response('<!doctype html><title>Oops</title><h1>Oops</h1>', {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  });

/** @type {Record<string, {answer: () => Response, sentence: string | undefined}>} */
const ANSWERS = {
  'Stacosys refuses it (400)': { answer: html(400), sentence: REFUSED },
  'it is too long for the server (413)': { answer: html(413), sentence: TOO_LONG },
  'Stacosys fails (500)': { answer: html(500), sentence: FAILED },
  'Stacosys is not running behind its proxy (502)': { answer: html(502), sentence: FAILED },
  'something else answers, with a page (200)': { answer: html(200), sentence: FAILED },
  'there is no such address (404)': { answer: html(404), sentence: FAILED },
  'the connection breaks': { answer: () => Response.error(), sentence: OFFLINE },
};

for (const [name, { answer, sentence }] of Object.entries(ANSWERS)) {
  test(`${name}: the reader is told, keeps the text, and can send it again`, async (t) => {
    const { page, problems, site } = await article(t, ({ method }) =>
      method === 'POST' ? answer() : Response.json({ data: [] }),
    );
    await failAndRecover(page, sentence, () => {
      site.api = ACCEPTED;
    });
    assert.equal(new Set(sent(site).map(String)).size, 1, 'the same comment, each time');
    assert.deepEqual(ofScripts(problems), []);
  });
}

test('without a connection: the reader is told, keeps the text, and can send it again', async (t) => {
  const { page, problems, site } = await article(t, ACCEPTED);
  await write(page, COMMENT);
  const events = await heard(page);
  await page.context().setOffline(true);
  await send(page);
  assert.equal(await told(page), OFFLINE);
  assert.deepEqual(await events(), ['stacosys:error on #comments']);
  assert.equal(await partsOf(page).message.inputValue(), COMMENT.message);
  assert.deepEqual(sent(site), []);
  await page.context().setOffline(false);
  await send(page);
  assert.equal(await told(page), SENT);
  assert.equal(sent(site).length, 1);
  assert.deepEqual(ofScripts(problems), []);
});

test('a browser extension that blocks the request: as without a connection', async (t) => {
  const { page, problems } = await article(t, ACCEPTED);
  await page.route('**/newcomment', (route) => route.abort('blockedbyclient'));
  await failAndRecover(page, OFFLINE, () => page.unroute('**/newcomment'));
  assert.deepEqual(ofScripts(problems), []);
});

test('what was not sent is not shown as if it waited', async (t) => {
  const { page } = await article(t, html(500));
  await write(page, COMMENT);
  await send(page);
  assert.equal(await told(page), FAILED);
  assert.equal(await partsOf(page).comments.count(), 0);
});

test('after one failure the next attempt says that it is sending', async (t) => {
  const { page, site } = await article(t, html(500));
  await write(page, COMMENT);
  await send(page);
  assert.equal(await told(page), FAILED);
  /** @type {PromiseWithResolvers<Response>} */
  const { promise, resolve } = Promise.withResolvers();
  site.api = () => promise;
  await send(page);
  assert.equal(await partsOf(page).outcome.innerText(), ENGLISH.stacosysSending);
  resolve(new Response(null, { status: 302, headers: { Location: '/thanks/' } }));
  assert.equal(await told(page), SENT);
});

test('the error event tells a theme what the answer was', async (t) => {
  const { page } = await article(t, ({ method }) =>
    method === 'POST' ? html(413)() : Response.json({ data: [] }),
  );
  const status = page.evaluate(
    () =>
      new Promise((resolve) => {
        const listener = (/** @type {Event} */ event) => resolve(/** @type {any} */ (event).detail.status);
        document.addEventListener('stacosys:error', listener);
      }),
  );
  await write(page, COMMENT);
  await send(page);
  assert.equal(await status, 413);
});

/**
 * @param {TestContext} t
 * @param {Api} api
 */
async function article(t, api) {
  const site = await serve(t, (await exampleSite()).output, api);
  return { ...(await visit(t, site.address + ARTICLE)), site };
}

/**
 * Sends what cannot be sent, before and after a reload, then what can.
 *
 * @param {Page} page
 * @param {string | undefined} sentence
 * @param {() => unknown} mend
 */
async function failAndRecover(page, sentence, mend) {
  const { message, pending } = partsOf(page);
  await write(page, COMMENT);
  const events = await heard(page);
  await send(page);
  assert.equal(await told(page), sentence);
  assert.deepEqual(await events(), ['stacosys:error on #comments']);
  assert.equal(await message.inputValue(), COMMENT.message);
  await page.reload();
  assert.equal(await message.inputValue(), COMMENT.message, 'after a reload');
  await write(page, { ...COMMENT, message: await message.inputValue() });
  await mend();
  await send(page);
  assert.equal(await told(page), SENT);
  assert.equal(await message.inputValue(), '');
  assert.equal(await pending.count(), 1);
}
