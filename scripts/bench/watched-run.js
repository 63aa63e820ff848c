import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const BETWEEN_LOOKS = 10; // milliseconds; the kernel adds up, so only the last of it is missed
const MILLISECONDS_PER_TICK = 10; // of /proc, on every Linux

/**
 * @typedef {object} Run of a whole process
 * @property {number} milliseconds wall time
 * @property {number} cpuMilliseconds of all its threads; like the next one known on Linux only, else NaN
 * @property {number} peakBytes of memory
 */

/**
 * Runs any program to its end, with what it prints on standard output thrown away.
 *
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<Run>}
 */
export async function watchedRun(command, args) {
  const started = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  let used = { cpuMilliseconds: NaN, peakBytes: NaN };
  const look = setInterval(() => {
    used = usedBy(child.pid) ?? used;
  }, BETWEEN_LOOKS);
  try {
    const [status, signal] = await once(child, 'exit');
    const milliseconds = performance.now() - started;
    if (status === 0) return { milliseconds, ...used };
    throw new Error(`${[command, ...args].join(' ')} ended with ${signal ?? status}`);
  } finally {
    clearInterval(look);
  }
}

/**
 * @param {number | undefined} pid
 * @returns {{cpuMilliseconds: number, peakBytes: number} | null} null where the process is over, or the
 *   system does not tell
 */
function usedBy(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(status) ?? [];
    if (kilobytes === undefined) return null;
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]); // user and system
    return { cpuMilliseconds: ticks * MILLISECONDS_PER_TICK, peakBytes: Number(kilobytes) * 1024 };
  } catch {
    return null; // it ended meanwhile
  }
}
