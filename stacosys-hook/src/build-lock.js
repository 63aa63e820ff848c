import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from './errors.js';
import { wasEnded } from './hugo.js';
import { acquireLock } from './lock.js';

const LOCK_PAUSE = 100; // milliseconds

/**
 * A build that the owner starts by hand, and one of the service, take turns.
 *
 * @param {string} site
 * @param {number} limit milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<import('./lock.js').Lock>}
 */
export async function buildLock(site, limit, signal) {
  const deadline = performance.now() + limit;
  for (;;) {
    const lock = acquireLock(join(stateFolder(site), 'build.lock'));
    if (lock) return lock;
    if (signal?.aborted) throw wasEnded();
    if (performance.now() > deadline) throw isBusy(site, limit);
    await pause(LOCK_PAUSE);
  }
}

/**
 * @param {string} site
 * @returns {string} where the hook keeps what is its own: locks, and notifications to be sent
 */
export function stateFolder(site) {
  return join(site, '.stacosys');
}

/**
 * @param {string} site
 * @param {number} limit
 */
function isBusy(site, limit) {
  return new Failure(
    `Another build of ${site} has been running for ${limit / 1000} s`,
    'Run this again when it has ended.',
  );
}
