/*
 * What the benchmarks print.
 */
import { median } from './statistics.js';

/**
 * @param {number[]} values at least one
 * @param {string} unit
 * @param {number} digits behind the point, at most
 * @returns {string} `1.23 s (1.10 to 1.40)`: the median, and of several the least and the most
 */
export function spread(values, unit, digits) {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map((value) =>
    threeDigits(value, digits),
  );
  return values.length > 1 ? `${middle} ${unit} (${least} to ${most})` : `${middle} ${unit}`;
}

/**
 * The next run gives other ones from the third digit on: a fourth would only look exact.
 *
 * @param {number} value
 * @param {number} digits behind the point, at most
 * @returns {string} `22,100`, `31.4`, `0.07`
 */
function threeDigits(value, digits) {
  const before = Math.floor(Math.log10(Math.abs(value) || 1)) + 1;
  const behind = Math.max(0, Math.min(digits, 3 - before));
  const fixed = { minimumFractionDigits: behind, maximumFractionDigits: behind };
  return Number(value.toPrecision(3)).toLocaleString('en', fixed);
}

/**
 * @param {number[]} widths of the columns; 0 for the last one
 * @param {(string | undefined)[]} cells
 */
export function printRow(widths, cells) {
  const padded = cells.map((cell = '', column) => cell.padEnd(widths[column] ?? 0));
  console.log(`  ${padded.join('')}`.trimEnd());
}

/** @param {number} count */
export function amount(count) {
  return count.toLocaleString('en');
}
