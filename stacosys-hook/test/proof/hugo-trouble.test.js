/* Proof: whatever Hugo does, the live site stays, and is right again when Hugo is. */
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { describe, test } from 'node:test';
import { blog, cleanBuild, moderateAnew, statesOf } from './blog.js';
import { assertWhole, leftOvers, liveState, observe } from './live.js';
import { NO_PROC, hugosOf, isAlive, startService } from './service.js';
import { troubledHugo } from './troubled-hugo.js';
import { sized } from './soak.js';
import { until } from '../until.js';

/** Enough of them for a tenth to be few. */
const ARTICLES = [...'abcdefghijkl'];

/** @type {[import('./troubled-hugo.js').Trouble, RegExp][]} with what the log says then */
const TROUBLES = [
  ['fails', /^Hugo failed: ERROR the template is wrong$/],
  ['hangs', /took longer than 3 s/],
  ['prints', /^Hugo failed: x+|^Hugo failed/],
  ['builds nothing', /built nothing/],
  ['builds an empty page', /home page is empty/],
  ['builds no home page', /home page/],
  ['builds a tenth', /2 HTML files, the live site 13/],
  ['is killed', /^Hugo failed/],
  ['fills the disk', /no space left/],
];

describe('the live site outlives a Hugo that', { concurrency: 4 }, () => {
  for (const [trouble, says] of TROUBLES) {
    test(trouble, { skip: trouble === 'hangs' && NO_PROC }, async (t) => {
      const ours = blog(t, { articles: ARTICLES });
      const hugo = troubledHugo(t);
      const timeout = trouble === 'hangs' ? '3' : '60'; // seconds: a good build on a busy machine takes more than one
      const service = startService(t, ours, { hugo: hugo.binary, args: ['--hugo-timeout', timeout] });
      await service.says('published');
      const before = String(liveState(ours));
      const clean = cleanBuild(t, ours);
      const end = observe(t, ours);
      hugo.has(trouble);
      moderateAnew(ours);
      const { error, advice } = await service.says('build failed');
      assert.match(error, says);
      assert.match(advice, /\w/);
      assert.ok(error.length < 2 ** 20, 'no more than the owner can read');
      if (sized(false, true)) await service.says('build failed', ({ cause }) => cause === 'retry');
      assert.equal(assertWhole(ours, clean, statesOf(ours)), before);
      const isOver = () => hugosOf(ours).length === 0 && !hugo.sleepers().some(isAlive);
      await until('the end of Hugo, and of what it started', isOver, service.text);
      hugo.has('none');
      const after = String(statesOf(ours).at(-1));
      await service.shows(after);
      await until('the left-overs to go', () => leftOvers(ours).length === 0);
      assert.deepEqual(end(), [before, after]);
    });
  }
});

describe('a Hugo that', { concurrency: 4 }, () => {
  test('vanishes, as during its update, and comes back', async (t) => {
    const ours = blog(t);
    const hugo = troubledHugo(t);
    const service = startService(t, ours, { hugo: hugo.binary });
    await service.says('published');
    renameSync(hugo.binary, `${hugo.binary}.old`);
    const state = moderateAnew(ours);
    assert.match((await service.says('build failed')).error, /There is no/);
    renameSync(`${hugo.binary}.old`, hugo.binary);
    await service.shows(state);
  });

  test('hangs when its service is killed is ended by the next one', { skip: NO_PROC }, async (t) => {
    const ours = blog(t);
    const hugo = troubledHugo(t);
    hugo.has('hangs');
    const first = startService(t, ours, { hugo: hugo.binary });
    await until('Hugo to hang', () => hugo.sleepers().length > 0);
    const [sleeper = 0] = hugo.sleepers();
    await first.kill();
    assert.ok(isAlive(sleeper) && hugosOf(ours).length > 0, 'nobody has ended it as yet');
    hugo.has('none');
    const second = startService(t, ours, { hugo: hugo.binary });
    await second.says('published');
    await until('its end', () => hugosOf(ours).length === 0 && !isAlive(sleeper));
  });

  test('never was there, or is too old, stops the start', async (t) => {
    const ours = blog(t);
    const missing = startService(t, ours, { hugo: '/nowhere/hugo' });
    assert.equal(await missing.ended, 1);
    assert.match(missing.text(), /There is no \/nowhere\/hugo/);
    const hugo = troubledHugo(t);
    hugo.isVersion('0.92.2');
    const old = startService(t, ours, { hugo: hugo.binary });
    assert.equal(await old.ended, 1);
    assert.match(old.text(), /Hugo 0\.92\.2 is too old/);
    assert.equal(liveState(ours), null);
  });
});
