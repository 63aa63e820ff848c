import { median } from '../statistics.js';

/**
 * A number as short as a chart wants it: three digits that count.
 *
 * @param {number} value
 * @returns {string}
 */
export function figure(value) {
  const size = Math.abs(value);
  if (size >= 1e9) return `${figure(value / 1e9)} G`;
  if (size >= 1e6) return `${figure(value / 1e6)} M`;
  return Number(value.toPrecision(3)).toLocaleString('en', { maximumFractionDigits: 4 });
}

/**
 * @param {number} value of a tick
 * @returns {string} `100k`
 */
export function tickFigure(value) {
  if (value >= 1e6) return `${figure(value / 1e6)}M`;
  return value >= 1e4 ? `${figure(value / 1e3)}k` : figure(value);
}

/**
 * @param {number[]} values at least one
 * @returns {{least: number, middle: number, most: number}}
 */
export function summary(values) {
  return { least: Math.min(...values), middle: median(values), most: Math.max(...values) };
}
