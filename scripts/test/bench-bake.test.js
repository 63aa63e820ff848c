import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { bakeResult } from '../bench/bake-result.js';
import { checkResult } from '../bench/check-result.js';
import { madeUpComments } from '../bench/comments.js';
import { multiplyComments } from '../bench/multiply-comments.js';
import { refuseWrongCounts } from '../bench/refuse-wrong-counts.js';
import { verdictOn } from '../bench/verdict.js';
import { writeDatabase } from '../stacosys-database.js';
import { canonicalKey } from '../../stacosys-hook/src/key.js';

/**
 * @param {(folder: string) => void} use
 */
function inFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-bake-'));
  try {
    use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @returns {import('../bench/bake.js').Measured} */
function measured(comments = 1_000_000) {
  const runs = [{ peakBytes: 77 * 2 ** 20, lock: 500 }];
  return {
    size: { comments, articles: 10, rounds: 3, inspected: 1 },
    times: { cli: [600, 1200, 700], node: [40, 40, 40], bake: [630, 1080, 735] },
    inspected: { cli: runs, bake: runs },
  };
}

test('a bake that counts other than SQLite is refused', () => {
  inFolder((folder) => {
    const file = join(folder, 'counts.json');
    writeFileSync(file, '{"/a/": 2, "/b/": 1}');
    refuseWrongCounts(file, 3);
    assert.throws(() => refuseWrongCounts(file, 4), { message: 'bake counts 3 comments, SQLite 4' });
  });
});

test('a bake is compared with the CLI of the same round', () => {
  const result = bakeResult([measured()], []);
  checkResult(result);
  const [ratio, memory] = result.targets.map(verdictOn);
  assert.deepEqual(ratio, {
    what: 'bake ÷ CLI, of 1,000,000 comments',
    measured: '1.05 × (0.9 to 1.05)',
    target: '≤ 1.15 ×',
    isMet: true,
  });
  assert.equal(memory?.measured, '77 MiB');
  assert.ok(result.tables[0]?.rows[0]?.includes('700 ms (600 to 1,200)'));
});

test('of a few comments, what bake adds to a start of Node and the CLI is what counts', () => {
  const [target] = bakeResult([measured(10_000)], []).targets;
  assert.deepEqual(target?.values, [-10, -160, -5]);
  assert.deepEqual(bakeResult([measured(10_000_000)], []).targets, [], 'once: no target');
});

test('a multiplied database has as many times the comments, each copy on articles of its own', () => {
  inFolder((folder) => {
    const file = join(folder, 'db.sqlite');
    writeDatabase(file, madeUpComments(2000, 50));
    const ask = (/** @type {string} */ query) => {
      const database = new Database(file, { readonly: true });
      try {
        return database.prepare(query).pluck().all();
      } finally {
        database.close();
      }
    };
    const keys = () => new Set(ask('SELECT url FROM comment').map((url) => canonicalKey(String(url))));
    const before = keys();
    multiplyComments(file, 4);
    assert.deepEqual(ask('SELECT count(*) FROM comment'), [8000]);
    assert.equal(keys().size, 4 * before.size);
    assert.deepEqual(ask('PRAGMA journal_mode'), ['delete']);
  });
});
