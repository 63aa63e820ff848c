import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from './errors.js';
import { wasEnded } from './hugo.js';
import { acquireLock } from './lock.js';

const LOCK_PAUSE = 100; // milliseconds

/**
 * Waits for its turn: builds of one site, by the service and by hand, take turns, and so do builds
 * of several copies of it that publish to one folder.
 *
 * @param {string[]} files the locks, always in the same order
 * @param {number} limit milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<import('./lock.js').Lock>}
 * @throws {Failure} another build takes longer, or this one is to end
 */
export async function buildLock(files, limit, signal) {
  const deadline = performance.now() + limit;
  /** @type {import('./lock.js').Lock[]} */
  const locks = [];
  const release = () => locks.forEach((lock) => lock.release());
  try {
    for (const file of files) locks.push(await waitFor(file, deadline, limit, signal));
  } catch (error) {
    release();
    throw error;
  }
  return { release };
}

/**
 * @param {string} file
 * @param {number} deadline
 * @param {number} limit
 * @param {AbortSignal} [signal]
 */
async function waitFor(file, deadline, limit, signal) {
  for (;;) {
    const lock = acquireLock(file);
    if (lock) return lock;
    if (signal?.aborted) throw wasEnded();
    if (performance.now() > deadline) throw isBusy(file, limit);
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
 * @param {string} file
 * @param {number} limit
 */
function isBusy(file, limit) {
  return new Failure(
    `Another build has been running for ${limit / 1000} s (it holds ${file})`,
    'Run this again when it has ended.',
  );
}
