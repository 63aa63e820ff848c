import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { Failure } from './errors.js';

/**
 * @typedef {object} Lock held until it is released or its process ends, however that ends
 * @property {() => void} release
 */

/**
 * Takes a lock that no other process can hold at the same time: an exclusive transaction on an
 * empty SQLite file of our own. The kernel drops it with the process, after a kill -9 too, which
 * a lock file with a pid or a time in it does not do.
 *
 * @param {string} file made where it is missing, with its folder; it stays empty
 * @param {{wait?: number}} [options] wait: milliseconds in which this process does nothing else
 * @returns {Lock | null} null where another process holds it
 * @throws {Failure} the file cannot be made
 */
export function acquireLock(file, { wait = 0 } = {}) {
  const database = open(file, wait);
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (codeOf(error).startsWith('SQLITE_BUSY')) return null;
    throw cannotLock(file, error);
  }
  return { release: () => database.close() };
}

/**
 * @param {string} file
 * @param {number} timeout
 */
function open(file, timeout) {
  try {
    mkdirSync(dirname(file), { recursive: true });
    return new Database(file, { timeout });
  } catch (error) {
    throw cannotLock(file, error);
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Database.SqliteError ? error.code : '';
}

/**
 * @param {string} file
 * @param {unknown} cause
 */
function cannotLock(file, cause) {
  return new Failure(
    `Cannot lock ${file}: ${cause instanceof Error ? cause.message : cause}`,
    'Check the rights of that folder and the free space of its disk.',
    { cause },
  );
}
