import { canonicalKey, otherSpellings } from './key.js';

/**
 * @typedef {object} Baked
 * @property {Map<string, number>} counts canonical key → published comments, above 0, sorted
 * @property {Map<string, string>} spellings what Hugo may print instead of a key → the key, sorted
 * @property {number} comments published comments that belong to a page
 * @property {number} merged url forms that were merged into another form of their article
 * @property {number} blank published comments whose url names no page
 */

/**
 * Merges the url forms of every article and sums their comments.
 *
 * @param {Iterable<[url: string, published: number]>} countsByUrl each url as Stacosys stores it
 * @returns {Baked}
 */
export function bake(countsByUrl) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  /** @type {Map<string, string>} */
  const spellings = new Map();
  let comments = 0;
  let merged = 0;
  let blank = 0;
  for (const [url, published] of countsByUrl) {
    const key = canonicalKey(url);
    if (key === null) {
      blank += published;
      continue;
    }
    const before = counts.get(key);
    if (before !== undefined) merged += 1;
    counts.set(key, (before ?? 0) + published);
    comments += published;
    for (const spelling of otherSpellings(url, key)) spellings.set(spelling, key);
  }
  return { counts: sorted(counts), spellings: sorted(spellings), comments, merged, blank };
}

/**
 * @template T
 * @param {Map<string, T>} map
 * @returns {Map<string, T>} the same entries in code unit order, the order of bytes for a key
 */
function sorted(map) {
  let last = '';
  for (const key of map.keys()) {
    if (key < last) return new Map([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
    last = key;
  }
  return map;
}

/**
 * The text of a data file: sorted keys, one a line, newline at the end, no time stamp, so
 * that the same comments give the same bytes.
 *
 * @param {Map<string, string | number>} map
 */
export function toJson(map) {
  const lines = Array.from(map, ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return lines.length === 0 ? '{}\n' : `{\n${lines.join(',\n')}\n}\n`;
}
