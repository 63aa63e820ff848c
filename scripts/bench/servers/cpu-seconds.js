import { readFileSync, readdirSync } from 'node:fs';

const TICKS_PER_SECOND = 100; // of /proc, on every Linux

/**
 * @typedef {object} Usage of one process
 * @property {number} pid
 * @property {number} parent
 * @property {number} ticks user and system, with those of its children that are dead and waited for
 */

/**
 * @param {number[]} pids
 * @returns {number} CPU seconds so far of these processes and of all that they started
 */
export function cpuSeconds(pids) {
  const usages = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(usageOf)
    .filter((usage) => usage !== null);
  return ticksOfTrees(usages, pids) / TICKS_PER_SECOND;
}

/**
 * @param {Usage[]} usages of all processes
 * @param {number[]} roots
 * @returns {number}
 */
export function ticksOfTrees(usages, roots) {
  const trees = new Set(roots);
  let before = 0;
  while (trees.size > before) {
    before = trees.size;
    for (const { pid, parent } of usages) if (trees.has(parent)) trees.add(pid);
  }
  const missing = roots.filter((root) => !usages.some(({ pid }) => pid === root));
  if (missing.length > 0) throw new Error(`process ${missing.join(', ')} is gone`);
  return usages.filter(({ pid }) => trees.has(pid)).reduce((sum, { ticks }) => sum + ticks, 0);
}

/**
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 * @param {string} stat what /proc/PID/stat holds; the second field is a name that may hold anything
 * @returns {Usage}
 */
export function parseStat(stat) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid: Number.parseInt(stat, 10), parent: Number(fields[1]), ticks };
}

/** @param {string} pid */
function usageOf(pid) {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ENOENT' || code === 'ESRCH') return null; // it ended meanwhile
    throw error;
  }
}
