import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countChanges } from '../src/count-changes.js';

/** @param {Record<string, number>} counts */
const text = (counts) => Buffer.from(`${JSON.stringify(counts, null, 2)}\n`);

test('what came, went, and changed its number is named', () => {
  const changes = countChanges(
    text({ '/a/': 1, '/b/': 2, '/c/': 3 }),
    text({ '/a/': 1, '/b/': 5, '/d/': 1 }),
  );
  assert.deepEqual(Object.fromEntries(changes), {
    '/b/': { from: 2, to: 5 },
    '/d/': { from: 0, to: 1 },
    '/c/': { from: 3, to: 0 },
  });
});

test('the same bytes have no change', () => {
  assert.equal(countChanges(text({ '/a/': 1 }), text({ '/a/': 1 })).size, 0);
});

test('applying the changes to what was gives what is', () => {
  const counts = fc.dictionary(fc.webPath(), fc.integer({ min: 1, max: 9 }));
  fc.assert(
    fc.property(counts, counts, (before, after) => {
      const result = new Map(Object.entries(before));
      for (const [key, { from, to }] of countChanges(text(before), text(after))) {
        assert.equal(result.get(key) ?? 0, from);
        if (to === 0) result.delete(key);
        else result.set(key, to);
      }
      assert.deepEqual(result, new Map(Object.entries(after)));
    }),
  );
});
