import { setTimeout as pause } from 'node:timers/promises';

const LOOK = 200; // milliseconds
const QUIET = 0.1; // of a core: a tick of the kernel in a look is half of it

/**
 * Waits until the servers have nothing left to do. Who answers slowly goes on for seconds with what readers asked
 * before they left, and would take the CPU from who is measured next.
 *
 * @param {() => number} cpuSeconds that the servers have used since they started
 * @param {number} patience seconds
 * @throws {Error} they never came to rest
 */
export async function untilQuiet(cpuSeconds, patience) {
  const deadline = performance.now() + patience * 1000;
  const look = () => ({ used: cpuSeconds(), at: performance.now() / 1000 });
  for (let last = look(); ;) {
    await pause(LOOK);
    const now = look();
    const cores = (now.used - last.used) / (now.at - last.at);
    if (cores < QUIET) return;
    if (performance.now() > deadline) {
      throw new Error(`after ${patience} s the servers still keep ${cores.toFixed(1)} cores busy`);
    }
    last = now;
  }
}
