/**
 * How often Hugo ran our partials, of what `hugo --templateMetrics --templateMetricsHints` prints: its table ends
 * with the columns "cached count", "total count" and "template".
 *
 * @param {string} log
 * @returns {Calls[]} the partials of ours, by name
 *
 * @typedef {object} Calls
 * @property {string} name `count.html`
 * @property {number} total all calls
 * @property {number} run those that the cache did not answer
 */
export function templateCalls(log) {
  const rows = log.matchAll(/ (\d+) +(\d+) +_?partials\/stacosys\/(\S+)$/gm);
  const calls = Array.from(rows, ([, cached, total, name]) => ({
    name: String(name),
    total: Number(total),
    run: Number(total) - Number(cached),
  }));
  if (calls.length === 0) throw new Error(`Hugo told of no partial of ours:\n${log}`);
  return calls.sort((a, b) => a.name.localeCompare(b.name, 'en'));
}
