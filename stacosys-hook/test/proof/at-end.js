/* The order in which a test cleans up. It holds no test itself. */

/** @typedef {import('node:test').TestContext} TestContext */

/** @type {WeakMap<TestContext, (() => unknown)[]>} */
const endings = new WeakMap();

/**
 * Ends processes before their folders go. The hooks of `t.after` run in the order in which they were
 * registered, so this is called, with nothing as yet, before there is a folder.
 *
 * @param {TestContext} t
 * @param {() => unknown} [end]
 */
export function atEnd(t, end) {
  const known = endings.get(t);
  const ends = known ?? [];
  if (end) ends.push(end);
  if (known) return;
  endings.set(t, ends);
  t.after(async () => {
    for (const each of ends) await each();
  });
}
