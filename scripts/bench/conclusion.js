import { verdictOn } from './verdict.js';

/** @typedef {import('./run-parts.js').Outcome} Outcome */

/**
 * What a run comes to.
 *
 * @param {Outcome[]} outcomes
 * @returns {{lines: string[], isGood: boolean}} it is not where a part failed, a target was missed, or nothing was measured
 */
export function conclusion(outcomes) {
  const targets = outcomes.flatMap(({ result }) => result?.targets ?? []);
  const missed = targets.map(verdictOn).filter(({ isMet }) => !isMet);
  const failed = namesOf(outcomes.filter(({ error }) => error !== undefined));
  const skipped = namesOf(outcomes.filter(({ skipped }) => skipped !== undefined));
  const isMeasured = outcomes.some(({ result }) => result !== undefined);
  const lines = [
    ...(failed === '' ? [] : [`Failed: ${failed}.`]),
    ...(skipped === '' ? [] : [`Skipped: ${skipped}.`]),
    ...(isMeasured ? [] : ['Nothing was measured.']),
    ...missed.map(({ what, measured, target }) => `Missed: ${what}: ${measured}, target ${target}.`),
    ...(targets.length === 0 ? [] : [`${targets.length - missed.length} of ${targets.length} targets met.`]),
  ];
  return { lines, isGood: isMeasured && failed === '' && missed.length === 0 };
}

/** @param {Outcome[]} outcomes */
function namesOf(outcomes) {
  return outcomes.map(({ part }) => part.name).join(', ');
}
