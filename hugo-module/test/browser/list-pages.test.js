import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, PHONE, exampleSite, overflow, screenshot, serve, violations, visit } from '../browser.js';

const LISTS = { home: '/', accueil: '/fr/' };

/** It says what is new to a reader, which takes a script. */
const DISCUSSION = '/discussion/';

const WINDOWS = { phone: PHONE, desktop: DESKTOP };

/** @type {('light' | 'dark')[]} */
const SCHEMES = ['light', 'dark'];

for (const [name, path] of Object.entries(LISTS)) {
  test(`a list page loads its HTML, style and icon, and nothing else (${name})`, async (t) => {
    const site = await serve(t, (await exampleSite()).output);
    const { page, problems } = await visit(t, site.address + path);
    await page.waitForLoadState('networkidle');
    assert.ok((await page.locator('.stacosys-count').count()) >= 5);
    assert.equal(await page.locator('script').count(), 0);
    const loaded = site.requests.map(({ method, url }) => `${method} ${url.replace(/\.[0-9a-f]{64}/, '')}`);
    assert.deepEqual(loaded.sort(), [`GET ${path}`, 'GET /css/main.min.css', 'GET /icon.svg'].sort());
    assert.deepEqual(problems, []);
  });
}

for (const [name, path] of Object.entries({ ...LISTS, discussion: '/fr/discussion/' })) {
  test(`a list page is accessible and fits, on a phone and a desk, light and dark (${name})`, async (t) => {
    const site = await serve(t, (await exampleSite()).output);
    for (const [device, viewport] of Object.entries(WINDOWS)) {
      for (const colorScheme of SCHEMES) {
        const { page, problems } = await visit(t, site.address + path, { viewport, colorScheme });
        await screenshot(page, `${name}-${device}-${colorScheme}`);
        assert.deepEqual(await violations(page), []);
        assert.equal(await overflow(page), 0, `${device} ${colorScheme}`);
        assert.deepEqual(problems, []);
      }
    }
  });
}

test('the discussion says what came since the reader opened a note, which costs it one script', async (t) => {
  const site = await serve(t, (await exampleSite()).output);
  const { page, problems } = await visit(t, site.address + DISCUSSION, { viewport: PHONE });
  const most = page.locator('.stacosys-discussed').last().locator('.stacosys-count').first();
  const count = Number.parseInt(await most.innerText(), 10);
  assert.ok(count > 9);
  assert.equal(await page.locator('.stacosys-new').count(), 0, 'nothing was opened');
  await most.click();
  await page.locator('.stacosys').waitFor();
  await page.goto(site.address + DISCUSSION);
  assert.equal(await page.locator('.stacosys-new').count(), 0, 'nothing came');

  await page.evaluate(forgetTwo);
  await page.reload();
  assert.match(await most.innerText(), /^\d+ comments\s+\+2 since your last visit$/);
  assert.deepEqual(await violations(page), []);
  assert.equal(await overflow(page), 0);
  await screenshot(page, 'discussion-new-phone');
  const scripts = await page
    .locator('script[src]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('src')));
  assert.equal(scripts.length, 1);
  assert.match(String(scripts[0]), /\/stacosys\/seen\.[0-9a-f]{64}\.js$/);
  assert.deepEqual(problems, []);
});

/** In the browser: as if two comments had come to each note since it was opened. */
function forgetTwo() {
  for (const [key, seen] of Object.entries(localStorage)) localStorage[key] = String(seen - 2);
}
