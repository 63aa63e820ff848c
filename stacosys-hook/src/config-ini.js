import { dirname, resolve } from 'node:path';
import { databasePath } from './database-path.js';
import { Failure } from './errors.js';
import { existsSync, readFileSync } from './fs.js';

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

/**
 * What a web server before Stacosys must know. Nothing else of config.ini is taken: it holds passwords.
 *
 * @param {string} file config.ini
 * @returns {{redirect: string | undefined, port: string | undefined}}
 */
export function frontOf(file) {
  const text = read(file);
  return { redirect: section(text, 'site').get('redirect'), port: section(text, 'http').get('port') };
}

/** @param {string} file */
function settingOf(file) {
  const main = section(read(file), 'main');
  const uri = SETTINGS.map((name) => main.get(name)).find(Boolean);
  if (uri) return uri;
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

/**
 * A section as Python's configparser, and so Stacosys, reads it: `name = value` or
 * `name: value`, names in any case, comments on lines of their own.
 *
 * @see https://docs.python.org/3/library/configparser.html#supported-ini-file-structure
 * @param {string} text of an INI file
 * @param {string} wanted the name of the section
 * @returns {Map<string, string>} lower-case name → value
 */
function section(text, wanted) {
  const settings = new Map();
  let current = '';
  for (const line of text.split(/[\r\n]+/)) {
    const trimmed = line.trim(); // takes a byte order mark away, too
    if (/^[#;]/.test(trimmed)) continue;
    current = /^\[([^\]]+)\]/.exec(trimmed)?.[1] ?? current;
    const [, name, value] = /^([^=:]+)[=:](.*)/.exec(trimmed) ?? [];
    if (current === wanted && name) settings.set(name.trim().toLowerCase(), value?.trim());
  }
  return settings;
}
