/* Waiting for what must come, and never for a time. It holds no test itself. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

const LONGEST = 120_000; // milliseconds: a test that waits so long has failed, on the slowest machine

/**
 * @template T
 * @param {string} what is waited for
 * @param {() => T | Promise<T>} look
 * @param {() => unknown} [explain] what helps to see why it did not come
 * @returns {Promise<NonNullable<T>>} what was found, as soon as it is truthy
 */
export async function until(what, look, explain = () => '') {
  const deadline = performance.now() + LONGEST;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadline) assert.fail(`waited in vain for ${what}\n${explain()}`);
    await pause(5);
  }
}
