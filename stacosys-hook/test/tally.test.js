import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTally } from '../src/tally.js';

test('the first is written at once, and a flood once a pause, as a sum', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  /** @type {Record<string, number>[]} */
  const written = [];
  const tally = createTally((counts) => written.push(counts), 1000);
  for (let n = 0; n < 500; n += 1) tally.add('a');
  tally.add('b');
  assert.deepEqual(written, [{ a: 1 }]);
  t.mock.timers.tick(1000);
  assert.deepEqual(written, [{ a: 1 }, { a: 499, b: 1 }]);
  t.mock.timers.tick(1000);
  assert.equal(written.length, 2);
  tally.add('a');
  assert.deepEqual(written.slice(2), [{ a: 1 }]);
});

test('what is left is written at the end', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  /** @type {Record<string, number>[]} */
  const written = [];
  const tally = createTally((counts) => written.push(counts), 1000);
  for (let n = 0; n < 3; n += 1) tally.add('a');
  tally.close();
  assert.deepEqual(written, [{ a: 1 }, { a: 2 }]);
  t.mock.timers.tick(5000);
  assert.equal(written.length, 2);
});
