/* Proof: a kill -9 at any moment leaves a whole site, and the next start goes on by itself. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BIN } from '../command-line.js';
import { HUGO, age, blog, cleanBuild, moderateAnew, statesOf } from './blog.js';
import { assertWhole, bakedState, filesIn, leftOvers, liveState } from './live.js';
import { randomness } from './randomness.js';
import { NO_PROC, hugosOf, startService } from './service.js';
import { sized } from './soak.js';
import { until } from '../until.js';

/**
 * @typedef {import('./blog.js').Blog} Blog
 * @typedef {import('./service.js').Service} Service
 *
 * @typedef {object} Moment
 * @property {string} name
 * @property {(blog: Blog, strike: () => void) => Promise<void>} come resolves after the strike
 */

/** What happens in the folders of a blog, one after the other. @type {[string, RegExp][]} */
const STEPS = [
  ['the data file is being written', /^data: \.counts\.json\..*\.tmp$/],
  ['the data file is in place', /^data: counts\.json$/],
  ['Hugo has made its folder', /^releases: .*\.partial$/],
  ['the manifest is being written', /^releases: \..*\.tmp$/],
  ['the manifest is in place', /^releases: \..*\.json$/],
  ['the release has its name', /^releases: [^.]*\.[^.]*$/],
  ['the new link is made', /^published: \.current\./],
  ['the release is live', /^published: current$/],
];

/** @type {Moment[]} */
const MOMENTS = STEPS.map(([name, pattern]) => ({
  name,
  come: (blog, strike) => atStep(blog, pattern, strike),
}));

/**
 * @param {Blog} blog
 * @param {RegExp} pattern of a folder and the name of what changes in it
 * @param {() => void} strike called at once
 * @returns {Promise<void>}
 */
async function atStep({ site, published }, pattern, strike) {
  const folders = { data: join(site, 'data', 'stacosys'), releases: join(published, 'releases'), published };
  let isOver = false;
  const watchers = Object.entries(folders).map(([name, folder]) =>
    watch(folder, { persistent: false }, (_, file) => {
      if (isOver || !pattern.test(`${name}: ${file}`)) return;
      isOver = true;
      strike();
    }),
  );
  await until(`something that happens to ${pattern}`, () => isOver);
  for (const watcher of watchers) watcher.close();
}

/**
 * @param {number} milliseconds
 * @returns {Moment}
 */
function after(milliseconds) {
  const come = async (/** @type {Blog} */ _, /** @type {() => void} */ strike) => {
    await pause(milliseconds);
    strike();
  };
  return { name: `after ${milliseconds} ms`, come };
}

/**
 * @param {number} milliseconds
 * @returns {Moment}
 */
function whileHugoRuns(milliseconds) {
  const come = async (/** @type {Blog} */ blog, /** @type {() => void} */ strike) => {
    await until('Hugo to run', () => hugosOf(blog).length > 0);
    await pause(milliseconds);
    strike();
  };
  return { name: `${milliseconds} ms after Hugo began`, come };
}

/** @param {Blog} blog */
function killHugo(blog) {
  for (const pid of hugosOf(blog)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      assert.equal(/** @type {NodeJS.ErrnoException} */ (error).code, 'ESRCH'); // it has ended meanwhile
    }
  }
}

/** @typedef {'the service' | 'Hugo' | 'both'} Victim */

/**
 * Every step once, and random moments.
 *
 * @param {import('./randomness.js').Randomness} random
 * @param {number} number of random ones of each kind
 * @returns {{victim: Victim, moment: Moment, isStart: boolean}[]} isStart: in the first build of a
 *   service, else in a later one
 */
function blows({ integer, pick }, number) {
  const blow = (/** @type {Victim} */ victim, /** @type {Moment} */ moment) => ({
    victim,
    moment,
    isStart: pick([true, false]),
  });
  const some = (/** @type {() => ReturnType<typeof blow>} */ make) => Array.from({ length: number }, make);
  return [
    ...MOMENTS.map((moment) => blow('the service', moment)),
    ...some(() => blow('the service', after(integer(0, 250)))),
    ...some(() => blow('Hugo', whileHugoRuns(integer(0, 40)))),
    ...some(() => blow('both', whileHugoRuns(integer(0, 40)))),
    ...some(() => blow('the service', whileHugoRuns(integer(0, 60)))),
  ];
}

