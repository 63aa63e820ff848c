import { setFlagsFromString } from 'node:v8';
import { canonicalKey } from './key.js';

/**
 * @typedef {object} Collected
 * @property {Map<string, number[]>} keys key → its comments, in the order in which they came
 * @property {(comment: number) => Buffer} textOf `["2026-11-20 15:51:42","author","site","avatar","content"]`
 *
 * @typedef {object} Collector
 * @property {(url: string, json: string) => void} add quick: it is called under the lock of the database
 * @property {Collected} collected
 */

/**
 * V8 would let texts pile up of which none lives longer than a file: 330 MB instead of 240 for 200,000 comments,
 * in the same time.
 */
const FRUGAL = ['--max-semi-space-size=4', '--semi-space-growth-factor=1', '--heap-growing-percent=70'];

const CHUNK = 2 ** 20; // bytes
const MOST_BYTES = 3; // of UTF-8 for a unit of a string

/**
 * Keeps comments by article, out of the way of the garbage collector: 200,000 of them take 300 MB as strings,
 * 80 MB here. Those whose url names no page are left out.
 *
 * @returns {Collector}
 */
export function collectComments() {
  for (const flag of FRUGAL) setFlagsFromString(flag);
  const { keep, textOf } = createTexts();
  /** @type {Map<string, number[]>} */
  const keys = new Map();
  /** @type {Map<string, number[] | null>} */
  const byUrl = new Map();

  const groupOf = (/** @type {string} */ url) => {
    const key = canonicalKey(url);
    const group = key === null ? null : (keys.get(key) ?? []);
    if (key !== null && group !== null) keys.set(key, group);
    byUrl.set(url, group);
    return group;
  };
  const add = (/** @type {string} */ url, /** @type {string} */ json) => {
    const known = byUrl.get(url);
    const group = known === undefined ? groupOf(url) : known;
    group?.push(keep(json));
  };
  return { add, collected: { keys, textOf } };
}

/** Texts in a few large buffers, each known by a number. */
function createTexts() {
  const chunks = /** @type {Buffer[]} */ ([]);
  /** Of each text: its chunk, its start, its end. */
  const places = /** @type {number[]} */ ([]);
  let used = 0;
  return {
    /** @param {string} text */
    keep: (text) => {
      const most = MOST_BYTES * text.length;
      if ((chunks.at(-1)?.length ?? 0) - used < most) {
        chunks.push(Buffer.allocUnsafe(Math.max(CHUNK, most)));
        used = 0;
      }
      const start = used;
      used += /** @type {Buffer} */ (chunks.at(-1)).write(text, start);
      return places.push(chunks.length - 1, start, used) / 3 - 1;
    },
    /** @param {number} index */
    textOf: (index) => {
      const place = 3 * index;
      const chunk = /** @type {Buffer} */ (chunks[places[place] ?? 0]);
      return chunk.subarray(places[place + 1], places[place + 2]);
    },
  };
}
