import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkResult } from '../bench/check-result.js';
import { rebuildResult } from '../bench/rebuild-result.js';
import { verdictOn } from '../bench/verdict.js';

const STAGES = { wake: 5, bake: 10, hugo: 700, inspect: 20, publish: 5 };

/** @param {number} pages */
function rounds(pages) {
  return {
    pages,
    ours: [800, 900, 1000],
    inPlace: [750, 830, 1200],
    fresh: [700, 800, 1100],
    stages: [STAGES, STAGES, STAGES],
  };
}

const POLLED = [54, 30, 6].map((wait) => ({ milliseconds: wait * 1000 + 900, idle: 0.0001 }));

test('watch is compared with Hugo alone of the same round, and with the poller at its size', () => {
  const result = rebuildResult([rounds(100), rounds(1000)], POLLED, [0.001, 0.002], { Hugo: '0.168.0' });
  checkResult(result);
  assert.deepEqual(
    result.targets
      .map((target) => verdictOn(target))
      .map(({ what, measured, isMet }) => [what, measured, isMet]),
    [
      ['watch − Hugo alone, 100 articles', '50 ms (-200 to 70)', true],
      ['watch − Hugo alone, the slowest round of each, 100 articles', '-200 ms', true],
      ['watch − Hugo alone, 1,000 articles', '50 ms (-200 to 70)', true],
      ['watch − Hugo alone, the slowest round of each, 1,000 articles', '-200 ms', true],
      ['watch, idle', '0.15 % of a core (0.1 to 0.2)', true],
    ],
  );
  assert.deepEqual(result.tables.at(-1)?.rows, [
    ['watch', '0.90 s (0.80 to 1.00)', '0.15 % (0.10 to 0.20)'],
    ['a poller', '30.9 s (6.90 to 54.9)', '0.01 % (0.01 to 0.01)'],
    ['poller ÷ watch, medians', '34 ×', ''],
  ]);
});

test('without the size at which the poller was measured, there is nothing to compare it with', () => {
  assert.throws(() => rebuildResult([rounds(100)], POLLED, [0], {}), /at 1,000 articles/);
});
