import { setFlagsFromString } from 'node:v8';
import { canonicalKey } from './key.js';

/**
 * @typedef {object} Collected
 * @property {Map<string, number[]>} keys key → its comments, in the order of their rows
 * @property {(comment: number) => string} dateOf as it is stored: `2026-11-20 15:51:42`
 * @property {(comment: number) => Buffer} textOf `["2026-11-20 15:51:42","author","site","avatar","content"]`
 * @property {(comments: Uint32Array) => Buffer} textsOf one behind the other; until the next call
 *
 * @typedef {object} Places of the texts, each known by a number
 * @property {Uint32Array} chunk of each: which one
 * @property {Uint32Array} start of each
 * @property {Uint32Array} end of each
 */

/**
 * V8 would let texts pile up of which none lives longer than a file: 330 MB instead of 240 for 200,000 comments,
 * in the same time.
 */
const FRUGAL = ['--max-semi-space-size=4', '--semi-space-growth-factor=1', '--heap-growing-percent=70'];

const TAB = 9;
const NEW_LINE = 10;

/** Where the date stands in the text of a comment: `["2026-11-20 15:51:42",…`. */
const DATE = { start: 2, end: 21 };

/**
 * Sorts the comments of a source by article, and counts them. Their texts stay in the buffers in which they came,
 * out of the way of the garbage collector: 200,000 of them take 300 MB as strings, 80 MB here. Those whose url
 * names no page are counted, and left out.
 *
 * @param {import('./source.js').Read} read
 * @returns {{counted: import('./source.js').Counted, collected: Collected}}
 */
export function collectComments({ chunks, ...facts }) {
  for (const flag of FRUGAL) setFlagsFromString(flag);
  const { byUrl, places } = place(chunks, facts.comments);
  const urls = sorted([...byUrl.keys()]);
  const lines = urls.map((url) => `  ${jsonOf(url)}: ${byUrl.get(url)?.length},\n`).join('');
  return {
    counted: { lines: asUtf8(lines), urls: urls.length, ...facts },
    collected: { keys: toKeys(urls, byUrl), ...texts(chunks, places) },
  };
}

/**
 * @param {Buffer[]} chunks of lines: how the url is stored, the url, a tab, the text
 * @param {number} comments in them
 * @returns {{byUrl: Map<string, number[]>, places: Places}} urls are bytes, for not all of them are UTF-8
 */
function place(chunks, comments) {
  /** @type {Map<string, number[]>} */
  const byUrl = new Map();
  const [chunk, start, end] = [0, 0, 0].map(() => new Uint32Array(comments));
  const places = /** @type {Places} */ ({ chunk, start, end });
  let comment = 0;
  for (const [index, bytes] of chunks.entries()) {
    for (let line = 0; line < bytes.length; line = (places.end[comment - 1] ?? NaN) + 1) {
      const tab = bytes.indexOf(TAB, line);
      places.chunk[comment] = index;
      places.start[comment] = tab + 1;
      places.end[comment] = bytes.indexOf(NEW_LINE, tab);
      const url = bytes.toString('latin1', line, tab);
      const group = byUrl.get(url);
      if (group) group.push(comment);
      else byUrl.set(url, [comment]);
      comment += 1;
    }
  }
  return { byUrl, places };
}

/**
 * As the source sorts when it counts: NULL, then the texts by their bytes, then the blobs.
 *
 * @param {string[]} urls of lines
 */
function sorted(urls) {
  return urls
    .map((url) => ({ url, bytes: unescaped(url) }))
    .sort((a, b) => (a.bytes < b.bytes ? -1 : 1)) // none comes twice
    .map(({ url }) => url);
}

/** @param {string} url of a line */
function unescaped(url) {
  return url.includes('\\') ? url.charAt(0) + JSON.parse(jsonOf(url)) : url.slice(0, -1).replace('"', '');
}

/** @param {string} url of a line */
function jsonOf(url) {
  return url.slice(1);
}

/** @param {string} bytes */
function asUtf8(bytes) {
  return Buffer.from(bytes, 'latin1').toString();
}

/**
 * @param {string[]} urls of lines
 * @param {Map<string, number[]>} byUrl
 * @returns {Map<string, number[]>}
 */
function toKeys(urls, byUrl) {
  /** @type {Map<string, number[]>} */
  const keys = new Map();
  for (const url of urls) {
    const key = canonicalKey(JSON.parse(asUtf8(jsonOf(url))));
    if (key === null) continue;
    const others = keys.get(key);
    const own = byUrl.get(url) ?? [];
    keys.set(key, others ? [...others, ...own].sort((a, b) => a - b) : own);
  }
  return keys;
}

/**
 * @param {Buffer[]} chunks
 * @param {Places} places
 * @returns {Pick<Collected, 'dateOf' | 'textOf' | 'textsOf'>}
 */
function texts(chunks, { chunk, start, end }) {
  const chunkOf = (/** @type {number} */ comment) => /** @type {Buffer} */ (chunks[chunk[comment] ?? 0]);
  const startOf = (/** @type {number} */ comment) => start[comment] ?? 0;
  let joined = Buffer.alloc(0);
  return {
    dateOf: (comment) => {
      const at = startOf(comment);
      return chunkOf(comment).toString('latin1', at + DATE.start, at + DATE.end);
    },
    textOf: (comment) => chunkOf(comment).subarray(start[comment], end[comment]),
    textsOf: (comments) => {
      const length = comments.reduce((sum, comment) => sum + (end[comment] ?? 0) - startOf(comment), 0);
      if (joined.length < length) joined = Buffer.allocUnsafe(2 * length);
      let used = 0;
      for (const comment of comments) {
        used += chunkOf(comment).copy(joined, used, start[comment], end[comment]);
      }
      return joined.subarray(0, used);
    },
  };
}
