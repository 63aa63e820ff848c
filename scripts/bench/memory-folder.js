import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** Where Linux keeps files in memory for whoever asks; a container may have very little there. */
const IN_MEMORY = '/dev/shm';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs with a folder in memory, where tens of thousands of small files are written as fast the tenth time
 * as the first: on a disk, a build pays for what those before it left to write. Nothing of it stays: not
 * when `use` throws, and not when somebody stops this process.
 *
 * @template T
 * @param {{bytes: number, fallback: string}} wanted what has to have room; an existing folder where there is none
 * @param {(folder: string, isInMemory: boolean) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withMemoryFolder({ bytes, fallback }, use) {
  if (roomInMemory() < bytes) return use(fallback, false);
  const folder = mkdtempSync(join(IN_MEMORY, 'hugo-stacosys-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  const stopNow = (/** @type {NodeJS.Signals} */ signal) => {
    remove();
    process.off(signal, stopNow);
    // Whoever else listens decides; with nobody, it means what it always means
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  process.on('exit', remove);
  for (const signal of SIGNALS) process.on(signal, stopNow);
  try {
    return await use(folder, true);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stopNow);
    process.off('exit', remove);
    remove();
  }
}

/** @returns {number} bytes; 0 on a system without such a folder */
function roomInMemory() {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    // The files and the processes share what there is
    return Math.min(bavail * bsize, process.availableMemory() / 2);
  } catch {
    return 0;
  }
}
