import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const BETWEEN_LOOKS = 10; // milliseconds; the kernel keeps the peak, so only the last of it is missed

/**
 * Runs any program to its end, with what it prints on standard output thrown away.
 *
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<{milliseconds: number, peakBytes: number}>} of the whole process; its peak memory
 *   is known on Linux only, else NaN
 */
export async function watchedRun(command, args) {
  const started = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  let peakBytes = NaN;
  const look = setInterval(() => {
    peakBytes = peakOf(child.pid) ?? peakBytes;
  }, BETWEEN_LOOKS);
  try {
    const [status, signal] = await once(child, 'exit');
    const milliseconds = performance.now() - started;
    if (status === 0) return { milliseconds, peakBytes };
    throw new Error(`${[command, ...args].join(' ')} ended with ${signal ?? status}`);
  } finally {
    clearInterval(look);
  }
}

/**
 * @param {number | undefined} pid
 * @returns {number | null} bytes; null where the process is over, or the system does not tell
 */
function peakOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(status) ?? [];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null; // it ended meanwhile
  }
}
