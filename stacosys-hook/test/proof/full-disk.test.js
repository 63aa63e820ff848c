/* Proof: a full disk costs nobody the live site, and when there is space the last state is shown. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { age, blog, cleanBuild, moderateAnew, statesOf } from './blog.js';
import { assertWhole, bakedState, leftOvers, liveState } from './live.js';
import { startService } from './service.js';
import { sized } from './soak.js';
import { until } from '../until.js';

const SIZE = '256k';
const PAGE = 4096; // bytes: what the smallest file takes there

/** A disk that nobody else sees, and that goes with the processes in it. */
const ASIDE = ['unshare', ...(process.getuid?.() === 0 ? [] : ['--map-root-user']), '--mount'];

const NO_MOUNT = canMount() ? false : 'needs the right to mount a small tmpfs (CAP_SYS_ADMIN)';

function canMount() {
  const { status } = spawnSync('unshare', [...ASIDE.slice(1), 'mount', '-t', 'tmpfs', 'none', '/mnt']);
  return status === 0;
}

/**
 * @param {string} folder
 * @returns {string[]} runs the command after it, for which the folder is a small disk of its own
 */
function withSmallDisk(folder) {
  const script = `mount -t tmpfs -o size=${SIZE} none "$1" && shift && exec "$@"`;
  return [...ASIDE, 'sh', '-c', script, 'sh', folder];
}

/**
 * Writes on until nothing goes.
 *
 * @param {string} folder
 * @param {number} free pages that stay
 * @returns {() => void} frees the space
 */
function fill(folder, free) {
  const file = join(folder, '.filler');
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(file, Buffer.alloc(Math.max(0, bavail * bsize - free * PAGE)));
  return () => rmSync(file);
}

describe('a disk that is full', { skip: NO_MOUNT, concurrency: 2 }, () => {
  test('of releases leaves the live one, and the next one comes when there is space', async (t) => {
    const ours = blog(t);
    mkdirSync(ours.published);
    const service = startService(t, ours, { within: withSmallDisk(ours.published) });
    await service.says('published');
    const there = { ...ours, published: `/proc/${service.pid}/root${ours.published}` };
    const clean = cleanBuild(t, ours);
    // So few pages that it ends in each of the steps of a build
    for (const free of sized([0, 4], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])) {
      const before = liveState(there);
      const from = service.log.length;
      const release = fill(there.published, free);
      age(there);
      const state = moderateAnew(ours);
      const { event, level, error, advice } = await service.decides(from);
      assert.equal(bakedState(ours), state);
      if (event === 'build failed') {
        assert.equal(level, 'error');
        assert.match(error, /space|full/);
        assert.match(advice, /\w/);
        assert.equal(assertWhole(there, clean, statesOf(ours)), before, `${free} pages free`);
      }
      release();
      await until(
        `the live page to show ${state} (${free} pages were free)`,
        () => liveState(there) === state,
        service.text,
      );
      await service.says('published', undefined, from); // it says so after it shows, the next round would take it for its own
      assertWhole(there, clean, statesOf(ours));
      await until('the left-overs to go', () => leftOvers(there).length === 0);
    }
    assert.ok(
      service.log.some(({ event }) => event === 'build failed'),
      'it was full indeed',
    );
  });

  test('of the data leaves the data file and the live site, and both follow when there is space', async (t) => {
    const ours = blog(t);
    const data = join(ours.site, 'data', 'stacosys');
    mkdirSync(data, { recursive: true });
    const service = startService(t, ours, { within: withSmallDisk(data) });
    await service.says('published');
    const there = { site: `/proc/${service.pid}/root${ours.site}` };
    const inside = join(there.site, 'data', 'stacosys');
    const before = String(liveState(ours));
    const release = fill(inside, 0);
    const state = moderateAnew(ours);
    const { error, advice } = await service.says('build failed');
    assert.match(error, /Cannot write .*counts\.json: .*no space/i);
    assert.match(advice, /free space/);
    assert.equal(bakedState(there), before);
    assert.equal(liveState(ours), before);
    release();
    await service.shows(state);
    assert.equal(bakedState(there), state);
    assert.deepEqual(readdirSync(inside), ['counts.json']);
  });
});
