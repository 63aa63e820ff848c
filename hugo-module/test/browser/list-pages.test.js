import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, PHONE, exampleSite, overflow, screenshot, serve, violations, visit } from '../browser.js';

const PAGES = { home: '/', accueil: '/fr/', discussion: '/fr/discussion/' };

const WINDOWS = { phone: PHONE, desktop: DESKTOP };

/** @type {('light' | 'dark')[]} */
const SCHEMES = ['light', 'dark'];

for (const [name, path] of Object.entries(PAGES)) {
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
