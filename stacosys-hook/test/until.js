/* Shared set-up of the tests that wait for another process. It holds no test itself. */
import { setTimeout as pause } from 'node:timers/promises';

const LONGEST = 60_000; // milliseconds: a slow machine is no failure

/**
 * Waits until something is so.
 *
 * @template T
 * @param {() => T} look
 * @param {string} what is waited for
 * @param {() => string} [explain] what to say where it never comes
 * @returns {Promise<NonNullable<T>>} what `look` gave, once it is true
 */
export async function until(look, what, explain = () => '') {
  const deadline = performance.now() + LONGEST;
  for (;;) {
    const found = look();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}\n${explain()}`);
    await pause(10);
  }
}
