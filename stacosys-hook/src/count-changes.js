/**
 * @typedef {object} Change
 * @property {number} from comments before; 0 for a page that had none
 * @property {number} to
 */

/**
 * What changed between two texts of counts.json.
 *
 * @param {Buffer} before
 * @param {Buffer} after
 * @returns {Map<string, Change>} by canonical key; in the order of the keys after, then those that are gone
 */
export function countChanges(before, after) {
  if (before.equals(after)) return new Map();
  const old = new Map(Object.entries(parse(before)));
  /** @type {Map<string, Change>} */
  const changes = new Map();
  for (const [key, to] of Object.entries(parse(after))) {
    const from = old.get(key) ?? 0;
    old.delete(key);
    if (from !== to) changes.set(key, { from, to });
  }
  for (const [key, from] of old) changes.set(key, { from, to: 0 });
  return changes;
}

/**
 * @param {Buffer} counts
 * @returns {Record<string, number>}
 */
function parse(counts) {
  return JSON.parse(counts.toString());
}