test(
  'after a kill -9 of the service, of Hugo or of both, the site is whole and goes on',
  { skip: NO_PROC },
  async (t) => {
    const ours = blog(t);
    let state = moderateAnew(ours);
    let service = startService(t, ours);
    await service.shows(state);
    const clean = cleanBuild(t, ours);
    let unfinished = 0;
    let failed = 0;
    for (const { victim, moment, isStart } of blows(randomness(t), sized(1, 15))) {
      if (isStart) await service.stop();
      const from = isStart ? 0 : service.log.length;
      const coming = moment.come(ours, () => {
        if (victim !== 'the service') killHugo(ours);
        if (victim !== 'Hugo') process.kill(service.pid, 'SIGKILL');
      });
      age(ours);
      state = moderateAnew(ours);
      if (isStart) service = startService(t, ours);
      await coming;
      if (victim !== 'Hugo') await service.ended;
      const name = `${victim}, ${moment.name}${isStart ? ', at a start' : ''}`;
      try {
        const states = statesOf(ours);
        assertWhole(ours, clean, states);
        assert.ok(states.includes(bakedState(ours)), 'the data tells a state that existed');
        unfinished += Number(leftOvers(ours).length > 0);
        age(ours);
        if (victim !== 'Hugo') service = startService(t, ours);
        await service.shows(state);
        await until('the left-overs to go', () => leftOvers(ours).length + hugosOf(ours).length === 0);
        assertWhole(ours, clean, states);
        failed += Number(service.log.slice(from).some(({ event }) => event === 'build failed'));
      } catch (error) {
        throw new Error(`after a kill of ${name}:\n${service.text()}`, { cause: error });
      }
    }
    assert.ok(unfinished > 0 && failed > 0, 'some of it was in the middle of a build');
    assert.equal(liveState(ours), bakedState(ours));
    const last = cleanBuild(t, ours);
    const live = filesIn(join(ours.published, 'current'));
    for (const [path, text] of last) assert.equal(live.get(path), text, path);
  },
);

const DIE_AT_STEP = fileURLToPath(new URL('die-at-step.cjs', import.meta.url));

/**
 * @param {Blog} blog
 * @param {number} [step] at which it kills itself: before its nth change of a file
 * @returns {boolean} whether it came to its end
 */
function buildUntil({ site, database, published }, step) {
  const args = ['build', '--db', database, '--source', site, '--hugo', HUGO, '--publish-to', published];
  const { status, signal, stderr } = spawnSync(
    process.execPath,
    ['--require', DIE_AT_STEP, BIN, ...args, '--keep', '2'],
    { env: { PATH: process.env.PATH, PROOF_STEP: String(step ?? '') }, encoding: 'utf8', timeout: 60_000 },
  );
  assert.ok(signal === 'SIGKILL' || status === 0, `${signal ?? status}: ${stderr}`);
  return status === 0;
}

test('a build that dies before any single change of a file leaves a whole site', async (t) => {
  const ours = blog(t);
  const { integer } = randomness(t);
  for (let build = 0; build < 3; build += 1) buildUntil(ours); // so that there is an old release to remove
  const clean = cleanBuild(t, ours);
  const stride = sized(4, 1);
  for (let step = integer(1, stride); ; step += stride) {
    age(ours);
    const state = moderateAnew(ours);
    const isComplete = buildUntil(ours, step);
    const states = statesOf(ours);
    const live = assertWhole(ours, clean, states);
    assert.ok(states.includes(bakedState(ours)), `step ${step}`);
    if (isComplete) {
      assert.ok(step > 15, `${step} steps`);
      assert.equal(live, state);
      break;
    }
    age(ours);
    assert.ok(buildUntil(ours), `step ${step}`);
    assert.equal(assertWhole(ours, clean, states), state, `step ${step}`);
    assert.deepEqual(leftOvers(ours), []);
  }
});
