import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CHANGED, commit } from './commit.js';
import { inTurn } from './load/rounds.js';
import { wallTime } from './measure.js';
import { servePages } from './page-server.js';
import { stagesOf, startWatch } from './watch-process.js';

/**
 * @typedef {import('./generated-site.js').GeneratedSite} GeneratedSite
 * @typedef {import('./watch-process.js').WatchProcess} WatchProcess
 *
 * @typedef {object} Rounds milliseconds; one of each a round
 * @property {number} pages
 * @property {number[]} ours from the end of the COMMIT to the answer that shows the new count
 * @property {number[]} inPlace bare hugo into the public/ of the round before
 * @property {number[]} fresh bare hugo into a folder that is not there
 * @property {import('./watch-process.js').Stages[]} stages
 */

/**
 * Comments are minutes apart. Sooner than this, a build waits for the next second (web servers tell
 * pages apart by it). And at any moment between two looks at the database.
 */
const BETWEEN = 1000; // milliseconds, and up to as many more

/**
 * Measures a round at a time: between two, somebody else may have the machine. A first one warms the caches.
 *
 * @param {GeneratedSite} site
 * @param {number} rounds
 * @param {string} hugo
 * @param {Rounds} measured to which each round adds
 * @returns {AsyncGenerator<number>} the number of each; 0 is the warm-up
 */
export async function* rebuildRounds(site, rounds, hugo, measured) {
  mkdirSync(site.published, { recursive: true });
  const server = await servePages(join(site.published, 'current'));
  const watch = startWatch(site, hugo);
  try {
    await watch.published();
    const contenders = {
      ours: () => comment(site, watch, server),
      inPlace: () => hugoAlone(site, hugo),
      fresh: () => hugoAlone(site, hugo, join(site.folder, '..', 'fresh')),
    };
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, measure] of inTurn(entriesOf(contenders), round)) {
        settle();
        const { milliseconds, stages } = await measure();
        if (round === 0) continue;
        measured[name].push(milliseconds);
        if (stages) measured.stages.push(stages);
      }
      settle();
      yield round;
    }
  } finally {
    await watch.stop();
    server.close();
  }
}

/**
 * @typedef {object} One
 * @property {number} milliseconds
 * @property {import('./watch-process.js').Stages} [stages]
 */

/**
 * @template {string} Name
 * @param {Record<Name, () => Promise<One> | One>} contenders
 */
function entriesOf(contenders) {
  return /** @type {[Name, () => Promise<One> | One][]} */ (Object.entries(contenders));
}

/**
 * Publishes a comment as Stacosys does, and waits until a reader can see its count.
 *
 * @param {GeneratedSite} site
 * @param {WatchProcess} watch
 * @param {import('./page-server.js').PageServer} server
 * @returns {Promise<One>}
 */
async function comment(site, watch, server) {
  await pause(BETWEEN + Math.random() * BETWEEN);
  const { count, at } = commit(site.database);
  const committed = performance.timeOrigin + at;
  const seen = await server.untilPage(CHANGED, (page) => page.includes(`>${count} comments<`));
  const stages = stagesOf(site, await watch.published(), committed);
  return { milliseconds: seen - at, stages };
}

/**
 * @param {GeneratedSite} site
 * @param {string} hugo
 * @param {string} [fresh] a folder to build into, which is removed before; otherwise in place
 * @returns {One}
 */
function hugoAlone({ folder }, hugo, fresh) {
  const args = ['--minify', '--source', folder];
  if (fresh === undefined) return { milliseconds: wallTime(hugo, args) };
  rmSync(fresh, { recursive: true, force: true });
  settle();
  return { milliseconds: wallTime(hugo, [...args, '--destination', fresh]) };
}

/** Ten thousand new files keep a disk busy for seconds: nobody is to pay for those of another. */
function settle() {
  spawnSync('sync');
}
