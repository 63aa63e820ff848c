import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isOnPath } from '../../tools.js';

/**
 * @typedef {object} Shares of the cores of this machine
 * @property {number} servers how many they have
 * @property {number} load how many wrk has
 * @property {string[]} onServers what comes before a command that is to run on those of the servers; nothing where
 *   the cores cannot be shared out
 * @property {string[]} onLoad
 */

/**
 * Readers bring a machine of their own: so the servers get one half of the cores, and wrk the other. With
 * a single core, or without taskset (which all Linux systems have), both take what they get.
 *
 * @returns {Shares}
 */
export function shares() {
  const cores = allowedCores();
  const count = availableParallelism();
  if (cores.length < 2 || !isOnPath('taskset')) {
    return { servers: count, load: Math.min(2, count), onServers: [], onLoad: [] };
  }
  const half = Math.floor(cores.length / 2);
  const on = (/** @type {number[]} */ some) => ['taskset', '-c', some.join(',')];
  const [servers, load] = [cores.slice(0, half), cores.slice(half)];
  return { servers: servers.length, load: load.length, onServers: on(servers), onLoad: on(load) };
}

/** @returns {number[]} the numbers of the cores on which this process may run; none where the system does not tell */
function allowedCores() {
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    return coresIn(/^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
    return []; // no Linux
  }
}

/**
 * @param {string} list as Linux writes it: `0-2,5`
 * @returns {number[]}
 */
export function coresIn(list) {
  return list
    .split(',')
    .filter(Boolean)
    .flatMap((range) => {
      const [first = NaN, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}

/**
 * @param {import('../servers/with-processes.js').Start} start
 * @param {string[]} on of Shares
 * @returns {import('../servers/with-processes.js').Start} that starts there
 */
export function startOn(start, [program, ...args]) {
  if (program === undefined) return start;
  return (command) =>
    start({ ...command, binary: program, args: [...args, command.binary, ...command.args] });
}
