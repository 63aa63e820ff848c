/*
 * The ends and the ticks of an axis.
 */

/**
 * @typedef {object} Scale
 * @property {'linear' | 'log'} type
 * @property {[least: number, most: number]} domain
 * @property {number[]} ticks
 */

const STEPS = [1, 2, 5];
const FEW_TICKS = 3;
const MANY_TICKS = 5;

/**
 * @param {number[]} values
 * @param {'linear' | 'log'} type of values of which none is above 0, a log scale cannot be drawn
 * @returns {Scale}
 */
export function scaleOf(values, type) {
  const positive = values.filter((value) => value > 0);
  return type === 'log' && positive.length > 0 ? logScale(positive) : linearScale(values);
}

/**
 * @param {number[]} values above 0
 * @returns {Scale} of one decade at least
 */
function logScale(values) {
  const least = roundDown(Math.min(...values));
  const most = roundUp(Math.max(...values, least * 10));
  const decades = ticksBetween(least, most, [1]);
  return {
    type: 'log',
    domain: [least, most],
    ticks: decades.length < FEW_TICKS ? ticksBetween(least, most, STEPS) : decades,
  };
}

/**
 * @param {number[]} values
 * @returns {Scale} with 0 on it: the length of a bar tells
 */
function linearScale(values) {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const step = roundUp((most - least || 1) / MANY_TICKS);
  const [first, last] = [Math.floor(least / step), Math.ceil(most / step)];
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => tidy((first + index) * step));
  return { type: 'linear', domain: [ticks[0] ?? 0, ticks.at(-1) ?? 1], ticks };
}

/**
 * @param {number} least
 * @param {number} most
 * @param {number[]} steps of each decade
 */
function ticksBetween(least, most, steps) {
  const first = Math.floor(Math.log10(least));
  const decades = Math.ceil(Math.log10(most)) - first + 1;
  const ticks = Array.from({ length: decades }, (_, decade) =>
    steps.map((step) => tidy(step * 10 ** (first + decade))),
  ).flat();
  return ticks.filter((tick) => tick >= least && tick <= most);
}

/**
 * @param {number} value above 0
 * @returns {number} 1, 2 or 5 times a power of ten
 */
function roundDown(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return tidy((STEPS.findLast((step) => tidy(step * power) <= value) ?? 1) * power);
}

/**
 * @param {number} value above 0
 * @returns {number} 1, 2 or 5 times a power of ten
 */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [...STEPS, 10].find((step) => value <= tidy(step * power)) ?? 10;
  return tidy(step * power);
}

/** @param {number} value without the rounding errors of its making */
function tidy(value) {
  return Number(value.toPrecision(12));
}

/**
 * @param {Scale} scale
 * @param {number} value
 * @returns {number} 0 at the least end, 1 at the most
 */
export function position({ type, domain: [least, most] }, value) {
  if (type === 'linear') return (value - least) / (most - least);
  return Math.log(Math.max(value, least) / least) / Math.log(most / least);
}
