/** @typedef {import('./run-wrk.js').LoadRun} LoadRun */

/**
 * Of a run in which wrk looked at every body: none may be wrong, and all of them must have come about
 * equally often, but for the views that were under way at the end.
 *
 * @param {string} name
 * @param {LoadRun} run
 * @param {number} connections
 */
export function refuseWrongBodies(name, { seen, answers }, connections) {
  const tallies = (seen[0] ?? []).map((_, place) => seen.reduce((sum, of) => sum + (of[place] ?? 0), 0));
  const wrong = tallies.pop();
  const [least, most] = [Math.min(...tallies), Math.max(...tallies)];
  if (wrong === 0 && most - least <= connections) return;
  throw new Error(`${name}: of ${answers} answers under load ${wrong} were wrong, the others: ${tallies}`);
}

/**
 * Of a measured run: it must have brought as many bytes as so many views weigh.
 *
 * @param {string} name
 * @param {Pick<LoadRun, 'answers' | 'bytes' | 'errors'>} run
 * @param {{bytes: number, answers: number, connections: number}} view what one weighs, and the most under way
 */
export function refuseOtherBytes(name, { answers, bytes, errors }, view) {
  const views = answers / view.answers;
  const failed = Object.values(errors).reduce((sum, count) => sum + count, 0);
  const unsure = view.connections + failed; // begun and not finished
  if (answers > 0 && Math.abs(bytes - views * view.bytes) <= unsure * view.bytes) return;
  throw new Error(
    `${name}: ${answers} answers of ${bytes} bytes, ${failed} errors; ${view.answers} weigh ${view.bytes}`,
  );
}
