import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PEAK_MEMORY = fileURLToPath(new URL('peak-memory.cjs', import.meta.url));

/**
 * Runs a program to its end with its output thrown away.
 *
 * @param {string} command
 * @param {string[]} args
 * @returns {number} milliseconds of the whole process
 */
export function wallTime(command, args) {
  const started = performance.now();
  const result = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const milliseconds = performance.now() - started;
  refuseFailure(command, args, result);
  return milliseconds;
}

/**
 * Runs a Node program for what it prints and for its peak memory. The time of such a run
 * does not count: measuring costs some.
 *
 * @param {string[]} args of node
 * @param {string} file for what it prints: a pipe would load 4 MB of streams
 * @returns {{output: string, peakBytes: number}}
 */
export function inspect(args, file) {
  const output = openSync(file, 'w');
  const result = spawnSync(process.execPath, ['--require', PEAK_MEMORY, ...args], {
    stdio: ['ignore', output, 'inherit', 'pipe'],
    encoding: 'utf8',
  });
  closeSync(output);
  refuseFailure(process.execPath, args, result);
  return { output: readFileSync(file, 'utf8'), peakBytes: Number(result.output[3]) };
}

/**
 * Takes turns, A B C A B C …, so that whatever else the machine does hits all of them alike.
 * First rounds warm the caches and are not counted.
 *
 * @template {string} Name
 * @param {Record<Name, () => number>} contenders each runs once and returns its time
 * @param {number} rounds
 * @param {number} [warmUps] rounds before
 * @returns {Record<Name, number[]>}
 */
export function interleave(contenders, rounds, warmUps = 1) {
  const names = /** @type {Name[]} */ (Object.keys(contenders));
  const times = /** @type {Record<Name, number[]>} */ ({});
  for (const name of names) times[name] = [];
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const name of names) {
      const time = contenders[name]();
      if (round >= 0) times[name].push(time);
    }
  }
  return times;
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnSyncReturns<any>} result
 */
function refuseFailure(command, args, { error, status, signal }) {
  if (error) throw error;
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${signal ?? status}`);
}
