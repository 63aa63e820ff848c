import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { countOf, uncorrected } from './latencies.js';

/**
 * @typedef {object} Load
 * @property {string} url
 * @property {string} batch file with the requests of a page view, one after the other
 * @property {number} answers to them
 * @property {number} connections
 * @property {number} threads
 * @property {string[]} [on] what comes before its command, of Shares
 * @property {number} seconds whole ones
 * @property {string[]} [expected] files with the body of each answer: makes wrk look at every one
 *
 * @typedef {Record<'connect' | 'read' | 'write' | 'status' | 'timeout', number>} Errors
 *
 * @typedef {object} LoadRun
 * @property {number} seconds that it took
 * @property {number} answers
 * @property {number} bytes of all answers, with their headers
 * @property {number} cpuSeconds of wrk itself
 * @property {Errors} errors
 * @property {number[][]} seen of each thread: answers that had the first expected body, the second …, and
 *   at the end those that had none of them
 * @property {import('./latencies.js').Histogram} latencies of page views
 */

const SCRIPT = fileURLToPath(new URL('page-views.lua', import.meta.url));
const LATENCY_LIMIT = '30s'; // a page view that takes longer is a timeout
const GRACE = 60_000; // milliseconds that wrk may take to end
const OUTPUT_LIMIT = 64 * 2 ** 20; // bytes

/**
 * Loads a server with page views: every connection sends the next one when it has all answers to the last.
 *
 * @param {Load} load
 * @returns {Promise<LoadRun>}
 */
export async function runWrk(load) {
  const { url, batch, connections, threads, seconds, on = [], expected = [] } = load;
  const size = [`-c${connections}`, `-t${threads}`, `-d${seconds}s`];
  const args = [...size, '--timeout', LATENCY_LIMIT, '-s', SCRIPT, url, '--', batch, ...expected];
  const limits = { timeout: seconds * 1000 + GRACE, maxBuffer: OUTPUT_LIMIT };
  const [program = 'wrk', ...rest] = [...on, 'wrk', ...args];
  const { stdout } = await promisify(execFile)(program, rest, limits);
  return parseRun(stdout, load);
}

/**
 * @param {string} output of wrk, whose last line is that of page-views.lua
 * @param {Pick<Load, 'connections' | 'answers'>} load
 * @returns {LoadRun}
 */
export function parseRun(output, { connections, answers: perView }) {
  const { microseconds, latencies: corrected, ...rest } = JSON.parse(output.trim().split('\n').at(-1) ?? '');
  const perConnection = Math.floor(rest.answers / connections);
  const latencies =
    perConnection > 0 ? uncorrected(corrected, Math.floor(microseconds / perConnection)) : corrected;
  const answered = (countOf(latencies) + rest.errors.timeout) * perView;
  const unfinished = rest.answers - answered; // of the views under way at the end, or broken by an error
  const failures = connections + rest.errors.read + rest.errors.connect + rest.errors.write;
  if (unfinished < 0 || unfinished > failures * perView) {
    throw new Error(`wrk counted ${rest.answers} answers and ${countOf(latencies)} views of ${perView}`);
  }
  return { seconds: microseconds / 1e6, latencies, ...rest };
}

/** @returns {string} `4.1.0`, with what a distribution made of it */
export function wrkVersion() {
  const { stdout } = spawnSync('wrk', ['-v'], { encoding: 'utf8' });
  return /^wrk (\S+)/.exec(stdout ?? '')?.[1] ?? 'unknown';
}
