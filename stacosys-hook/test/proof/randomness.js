/* Random moments that can be had again. It holds no test itself. */
import { chosenSeed } from './soak.js';

/**
 * @typedef {object} Randomness
 * @property {(least: number, most: number) => number} integer both included
 * @property {<T>(values: readonly T[]) => T} pick
 */

/**
 * @param {import('node:test').TestContext} t which tells the seed if it fails
 * @returns {Randomness}
 */
export function randomness(t) {
  const seed = chosenSeed();
  t.after(() => {
    const { passed } = /** @type {typeof t & {passed: boolean}} */ (t); // the types do not know it yet
    if (!passed) t.diagnostic(`to have these random moments again: STACOSYS_SEED=${seed}`);
  });
  const random = mulberry(seed);
  const integer = (/** @type {number} */ least, /** @type {number} */ most) =>
    least + Math.floor(random() * (most - least + 1));
  return {
    integer,
    pick: (values) => /** @type {(typeof values)[number]} */ (values[integer(0, values.length - 1)]),
  };
}

/**
 * @see https://github.com/bryc/code/blob/master/jshash/PRNGs.md#mulberry32
 * @param {number} seed
 * @returns {() => number} from 0 to below 1
 */
function mulberry(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
