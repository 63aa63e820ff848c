import { checkResult } from './check-result.js';

/**
 * @typedef {import('./part.js').Part} Part
 * @typedef {import('./part.js').Result} Result
 *
 * @typedef {object} Outcome exactly one of result, skipped and error is there
 * @property {Part} part
 * @property {number} seconds
 * @property {Result} [result]
 * @property {string} [skipped] why it could not run
 * @property {unknown} [error] why what it measured is not to be believed
 *
 * @typedef {object} Ways how a part gets what it needs, how it runs, and who hears of it
 * @property {(needs: string[]) => Promise<string | null>} install resolves with the reason why they cannot be had
 * @property {(part: Part) => Promise<Result>} run
 * @property {(part: Part, done: number) => void} onStart
 * @property {(outcome: Outcome) => void} onEnd
 * @property {AbortSignal} signal
 */

/**
 * One after the other: two at a time would measure each other. What one cannot do, the others still do.
 *
 * @param {Part[]} parts
 * @param {Ways} ways
 * @returns {Promise<Outcome[]>} rejects when the signal says so
 */
export async function runParts(parts, ways) {
  /** @type {Outcome[]} */
  const outcomes = [];
  for (const part of parts) {
    ways.signal.throwIfAborted();
    ways.onStart(part, outcomes.length);
    const outcome = await outcomeOf(part, ways);
    ways.signal.throwIfAborted();
    outcomes.push(outcome);
    ways.onEnd(outcome);
  }
  return outcomes;
}

/**
 * @param {Part} part
 * @param {Ways} ways
 * @returns {Promise<Outcome>}
 */
async function outcomeOf(part, { install, run }) {
  const missing = part.needs.length === 0 ? null : await install(part.needs);
  if (missing !== null) return { part, seconds: 0, skipped: missing };
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  try {
    const result = await run(part);
    checkResult(result);
    return { part, seconds: seconds(), result };
  } catch (error) {
    return { part, seconds: seconds(), error };
  }
}
