import { join } from 'node:path';
import { toJson } from './bake.js';
import { putComments } from './comment-files.js';
import { remove, write } from './write.js';

/**
 * @typedef {object} Data the text of each data file; null where the site needs none
 * @property {Buffer} counts
 * @property {Buffer | null} spellings
 * @property {Buffer | null} forms
 * @property {Buffer | null} [recent]
 * @property {Buffer | null} [activity]
 * @property {import('./comment-files.js').CommentFiles | null} [comments]
 *
 * @typedef {object} Changes
 * @property {boolean} data whether a data file changed
 * @property {import('./comment-files.js').Put} comments
 */

/** The files in data/stacosys/, in the order in which they are written. */
export const DATA_FILES = /** @type {const} */ (['spellings', 'forms', 'recent', 'activity', 'counts']);

/**
 * Where Hugo finds the data, in the folder of a site.
 *
 * @param {string} site
 */
export function dataFolder(site) {
  return join(site, 'data', 'stacosys');
}

/**
 * @param {Pick<import('./bake.js').Baked, 'counts' | 'spellings' | 'forms'>} baked
 * @returns {Data}
 */
export function toData({ counts, spellings, forms }) {
  return { counts, spellings: table(spellings), forms: table(forms) };
}

/**
 * @param {Data} data
 * @param {import('./collect-comments.js').Collected} [collected] where the site wants the comments themselves
 * @returns {Promise<Data>}
 */
export async function withComments(data, collected) {
  if (collected === undefined) return data;
  const { bakeComments } = await import('./bake-comments.js'); // loads Markdown: most sites want no more than counts
  return { ...data, ...bakeComments(collected) };
}

/** @param {Parameters<typeof toJson>[0]} map */
function table(map) {
  return map.size > 0 ? Buffer.from(toJson(map)) : null;
}

/**
 * Puts the data files in place, each in one step, only those that differ. The counts last:
 * comments, spellings and forms too many do no harm, too few lose a count or a comment.
 *
 * @param {string} site the folder of the Hugo site
 * @param {Data} data
 * @returns {Changes}
 * @throws {import('./errors.js').Failure} the folder cannot be written, the disk is full
 */
export function putData(site, data) {
  const comments = putComments(site, data.comments ?? null);
  const changed = DATA_FILES.map((name) => {
    const file = join(dataFolder(site), `${name}.json`);
    const bytes = data[name] ?? null;
    return bytes === null ? remove(file) : write(file, bytes);
  });
  return { data: changed.includes(true), comments };
}

/**
 * The same data, without the comments that are in their files by now: a service that waits for the next change
 * keeps no more than it needs.
 *
 * @param {Data} data
 * @returns {Data}
 */
export function withoutBodies(data) {
  return !data.comments ? data : { ...data, comments: { ...data.comments, body: null } };
}

/** @param {Changes} changes */
export function isChange({ data, comments }) {
  return data || comments.written + comments.removed > 0;
}
