import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'ini';
import { databasePath } from './database-path.js';
import { Failure } from './errors.js';

/**
 * The settings that named the database over the years, newest first: `db` since 2.0,
 * `db_sqlite_file` and `db_url` before.
 */
const SETTINGS = ['db', 'db_sqlite_file', 'db_url'];

/**
 * The database that Stacosys's own config.ini names. Stacosys takes a relative path from the
 * folder in which it is started: that is the folder of config.ini by its README, else ours.
 *
 * @param {string} file config.ini
 * @param {string} cwd
 * @returns {string} absolute path of the database
 * @throws {Failure} unreadable file, no such setting, another kind of database
 */
export function databaseOf(file, cwd) {
  const uri = settingOf(file);
  const path = databasePath(uri);
  const besideConfig = resolve(dirname(file), path);
  return existsSync(besideConfig) ? besideConfig : ([resolve(cwd, path)].find(existsSync) ?? besideConfig);
}

/** @param {string} file */
function settingOf(file) {
  const settings = parse(read(file));
  const sections = [settings.main, settings, ...Object.values(settings)];
  for (const section of sections.filter((value) => value !== null && typeof value === 'object')) {
    for (const name of SETTINGS) {
      if (typeof section[name] === 'string' && section[name] !== '') return section[name];
    }
  }
  throw new Failure(
    `${file} names no database: no "db" in its section [main]`,
    'Give the config.ini of Stacosys, or the database itself: --db FILE',
  );
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Failure(
      `Cannot read ${file}: ${cause instanceof Error ? cause.message : cause}`,
      'Give the config.ini of Stacosys: --stacosys FILE',
      { cause },
    );
  }
}
