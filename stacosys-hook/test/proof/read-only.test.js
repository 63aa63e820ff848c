/* Proof: folders that cannot be written cost nobody the live site. */
import assert from 'node:assert/strict';
import { chmodSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { handOver } from '../database.js';
import { blog, moderateAnew } from './blog.js';
import { bakedState, leftOvers, liveState } from './live.js';
import { startService } from './service.js';

/** To root no folder is read-only. */
const ORDINARY_USER = process.getuid?.() === 0 ? 65534 : undefined;

/** @type {[string, (blog: import('./blog.js').Blog) => string, RegExp][]} */
const FOLDERS = [
  ['of the releases', ({ published }) => join(published, 'releases'), /permission denied|EACCES/i],
  ['of the live link', ({ published }) => published, /permission denied|EACCES|readonly/i],
  ['of the data', ({ site }) => join(site, 'data', 'stacosys'), /Cannot write .*counts\.json: EACCES/],
];

describe('a folder that becomes read-only', { concurrency: 3 }, () => {
  for (const [name, find, says] of FOLDERS) {
    test(`${name} leaves the live site, which follows when it can be written again`, async (t) => {
      const ours = blog(t);
      handOverAll(ours.site);
      handOverAll(dirname(ours.database));
      const service = startService(t, ours, { user: ORDINARY_USER });
      await service.says('published');
      const before = liveState(ours);
      const folder = find(ours);
      chmodSync(folder, 0o555);
      const state = moderateAnew(ours);
      const { error, advice } = await service.says('build failed');
      assert.match(error, says);
      assert.match(advice, /\w/);
      assert.equal(liveState(ours), before);
      assert.ok([before, state].includes(bakedState(ours)));
      chmodSync(folder, 0o755);
      await service.shows(state);
      assert.equal(bakedState(ours), state);
      assert.deepEqual(leftOvers(ours), []);
    });
  }
});

/** @param {string} folder with all that is in it */
function handOverAll(folder) {
  handOver(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) handOverAll(path);
    else handOver(path, 0o644);
  }
}
