/**
 * @typedef {object} Tally
 * @property {(kind: string) => void} add
 * @property {() => void} close writes what is left
 */

/**
 * Counts what may come in floods, and writes the sums: the first at once, then at most one a pause.
 *
 * @param {(counts: Record<string, number>) => void} write since it was called last, by kind
 * @param {number} pause milliseconds
 * @returns {Tally}
 */
export function createTally(write, pause) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const flush = () => {
    timer = undefined;
    if (counts.size === 0) return;
    write(Object.fromEntries(counts));
    counts.clear();
    timer = setTimeout(flush, pause).unref();
  };
  return {
    add: (kind) => {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (!timer) flush();
    },
    close: () => {
      clearTimeout(timer);
      flush();
      clearTimeout(timer);
    },
  };
}
