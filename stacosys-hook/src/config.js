import { dirname, join, resolve } from 'node:path';
import { databasePath } from './database-path.js';
import { Failure, UsageError } from './errors.js';
import { existsSync, readFileSync, statSync } from './fs.js';
import { printable } from './printable.js';

/**
 * @typedef {object} Option
 * @property {'string' | 'boolean'} type
 * @property {string} [value] what stands for the value in the help
 * @property {string} help
 * @property {boolean} [isSetting] may also stand in stacosys.toml and in the environment
 * @property {string} [short]
 *
 * @typedef {Record<string, string | boolean | undefined>} Flags as parseArgs gives them
 *
 * @typedef {object} Config
 * @property {string} db absolute path of the database
 * @property {string | undefined} site
 * @property {string} source absolute path of the Hugo site
 * @property {number} busyTimeout milliseconds
 * @property {string} hugo the binary
 */

/** Every option, once: parseArgs, the help, the environment and stacosys.toml all come from here. */
export const OPTIONS = /** @satisfies {Record<string, Option>} */ ({
  db: { type: 'string', value: 'FILE', help: 'the database of Stacosys', isSetting: true },
  stacosys: {
    type: 'string',
    value: 'FILE',
    help: "Stacosys's own config.ini, which names the database",
    isSetting: true,
  },
  site: {
    type: 'string',
    value: 'NAME|URL|TOKEN',
    help: 'the site, where the database holds several (Stacosys before 2.0)',
    isSetting: true,
  },
  source: { type: 'string', value: 'DIR', help: 'the Hugo site (default: .)', short: 's' },
  config: {
    type: 'string',
    value: 'FILE',
    help: 'settings (default: stacosys.toml in the site)',
  },
  'busy-timeout': {
    type: 'string',
    value: 'MS',
    help: 'how long to wait for a lock of the database (default: 5000)',
    isSetting: true,
  },
  hugo: {
    type: 'string',
    value: 'FILE',
    help: 'the hugo binary (default: hugo on the PATH)',
    isSetting: true,
  },
  json: { type: 'boolean', help: 'print the result as JSON' },
  quiet: { type: 'boolean', help: 'print nothing but errors', short: 'q' },
  help: { type: 'boolean', help: 'show this help', short: 'h' },
  version: { type: 'boolean', help: 'show the version' },
});

const SETTINGS = Object.entries(/** @type {Record<string, Option>} */ (OPTIONS)).filter(
  ([, { isSetting }]) => isSetting,
);

/**
 * Settles the configuration: flags over environment (STACOSYS_DB, STACOSYS_SITE, …) over
 * stacosys.toml over defaults.
 *
 * @param {Flags} flags
 * @param {NodeJS.ProcessEnv} env
 * @param {string} cwd
 * @returns {Promise<Config>}
 * @throws {Failure} a setting that cannot be right
 */
export async function resolveConfig(flags, env, cwd) {
  const empty = Object.keys(flags).find((name) => flags[name] === '');
  if (empty !== undefined) throw new UsageError(`--${empty} is empty`, 'Give it a value, or leave it out.');
  const source = resolve(cwd, String(flags.source ?? '.'));
  if (!statSync(source, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Failure(`There is no folder ${source}`, 'Give the folder of the Hugo site: --source DIR');
  }
  const levels = [
    absolute(flags, cwd),
    absolute(fromEnvironment(env), cwd),
    await fromFile(flags.config === undefined ? undefined : resolve(cwd, String(flags.config)), source),
  ];
  /** @param {string} name */
  const setting = (name) => levels.find((level) => level[name] !== undefined)?.[name];
  return {
    db: await database(levels, cwd),
    site: setting('site'),
    source,
    busyTimeout: milliseconds(setting('busy-timeout') ?? '5000'),
    hugo: setting('hugo') || env.HUGO_BIN || 'hugo',
  };
}

/** @typedef {Record<string, string | undefined>} Level settings of one origin */

/**
 * @param {Record<string, unknown>} values
 * @param {string} folder for relative paths
 * @returns {Level}
 */
function absolute(values, folder) {
  /** @type {Level} */
  const level = {};
  for (const [name] of SETTINGS) {
    const value = values[name];
    if (value === undefined) continue;
    level[name] = settle(name, String(value), folder);
  }
  return level;
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} folder for a relative path
 */
function settle(name, value, folder) {
  if (name === 'db') return resolve(folder, databasePath(value));
  const isPath = name === 'stacosys' || (name === 'hugo' && value.includes('/')); // else it is on the PATH
  return isPath ? resolve(folder, value) : value;
}

/** @param {NodeJS.ProcessEnv} env */
function fromEnvironment(env) {
  return Object.fromEntries(
    SETTINGS.map(([name]) => [name, env[`STACOSYS_${name.toUpperCase().replaceAll('-', '_')}`] || undefined]),
  );
}

/**
 * @param {string | undefined} given
 * @param {string} source
 * @returns {Promise<Level>}
 */
async function fromFile(given, source) {
  const file = given ?? join(source, 'stacosys.toml');
  if (given === undefined && !existsSync(file)) return {};
  const values = await readToml(file);
  const unknown = Object.keys(values).find((name) => !SETTINGS.some(([known]) => known === name));
  if (unknown !== undefined) {
    throw new Failure(
      `${file}: there is no setting "${printable(unknown)}"`,
      `The settings are: ${SETTINGS.map(([name]) => name).join(', ')}.`,
    );
  }
  const wrong = Object.keys(values).find((name) => !['string', 'number'].includes(typeof values[name]));
  if (wrong !== undefined) {
    throw new Failure(`${file}: "${wrong}" is neither a text nor a number`, `Write it as: ${wrong} = "…"`);
  }
  return absolute(values, dirname(file));
}

/**
 * @param {string} file
 * @returns {Promise<Record<string, unknown>>}
 */
async function readToml(file) {
  const { parse } = await import('smol-toml'); // most runs have no stacosys.toml: load it then
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const [reason] = String(cause instanceof Error ? cause.message : cause).split('\n');
    throw new Failure(
      `Cannot read ${file}: ${reason}`,
      'It holds settings such as: db = "/var/lib/stacosys/db.sqlite"',
      { cause },
    );
  }
}

/**
 * The database, from the highest level that names one.
 *
 * @param {Level[]} levels
 * @param {string} cwd
 */
async function database(levels, cwd) {
  const level = levels.find(({ db, stacosys }) => db !== undefined || stacosys !== undefined);
  if (!level) {
    throw new UsageError(
      'No database is named',
      'Give --db FILE, or --stacosys FILE for the config.ini of Stacosys, or put one of them into stacosys.toml.',
    );
  }
  const { db, stacosys } = level;
  if (db !== undefined && stacosys !== undefined) {
    throw new UsageError('Both db and stacosys name a database', 'Give one of them.');
  }
  if (db !== undefined) return db;
  const { databaseOf } = await import('./config-ini.js');
  return databaseOf(String(stacosys), cwd);
}

/** @param {string} text */
function milliseconds(text) {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= 600_000) return value;
  throw new UsageError(
    `busy-timeout is "${printable(text)}"`,
    'It is a number of milliseconds between 0 and 600000.',
  );
}
