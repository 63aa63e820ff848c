import { join } from 'node:path';
import { databaseOf } from './config-ini.js';
import { Failure } from './errors.js';
import { realpathSync, statSync } from './fs.js';
import { openSource } from './source.js';

/**
 * @typedef {object} Candidate
 * @property {string} file
 * @property {string} [ini] the config.ini that names it
 *
 * @typedef {object} Found
 * @property {Candidate[]} databases of Stacosys, each file once
 * @property {Failure[]} refused what looks like one and cannot be read, with the reason
 */

/** A config.ini of Stacosys is smaller. */
const LARGEST_INI = 65_536;

/**
 * Looks for the databases of Stacosys. Nothing is read but what is named as it names its files.
 *
 * @param {string[]} places absolute folders
 * @returns {Found}
 */
export function findDatabases(places) {
  /** @type {Map<string, Candidate>} */
  const databases = new Map();
  const refused = [];
  for (const candidate of places.flatMap(candidatesIn)) {
    try {
      openSource(candidate.file).close();
      const file = realpathSync(candidate.file);
      if (!databases.has(file)) databases.set(file, candidate);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      refused.push(error);
    }
  }
  return { databases: [...databases.values()], refused };
}

/**
 * The config.ini beside a database, where it is the one that names it.
 *
 * @param {string} folder
 * @param {string} database
 * @returns {string | undefined}
 */
export function iniBeside(folder, database) {
  return candidatesIn(folder).find(({ file, ini }) => ini !== undefined && file === database)?.ini;
}

/**
 * @param {string} folder
 * @returns {Candidate[]}
 */
function candidatesIn(folder) {
  const ini = join(folder, 'config.ini');
  const file = join(folder, 'db.sqlite');
  const named = databaseNamedBy(ini, folder);
  return [...(named === null ? [] : [{ file: named, ini }]), ...(mayExist(file) ? [{ file }] : [])];
}

/**
 * @param {string} ini
 * @param {string} folder
 * @returns {string | null} null where that is no config.ini of Stacosys
 */
function databaseNamedBy(ini, folder) {
  try {
    const stats = statSync(ini, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size > LARGEST_INI) return null;
    return databaseOf(ini, folder);
  } catch (error) {
    // Of another program, or not ours to read: the database may lie where we look, all the same
    if (error instanceof Failure || codeOf(error) !== undefined) return null;
    throw error;
  }
}

/**
 * @param {string} file
 * @returns {boolean} also where we may not look: its failure says what to do
 */
function mayExist(file) {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return codeOf(error) === 'EACCES';
  }
}

/** @param {unknown} error of the file system */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code;
}
