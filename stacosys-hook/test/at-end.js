/* The order in which a test cleans up. It holds no test itself. */

/** @typedef {{after: (end: () => any) => void}} Test a test's context, or what does as one */

/** @type {WeakMap<Test, (() => unknown)[]>} */
const endings = new WeakMap();

/**
 * Ends what came last first: a server before the folder that it serves. The hooks of `t.after` run in the order
 * in which they were registered.
 *
 * @param {Test} t
 * @param {() => unknown} end
 */
export function atEnd(t, end) {
  const known = endings.get(t);
  if (known) {
    known.push(end);
    return;
  }
  const ends = [end];
  endings.set(t, ends);
  t.after(async () => {
    for (let last = ends.pop(); last; last = ends.pop()) await last();
  });
}
