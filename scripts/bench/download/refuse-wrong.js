/**
 * A fast page that does not show what it should is worth nothing.
 *
 * @param {string} what was loaded
 * @param {import('./load.js').Load} load
 * @param {import('./load.js').Awaited} awaited
 * @param {string} origin from which all has to come
 * @throws {Error} which says what was wrong
 */
export function refuseWrong(what, load, awaited, origin) {
  const problems = [
    ...wrongCounts(load.found.counts, awaited.counts),
    ...load.found.missing.map((mark) => `it does not show the comment "${mark}"`),
    ...wrongTransfers(load.transfers, origin),
    ...load.errors.map((message) => `a script failed: ${message}`),
  ];
  if (!Number.isFinite(load.visible)) problems.push('it never showed all of that');
  if (load.found.footer === '') problems.push('it is no whole page');
  if (problems.length > 0) throw new Error(`${what}: ${problems.join('; ')}`);
}

/**
 * @param {Record<string, string>} shown
 * @param {Record<string, number>} counts
 */
function wrongCounts(shown, counts) {
  return Object.entries(counts)
    .filter(([path, count]) => shown[path] !== String(count))
    .map(([path, count]) => `it shows "${shown[path] ?? ''}" for ${path}, not ${count}`);
}

/**
 * @param {import('./load.js').Transfer[]} transfers
 * @param {string} origin
 */
function wrongTransfers(transfers, origin) {
  const failed = transfers.filter(({ status }) => status !== 200);
  const elsewhere = transfers.filter(({ url }) => new URL(url).origin !== origin);
  return [
    ...failed.map(({ url, status }) => `${url} was answered with ${status}`),
    ...elsewhere.map(({ url }) => `it asked for ${url}`),
  ];
}
