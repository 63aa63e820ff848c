import { join } from 'node:path';
import { toJson } from './bake.js';
import { remove, write } from './write.js';

/**
 * @typedef {object} Data the text of each data file; null where the site needs none
 * @property {Buffer} counts
 * @property {Buffer | null} spellings
 * @property {Buffer | null} forms
 */

/**
 * Where Hugo finds the data, in the folder of a site.
 *
 * @param {string} site
 */
export function dataFolder(site) {
  return join(site, 'data', 'stacosys');
}

/**
 * @param {Pick<import('./bake.js').Baked, keyof Data>} baked
 * @returns {Data}
 */
export function toData({ counts, spellings, forms }) {
  return { counts, spellings: table(spellings), forms: table(forms) };
}

/** @param {Parameters<typeof toJson>[0]} map */
function table(map) {
  return map.size > 0 ? Buffer.from(toJson(map)) : null;
}

/**
 * Puts the data files in place, each in one step, only those that differ. The counts last:
 * spellings and forms too many do no harm, too few lose a count or a comment.
 *
 * @param {string} site the folder of the Hugo site
 * @param {Data} data
 * @returns {boolean} whether a file changed
 * @throws {import('./errors.js').Failure} the folder cannot be written, the disk is full
 */
export function putData(site, data) {
  const names = /** @type {const} */ (['spellings', 'forms', 'counts']);
  const changed = names.map((name) => {
    const file = join(dataFolder(site), `${name}.json`);
    const bytes = data[name];
    return bytes === null ? remove(file) : write(file, bytes);
  });
  return changed.includes(true);
}
