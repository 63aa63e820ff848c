import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY = 50; // milliseconds

/** How long they may take to end by themselves, and what is waited for the kernel; milliseconds. */
const SIGNALS = /** @type {const} */ ([
  ['SIGTERM', 5000],
  ['SIGKILL', 2000],
]);

/**
 * @typedef {object} Mark of the processes that a part started
 * @property {string} variable of the environment, which each inherits, also into a group of its own
 * @property {string} value
 * @property {number} group of processes: some, such as nginx, write over their environment
 */

/**
 * Ends a group of processes and, on Linux, whatever else has the mark.
 *
 * @param {Mark} mark
 * @returns {Promise<string[]>} the commands of those that were there, on Linux
 */
export async function endMarked(mark) {
  const found = markedProcesses(mark);
  for (const [signal, patience] of SIGNALS) {
    const told = [-mark.group, ...markedProcesses(mark).map(({ pid }) => pid)].map((pid) =>
      tell(pid, signal),
    );
    if (!told.some(Boolean)) break;
    const deadline = Date.now() + patience;
    while (markedProcesses(mark).length > 0 && Date.now() < deadline) await pause(LOOK_EVERY);
  }
  return found.map(({ command }) => command);
}

/**
 * @param {number} pid or a group, if negative
 * @param {NodeJS.Signals} signal
 * @returns {boolean} whether there was one
 */
function tell(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH') return false;
    throw error;
  }
}

/**
 * @param {Mark} mark
 * @returns {{pid: number, command: string}[]} those that run; none where there is no /proc
 */
function markedProcesses({ variable, value, group }) {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((name) => ({ name, ...statusOf(name) }))
    .filter(
      ({ name, state, group: its }) =>
        state !== 'Z' &&
        (its === group || readOfProcess(name, 'environ').split('\0').includes(`${variable}=${value}`)),
    )
    .map(({ name, command }) => ({ pid: Number(name), command }));
}

/**
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 * @param {string} pid
 */
function statusOf(pid) {
  const [, command = '', state = 'Z', group] =
    /^\d+ \((.*)\) (\S) \d+ (\d+)/s.exec(readOfProcess(pid, 'stat')) ?? [];
  return { command, state, group: Number(group) };
}

/**
 * @param {string} pid
 * @param {string} file
 * @returns {string} '' where the process ended meanwhile, or is somebody else's
 */
function readOfProcess(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
