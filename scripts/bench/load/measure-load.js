import { writeFileSync } from 'node:fs';
import { cpuSeconds } from '../servers/cpu-seconds.js';
import { meanOf, percentileOf } from './latencies.js';
import { askEach, batchOf } from './page-view.js';
import { refuseOtherBytes, refuseWrongBodies } from './refuse-wrong-load.js';
import { runWrk } from './run-wrk.js';

/**
 * @typedef {object} Target what is loaded
 * @property {string} name
 * @property {number} port
 * @property {string} [ca] of HTTPS
 * @property {number[]} pids of all its servers
 * @property {import('./page-view.js').Asked[]} view
 * @property {(answers: import('./page-view.js').Answer[]) => void} check throws where an answer is wrong
 *
 * @typedef {object} Strength
 * @property {number} connections
 * @property {number} threads of wrk
 * @property {string[]} [on] of Shares: where wrk runs
 * @property {number} seconds whole ones
 * @property {boolean} [everyBody] have wrk look at each: for a run that is not measured
 *
 * @typedef {object} Measured
 * @property {number} views per second
 * @property {number} mean milliseconds of a view
 * @property {number} p50
 * @property {number} p99
 * @property {number} errors
 * @property {number} answerBytes of an answer, on the average, with its headers
 * @property {number} cpuPerThousand CPU seconds of all servers for 1,000 views
 * @property {number} serverCores how many they kept busy
 * @property {number} wrkCores
 */

/**
 * Asks for all that a view asks for and has it checked, then loads the server, and checks what came.
 *
 * @param {Target} target
 * @param {Strength} strength
 * @param {string} file that it may write, and others beside it
 * @returns {Promise<Measured>}
 */
export async function measureLoad(target, strength, file) {
  const { name, port, ca, view, pids } = target;
  const answers = await askEach({ port, ca }, view);
  target.check(answers);
  writeFileSync(file, batchOf(view));
  const expected = strength.everyBody ? writeBodies(answers, file) : [];
  const url = `${ca === undefined ? 'http' : 'https'}://127.0.0.1:${port}/`;
  const before = cpuSeconds(pids);
  const run = await runWrk({ url, batch: file, answers: view.length, expected, ...strength });
  const used = cpuSeconds(pids) - before;
  const bytes = answers.reduce((sum, answer) => sum + answer.bytes, 0);
  if (strength.everyBody && run.answers === 0) return measuredOf(run, used, view.length); // nobody was answered as yet
  refuseOtherBytes(name, run, { bytes, answers: view.length, connections: strength.connections });
  if (strength.everyBody) refuseWrongBodies(name, run, strength.connections);
  else if (run.latencies.length === 0) throw new Error(`${name}: no view was whole in ${run.seconds} s`);
  return measuredOf(run, used, view.length);
}

/**
 * @param {import('./page-view.js').Answer[]} answers that are all different, or all the same
 * @param {string} file
 * @returns {string[]} a file for each that is different
 */
function writeBodies(answers, file) {
  const bodies = [...new Set(answers.map(({ body }) => body.toString('latin1')))];
  if (bodies.length !== 1 && bodies.length !== answers.length) throw new Error('some answers are the same');
  return bodies.map((body, index) => {
    writeFileSync(`${file}.${index}`, body, 'latin1');
    return `${file}.${index}`;
  });
}

/**
 * @param {import('./run-wrk.js').LoadRun} run
 * @param {number} used CPU seconds of the servers
 * @param {number} perView answers
 * @returns {Measured}
 */
function measuredOf({ seconds, answers, bytes, errors, latencies, cpuSeconds: wrk }, used, perView) {
  const views = answers / perView;
  return {
    views: views / seconds,
    mean: meanOf(latencies) / 1000,
    p50: percentileOf(latencies, 0.5) / 1000,
    p99: percentileOf(latencies, 0.99) / 1000,
    errors: Object.values(errors).reduce((sum, count) => sum + count, 0),
    answerBytes: Math.round(bytes / answers),
    cpuPerThousand: (used / views) * 1000,
    serverCores: used / seconds,
    wrkCores: wrk / seconds,
  };
}
