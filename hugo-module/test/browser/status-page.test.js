import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  buildRecord,
  buildState,
  databaseState,
  runningService,
  stateWith,
} from '../../../stacosys-hook/test/service.js';
import { DESKTOP, PHONE, overflow, screenshot, violations, visit } from '../browser.js';

const KEY = `/2024/<img src=x onerror=alert(1)>${'very-'.repeat(60)}long/`;
const changes = Array.from({ length: 5 }, (_, n) => ({ key: KEY, from: n, to: n + 1 }));
const failed = buildRecord({ result: 'failed', error: `</style>${'x'.repeat(1000)}`, advice: 'Mend it.' });
const builds = Array.from({ length: 10 }, () => [failed, buildRecord({ changes, changed: 9 })]).flat();

const STATES = {
  'of a new service': stateWith(),
  'of a service in need': stateWith({
    database: databaseState({ ok: false, reason: 'There is no database' }),
    build: buildState(builds),
  }),
};

for (const [what, state] of Object.entries(STATES)) {
  test(`the status page ${what} is accessible and fits, on a phone and a desk, light and dark`, async (t) => {
    const { address } = await runningService(t, { state: () => state });
    for (const [device, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
      for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
        const { page, problems } = await visit(t, `${address}/status`, { viewport, colorScheme });
        await screenshot(page, `status ${what}-${device}-${colorScheme}`.replaceAll(' ', '-'));
        assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).maxWidth), 'none');
        assert.equal(await page.locator('script').count(), 0);
        assert.deepEqual(await violations(page), []);
        assert.equal(await overflow(page), 0, `${device} ${colorScheme}`);
        assert.deepEqual(problems, []);
      }
    }
  });
}
