import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { hugo as part, resultOf } from '../bench/hugo.js';
import {
  inTurn,
  measureBuilds,
  refuseWrongPages,
  refuseWrongRequests,
  roundFor,
} from '../bench/hugo-builds.js';
import { withMemoryFolder } from '../bench/memory-folder.js';
import { HUGO_LATEST, HUGO_VERSIONS, pinnedHugo } from '../tools.js';
import { temporaryFolder } from './serving.js';

/** @typedef {import('../bench/watched-run.js').Run} Run */

for (const version of HUGO_VERSIONS) {
  test(`every build of the benchmark shows its counts, with as many requests as it says (Hugo ${version})`, async (t) => {
    const folder = temporaryFolder(t);
    const runs = await measureBuilds(
      { pages: 25, rounds: 1, remoteRounds: 1 },
      { hugo: pinnedHugo(version), folder: join(folder, 'site'), withComments: true, progress: () => {} },
    );
    assert.deepEqual(Object.keys(runs).sort(), ['bare', 'cold', 'comments', 'counts', 'stale', 'warm']);
    assert.ok(Object.values(runs).every(({ length }) => length === 1));
    assert.deepEqual(readdirSync(folder), []);
  });
}

test('a build with a count missing is refused', (t) => {
  const output = temporaryFolder(t);
  const count = '<a>5 comments</a>';
  writePages(output, { posts: count.repeat(20), 'posts/page/2': count.repeat(5) }, count);
  refuseWrongPages('counts', 25, output);
  assert.throws(() => refuseWrongPages('bare', 25, output), /bare: posts shows 20 counts of 0/);
  assert.throws(() => refuseWrongPages('comments', 25, output), /article-0 lacks its section/);
  writePages(output, { 'posts/page/2': count.repeat(4) }, count);
  assert.throws(() => refuseWrongPages('cold', 25, output), /cold: posts.page.2 shows 4 counts of 5/);
  writePages(output, { 'posts/page/2': count.repeat(5) }, '<a>0 comments</a>');
  assert.throws(() => refuseWrongPages('stale', 25, output), /article-0 shows 0 counts of 1/);
});

test('a build that asks the API another number of times is refused', () => {
  refuseWrongRequests('cold', 25, 25);
  refuseWrongRequests('stale', 25, 25);
  refuseWrongRequests('warm', 0, 25);
  refuseWrongRequests('counts', 0, 25);
  assert.throws(() => refuseWrongRequests('cold', 0, 25), /cold: 0 requests of 25/);
  assert.throws(() => refuseWrongRequests('warm', 1, 25), /warm: 1 requests of 0/);
  assert.throws(() => refuseWrongRequests('stale', 24, 25), /stale: 24 requests of 25/);
});

test('every build comes first in one of the rounds, and those with a cache follow each other', () => {
  const rounds = [0, 1, 2, 3].map((round) => inTurn(round, { withComments: true, withRemote: true }));
  assert.deepEqual(rounds.map(([first]) => first).sort(), ['bare', 'cold', 'comments', 'counts']);
  for (const round of rounds) {
    const cold = round.indexOf('cold');
    assert.deepEqual(round.slice(cold, cold + 3), ['cold', 'warm', 'stale']);
    assert.equal(new Set(round).size, 6);
  }
});

test('a slow machine leaves out the builds with requests first, and then rounds, but never all', () => {
  const size = { pages: 50_000, rounds: 5, remoteRounds: 5 };
  const times = { own: 60_000, remote: 140_000 };
  assert.deepEqual(roundFor(1, size, { own: 0, remote: 0 }, -1), { isOver: false, withRemote: true });
  assert.deepEqual(roundFor(2, size, times, 200_000), { isOver: false, withRemote: true });
  assert.deepEqual(roundFor(2, size, times, 199_999), { isOver: false, withRemote: false });
  assert.deepEqual(roundFor(2, size, times, -1), { isOver: false, withRemote: false });
  assert.deepEqual(roundFor(3, size, times, 60_000), { isOver: false, withRemote: false });
  assert.equal(roundFor(3, size, times, 59_999).isOver, true);
  assert.equal(roundFor(6, size, times, Infinity).isOver, true);
});

test('a ratio is that of one round, and only large sites have targets', () => {
  const runs = (/** @type {number[]} */ ...seconds) => seconds.map((time) => run(time));
  const measured = [100, 10_000].map((pages) => ({
    size: { pages, rounds: 3, remoteRounds: 1 },
    runs: { bare: runs(1, 2, 4), counts: runs(1.1, 2.2, 4.4), cold: runs(3), warm: runs(2), stale: runs(4) },
  }));
  const { targets, tables, charts, skipped } = resultOf(measured, {
    hugo: pinnedHugo(HUGO_LATEST),
    isInMemory: true,
  });
  assert.equal(targets.length, 2);
  for (const value of targets[0]?.values ?? []) assert.ok(Math.abs(value - 1.1) < 1e-9);
  assert.deepEqual(targets[1]?.values, [1, 1, 1]);
  assert.equal(tables[0]?.rows.length, 10);
  assert.ok(tables[0]?.rows.every(({ length }) => length === tables[0]?.columns.length));
  assert.equal(charts[0]?.points.length, 10);
  assert.equal(charts[1]?.title.includes('10,000'), true);
  assert.equal(skipped.length, 1);
});

test('the part says how long it takes', () => {
  assert.ok(part.seconds(true) * 5 < part.seconds(false));
});

test('nothing of a folder in memory stays, also when its user fails', async (t) => {
  const fallback = temporaryFolder(t);
  let used = '';
  const failing = withMemoryFolder({ bytes: 0, fallback }, async (folder, isInMemory) => {
    used = isInMemory ? folder : join(fallback, 'none');
    throw new Error('as it goes');
  });
  await assert.rejects(failing, /as it goes/);
  assert.equal(existsSync(used), false);
});

test('what has no room in memory goes to the disk', async (t) => {
  const fallback = temporaryFolder(t);
  const used = await withMemoryFolder({ bytes: Infinity, fallback }, async (folder, isInMemory) => [
    folder,
    isInMemory,
  ]);
  assert.deepEqual(used, [fallback, false]);
});

/**
 * @param {string} output
 * @param {Record<string, string>} lists
 * @param {string} article
 */
function writePages(output, lists, article) {
  const pages = { ...lists, 'posts/article-0': article, 'posts/article-24': article };
  for (const [page, html] of Object.entries(pages)) {
    const file = join(output, page, 'index.html');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, html);
  }
}

/**
 * @param {number} seconds
 * @returns {Run}
 */
function run(seconds) {
  return { milliseconds: seconds * 1000, cpuMilliseconds: seconds * 1000, peakBytes: 2 ** 27 };
}
