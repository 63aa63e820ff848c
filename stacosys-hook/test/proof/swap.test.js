/* Proof: however often a release goes live, no reader sees an error, or parts of two releases. */
import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as breath } from 'node:timers/promises';
import { listReleases, publish } from '../../src/releases.js';
import { age, blog, moderateAnew, statesOf } from './blog.js';
import { stateIn, styleIn } from './live.js';
import { NO_NGINX, startNginx } from './nginx.js';
import { startService } from './service.js';
import { sized } from './soak.js';
import { until } from '../until.js';

const CLIENTS = 8;
const PATHS = ['/', '/a/', '/b/', '/c/'];

/**
 * Readers who read all the time: a page, then its style sheet, in one connection each.
 *
 * @param {import('node:test').TestContext} t
 * @param {() => import('./nginx.js').Get} client
 */
function startReading(t, client) {
  let isOver = false;
  t.after(() => (isOver = true));
  const rounds = new Array(CLIENTS).fill(0);
  /** @type {Set<string>} */
  const states = new Set();
  const read = async (/** @type {number} */ reader) => {
    const get = client();
    for (let turn = reader; !isOver; turn += 1) {
      const page = await get(String(PATHS[turn % PATHS.length]));
      assert.equal(page.status, 200);
      const state = stateIn(page.text);
      const style = await get(`/${styleIn(page.text)}`);
      assert.equal(style.status, 200, 'the style sheet of that page');
      assert.equal(stateIn(style.text), state, 'page and style sheet are of one release');
      states.add(state);
      rounds[reader] += 1;
    }
  };
  const reading = Promise.all(rounds.map((_, reader) => read(reader)));
  let hasFailed = false;
  reading.catch(() => (hasFailed = true));
  const everybodyReadOn = async () => {
    const before = [...rounds];
    await until(
      'each of them to read on',
      () => hasFailed || rounds.every((count, at) => count > before[at]),
    );
    if (hasFailed) await reading;
  };
  const end = async () => {
    isOver = true;
    await reading;
    return { states: [...states], requests: 2 * rounds.reduce((sum, count) => sum + count, 0) };
  };
  return { everybodyReadOn, end };
}

test(
  '200 swaps as fast as they go, under load: no failed request, no mixed page',
  { skip: NO_NGINX },
  async (t) => {
    const ours = blog(t);
    const service = startService(t, ours);
    await service.says('published');
    await service.shows(moderateAnew(ours));
    await service.stop();
    const releases = listReleases(ours.published).slice(-2);
    const folders = releases.map((name) => join(ours.published, 'releases', name));
    // A release that was built has the style sheets of those before it, not of the later ones
    cpSync(String(folders[1]), String(folders[0]), { recursive: true, filter: isNoPage });
    const client = await startNginx(t, join(ours.published, 'current'));
    const { everybodyReadOn, end } = startReading(t, client);
    await everybodyReadOn();
    for (let swap = 0; swap < sized(200, 2000); swap += 1) {
      publish(ours.published, String(releases[swap % 2]));
      await breath(); // the readers are in this process, too
    }
    await everybodyReadOn();
    const { states, requests } = await end();
    assert.equal(states.length, 2, 'they saw both');
    t.diagnostic(`${requests} requests`);
  },
);

test('real builds under load: no failed request, no mixed page', { skip: NO_NGINX }, async (t) => {
  const ours = blog(t);
  const service = startService(t, ours);
  await service.says('published');
  const client = await startNginx(t, join(ours.published, 'current'));
  const { everybodyReadOn, end } = startReading(t, client);
  const swaps = sized(10, 200);
  for (let swap = 0; swap < swaps; swap += 1) {
    age(ours);
    await service.shows(moderateAnew(ours));
    await everybodyReadOn(); // else a slow reader could come with a page of six releases ago
  }
  const { states, requests } = await end();
  assert.ok(states.every((state) => statesOf(ours).includes(state)));
  assert.ok(states.length > swaps / 2, `they saw ${states.length} states`);
  t.diagnostic(`${requests} requests`);
});

test(
  'and this proof can fail: a release that is copied over the live one is seen half',
  { skip: NO_NGINX },
  async (t) => {
    const ours = blog(t);
    const service = startService(t, ours);
    await service.says('published');
    await service.shows(moderateAnew(ours));
    await service.stop();
    const [first = '', second = ''] = listReleases(ours.published).map((name) =>
      join(ours.published, 'releases', name),
    );
    const live = join(ours.published, 'live');
    cpSync(first, live, { recursive: true });
    const client = await startNginx(t, live);
    const { everybodyReadOn } = startReading(t, client);
    await assert.rejects(async () => {
      for (let turn = 0; ; turn += 1) {
        rmSync(live, { recursive: true });
        cpSync(turn % 2 ? first : second, live, { recursive: true });
        await everybodyReadOn();
      }
    });
  },
);

/** @param {string} path */
function isNoPage(path) {
  return !path.endsWith('.html');
}
