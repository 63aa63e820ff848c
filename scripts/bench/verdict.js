import { figure, summary } from './chart/figure.js';
import { median } from './statistics.js';

/**
 * @typedef {import('./part.js').Target} Target
 *
 * @typedef {object} Verdict
 * @property {string} what
 * @property {string} measured `27.1 × (25.2 to 28)`
 * @property {string} target `≥ 25 ×`
 * @property {boolean} isMet
 */

/**
 * @param {Target} target
 * @returns {Verdict}
 */
export function verdictOn({ what, values, unit, most = Infinity, least = -Infinity }) {
  const reached = median(values);
  const limits = [
    ...(least > -Infinity ? [`≥ ${figure(least)}`] : []),
    ...(most < Infinity ? [`≤ ${figure(most)}`] : []),
  ];
  return {
    what,
    measured: measured(values, unit),
    target: `${limits.join(', ')} ${unit}`.trim(),
    isMet: reached >= least && reached <= most,
  };
}

/**
 * @param {number[]} values
 * @param {string} unit
 */
function measured(values, unit) {
  const { least, middle, most } = summary(values);
  const range = values.length > 1 ? ` (${figure(least)} to ${figure(most)})` : '';
  return `${`${figure(middle)} ${unit}`.trim()}${range}`;
}
