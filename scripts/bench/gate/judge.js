/**
 * @typedef {object} Limit of limits.json
 * @property {number} most that the figure may be
 * @property {[least: number, median: number, most: number]} seen in ten runs, when the limit was set
 *
 * @typedef {object} Verdict
 * @property {import('./figures.js').Figure} figure
 * @property {number} value
 * @property {number} limit
 * @property {Limit['seen'] | null} seen
 * @property {boolean} isMet
 */

/**
 * @param {import('./figures.js').Figure[]} figures
 * @param {Record<string, Limit>} limits by name
 * @param {Record<string, number>} values measured, by name
 * @returns {Verdict[]} one a figure; throws where one has no value or no limit, or a limit or value no figure
 */
export function judge(figures, limits, values) {
  const names = new Set(figures.map(({ name }) => name));
  const strays = [...Object.keys(limits), ...Object.keys(values)].filter((name) => !names.has(name));
  if (strays.length > 0) throw new Error(`no figure is named ${strays.join(', ')}`);
  return figures.map((figure) => {
    const { name } = figure;
    const value = values[name];
    const limit = Math.min(figure.budget ?? Infinity, limits[name]?.most ?? Infinity);
    if (value === undefined || !Number.isFinite(value)) throw new Error(`${name} was not measured`);
    if (limit === Infinity) throw new Error(`${name} has no limit: give it one in ${figure.where}`);
    return { figure, value, limit, seen: limits[name]?.seen ?? null, isMet: value <= limit };
  });
}

/**
 * @param {Verdict} verdict that is not met
 * @returns {string} what is wrong, and what to do where it is meant
 */
export function complaint({ figure: { name, what, unit, where }, value, limit, seen }) {
  const before = seen ? `, was ${shown(seen[1], unit)}` : '';
  return `${what}: ${shown(value, unit)}${before}, and may be ${shown(limit, unit)}.
  If that is meant: raise "${name}" in ${where}, and say in the commit what it is worth.`;
}

/**
 * @param {number} value
 * @param {string} unit
 */
export function shown(value, unit) {
  const number = Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(2);
  return unit === '' ? number : `${number} ${unit}`;
}

/** @param {Limit['seen']} seen */
export function stability([least, , most], unit = '') {
  return least === most
    ? 'the same in ten runs'
    : `${shown(least, unit)} to ${shown(most, unit)} in ten runs`;
}
