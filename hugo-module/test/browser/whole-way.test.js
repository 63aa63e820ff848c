import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE, screenshot, violations, visit } from '../browser.js';
import { runningDemo } from './demo.js';
import { ENGLISH, listed, partsOf, reload, send, told, write } from './writing.js';

/** @typedef {import('playwright-core').Page} Page */

const ARTICLE = '/2024/comments-on-a-small-scale/';
const MESSAGE = 'I read it *twice*.\nThe second time with tea.';

test('from reading an article to one comment more on the home page', async (t) => {
  const demo = await runningDemo(t);
  const { page, problems } = await visit(t, `${demo}/`, { viewport: PHONE });
  const before = await countAtHome(page);
  assert.ok(before > 0);

  await page.locator(`a[href="${ARTICLE}"]`).first().click();
  await page.waitForURL(`**${ARTICLE}`);
  const { comments, pending, preview, summary } = partsOf(page);
  assert.equal(await comments.count(), 0, 'not yet: nobody has scrolled there');
  await page.locator('.stacosys-title').scrollIntoViewIfNeeded();
  await listed(page, before);
  assert.equal(await page.locator('.stacosys-number').innerText(), String(before));

  await write(page, { author: 'Ann Reader', site: 'https://ann.example', message: MESSAGE });
  await summary.click();
  assert.equal(await preview.innerText(), 'I read it twice.\nThe second time with tea.');
  await send(page);
  assert.equal(await told(page), ENGLISH.stacosysSent);
  assert.equal(await comments.count(), before + 1);
  assert.equal(await pending.count(), 1);
  await reload(page);
  await listed(page, before + 1);
  assert.equal(await pending.locator('.stacosys-author').innerText(), 'Ann Reader');
  assert.equal(await page.locator('.stacosys-number').innerText(), String(before), 'of the published');

  await publish(page, demo);
  await page.getByRole('link', { name: 'Read the article' }).click();
  await page.waitForURL(`**${ARTICLE}#comments`);
  await listed(page, before + 1);
  assert.equal(await pending.count(), 0);
  const last = comments.last();
  assert.equal(
    await last.locator('.stacosys-content').innerText(),
    'I read it twice.\nThe second time with tea.',
  );
  assert.equal(await last.locator('time').count(), 1);
  assert.deepEqual(await violations(page), []);

  await page.goto(`${demo}/`);
  assert.equal(await countAtHome(page), before + 1);
  assert.equal(await page.locator('script').count(), 0);
  assert.deepEqual(problems, []);
});

/**
 * @param {Page} page the home page
 * @returns {Promise<number>} of the comments about the article
 */
async function countAtHome(page) {
  const entry = page.locator('.entry', { has: page.locator(`a[href="${ARTICLE}"]`) });
  return Number.parseInt(await entry.locator('.stacosys-count').innerText());
}

/**
 * @param {Page} page
 * @param {string} demo
 */
async function publish(page, demo) {
  await page.goto(`${demo}/moderation/`);
  const waiting = page.getByRole('article', { name: 'Ann Reader' });
  await screenshot(page, 'whole-way-moderation');
  await waiting.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('status').getByText('The site was rebuilt').waitFor();
  assert.equal(await waiting.count(), 0);
}
