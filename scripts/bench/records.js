import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} Measurement of a part: what its section of BENCHMARKS.md is made from
 * @property {string} run the time at which `npm run bench` started, as ISO 8601
 * @property {string[]} options of it: `['--quick']`
 * @property {number} seconds that the part took
 * @property {import('./machine.js').Machine} machine
 * @property {import('./part.js').Result} result
 *
 * @typedef {object} PartRecord
 * @property {string} name of the part
 * @property {string} title
 * @property {Measurement | null} measured the last that succeeded
 * @property {string} [skipped] why a later run, or the only one, did not measure it
 */

/**
 * @param {string} folder
 * @param {import('./part.js').Part[]} parts
 * @returns {PartRecord[]} in the order of the parts; a part that never ran has one, too
 */
export function readRecords(folder, parts) {
  mkdirSync(folder, { recursive: true });
  const files = new Set(readdirSync(folder));
  return parts.map(({ name, title }) => {
    const file = `${name}.json`;
    return files.has(file)
      ? JSON.parse(readFileSync(join(folder, file), 'utf8'))
      : { name, title, measured: null };
  });
}

/**
 * @param {string} folder
 * @param {PartRecord} record
 */
export function writeRecord(folder, record) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${record.name}.json`), `${JSON.stringify(record, null, 1)}\n`);
}
