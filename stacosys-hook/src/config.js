import { dirname, join, relative, resolve } from 'node:path';
import { databasePath } from './database-path.js';
import { Failure, UsageError } from './errors.js';
import { existsSync, statSync } from './fs.js';
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
 * @property {string} db absolute path of the database; '' where the command needs none, or has `from`
 * @property {string | undefined} stacosys absolute path of the config.ini that names it
 * @property {string | undefined} from where the counts of another stacosys-hook are
 * @property {string | undefined} site
 * @property {string} source absolute path of the Hugo site
 * @property {number} busyTimeout milliseconds
 * @property {string} hugo the binary
 * @property {string[]} hugoArgs what the owner adds for Hugo
 * @property {number} hugoTimeout milliseconds
 * @property {'publish' | 'in place' | 'never'} mode
 * @property {string} publishTo absolute path of the folder of the releases
 * @property {number} keep releases
 * @property {boolean} force publish a site that lost most of its pages
 * @property {boolean} yes write without asking
 * @property {boolean} content watch the site itself, too
 * @property {boolean | undefined} comments whether they are baked themselves; undefined: as the site asks
 * @property {string} host
 * @property {number} port
 * @property {number} stopTimeout milliseconds
 * @property {Secrets} secrets
 * @property {string | undefined} release that is meant
 *
 * @typedef {object} Secrets from the environment or a file, never from stacosys.toml or a flag
 * @property {string[]} webhook one, or two during a rotation
 * @property {string[]} targets urls that are told of a change: most of them contain a secret
 * @property {string | undefined} notify with which that is signed
 * @property {string | undefined} token for GitHub
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
  from: {
    type: 'string',
    value: 'URL',
    help: 'instead of a database: the counts.json of a stacosys-hook serve elsewhere',
    isSetting: true,
  },
  'hugo-timeout': {
    type: 'string',
    value: 'SECONDS',
    help: 'how long a build may take (default: 600)',
    isSetting: true,
  },
  'publish-to': {
    type: 'string',
    value: 'DIR',
    help: 'where the releases and the link `current` go (default: published in the site)',
    isSetting: true,
  },
  keep: {
    type: 'string',
    value: 'N',
    help: 'how many releases stay (default: 5)',
    isSetting: true,
  },
  comments: {
    type: 'boolean',
    help: 'bake the comments themselves, too (default: where the site says comments = "baked")',
    isSetting: true,
  },
  'no-publish': { type: 'boolean', help: 'build in place, into public/', isSetting: true },
  'no-build': { type: 'boolean', help: 'bake and notify only', isSetting: true },
  force: { type: 'boolean', help: 'publish a site that lost most of its pages' },
  content: { type: 'boolean', help: 'rebuild when the site itself changes, too', isSetting: true },
  host: { type: 'string', value: 'ADDRESS', help: 'where to listen (default: 127.0.0.1)', isSetting: true },
  port: { type: 'string', value: 'N', help: 'where to listen (default: 8101)', isSetting: true },
  'stop-timeout': {
    type: 'string',
    value: 'SECONDS',
    help: 'how long a running build may go on when told to stop (default: 20)',
    isSetting: true,
  },
  yes: { type: 'boolean', help: 'write without asking', short: 'y' },
  json: { type: 'boolean', help: 'print the result as JSON' },
  quiet: { type: 'boolean', help: 'print nothing but errors', short: 'q' },
  help: { type: 'boolean', help: 'show this help', short: 'h' },
  version: { type: 'boolean', help: 'show the version' },
});

const SETTINGS = Object.entries(/** @type {Record<string, Option>} */ (OPTIONS)).filter(
  ([, { isSetting }]) => isSetting,
);

/**
 * @typedef {object} Needs what a command cannot do without
 * @property {boolean} [comments] a database, or another hook to ask
 * @property {boolean} [seeks] will look for a database itself where none is named
 * @property {boolean} [secrets]
 */

/**
 * Settles the configuration: flags over environment (STACOSYS_DB, STACOSYS_SITE, …) over
 * stacosys.toml over defaults.
 *
 * @param {Flags} flags
 * @param {NodeJS.ProcessEnv} env
 * @param {string} cwd
 * @param {Needs} [needs]
 * @param {{hugoArgs?: string[], release?: string}} [words] of the command line
 * @returns {Promise<Config>}
 * @throws {Failure} a setting that cannot be right
 */
export async function resolveConfig(flags, env, cwd, needs = { comments: true }, words = {}) {
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
  /** @type {(name: string, preset: number, most: number, least?: number) => number} */
  const number = (name, preset, most, least = 0) =>
    wholeNumber(name, setting(name) ?? String(preset), least, most);
  /** @param {string} name */
  const isOn = (name) => truth(name, setting(name) ?? 'false');
  return {
    ...(needs.comments ? await comments(levels, cwd, needs.seeks) : NO_COMMENTS),
    site: setting('site'),
    source,
    busyTimeout: number('busy-timeout', 5000, 600_000),
    hugo: setting('hugo') || env.HUGO_BIN || 'hugo',
    hugoArgs: words.hugoArgs ?? [],
    hugoTimeout: number('hugo-timeout', 600, 86_400, 1) * 1000,
    mode: isOn('no-build') ? 'never' : isOn('no-publish') ? 'in place' : 'publish',
    publishTo: outside(source, setting('publish-to') ?? join(source, 'published')),
    keep: number('keep', 5, 1000, 2),
    force: flags.force === true,
    yes: flags.yes === true,
    content: isOn('content'),
    comments: setting('comments') === undefined ? undefined : isOn('comments'),
    host: setting('host') ?? '127.0.0.1',
    port: number('port', 8101, 65_535),
    stopTimeout: number('stop-timeout', 20, 3600) * 1000,
    secrets: needs.secrets ? (await import('./secrets.js')).readSecrets(env) : NO_SECRETS,
    release: words.release,
  };
}

/** What Hugo reads, or makes anew: a release in it would be built into the next one, or removed. */
const HUGOS_OWN =
  /^(archetypes|assets|config|content|data|i18n|layouts|public|resources|static|themes)(\/|$)/;

/**
 * @param {string} source
 * @param {string} folder
 */
function outside(source, folder) {
  if (!HUGOS_OWN.test(relative(source, folder))) return folder;
  throw new UsageError(
    `Hugo has its own use for ${printable(folder)}, where the releases are to go`,
    'Choose another folder: --publish-to DIR.',
  );
}

/** @type {Secrets} */
const NO_SECRETS = { webhook: [], targets: [], notify: undefined, token: undefined };

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
  const isOnPath = name === 'hugo' && !value.includes('/');
  const isPath = ['stacosys', 'publish-to', 'hugo'].includes(name) && !isOnPath;
  return isPath ? resolve(folder, value) : value;
}

/** @param {NodeJS.ProcessEnv} env */
function fromEnvironment(env) {
  return Object.fromEntries(SETTINGS.map(([name]) => [name, env[variableOf(name)] || undefined]));
}

/**
 * @param {string} name of a setting, or of a secret
 * @returns {string} its name in the environment
 */
export function variableOf(name) {
  return `STACOSYS_${name.toUpperCase().replaceAll('-', '_')}`;
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]} variables that are named as ours are: a secret, a setting of a newer version, a misspelt one
 */
export function unknownVariables(env) {
  return Object.keys(env).filter(
    (variable) =>
      variable.startsWith('STACOSYS_') && !SETTINGS.some(([name]) => variableOf(name) === variable),
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
  const wrong = Object.keys(values).find((name) => !typesOf(name).includes(typeof values[name]));
  if (wrong !== undefined) {
    const [form, example] =
      optionOf(wrong)?.type === 'boolean'
        ? ['neither true nor false', 'true']
        : ['neither a text nor a number', '"…"'];
    throw new Failure(`${file}: "${wrong}" is ${form}`, `Write it as: ${wrong} = ${example}`);
  }
  const empty = Object.keys(values).find((name) => values[name] === '');
  if (empty !== undefined) {
    throw new Failure(`${file}: "${empty}" is empty`, 'Give it a value, or leave it out.');
  }
  return absolute(values, dirname(file));
}

/**
 * @param {string} file
 * @returns {Promise<Record<string, unknown>>}
 */
async function readToml(file) {
  const { readConfigFile } = await import('./config-file.js'); // most runs have no stacosys.toml: load it then
  return readConfigFile(file, 'It holds settings such as: db = "/var/lib/stacosys/db.sqlite"', '.toml');
}

/** @param {string} name */
function optionOf(name) {
  return /** @type {Record<string, Option>} */ (OPTIONS)[name];
}

/** @param {string} name of a setting */
function typesOf(name) {
  return optionOf(name)?.type === 'boolean' ? ['boolean'] : ['string', 'number'];
}

/** What names the comments, and how to name one of them. */
const ORIGINS = ['db', 'stacosys', 'from'];

const NO_COMMENTS = { db: '', stacosys: undefined, from: undefined };

/**
 * Where the comments are, from the highest level that names it.
 *
 * @param {Level[]} levels
 * @param {string} cwd
 * @param {boolean} [mayLack] it is fine that nothing does
 * @returns {Promise<Pick<Config, 'db' | 'stacosys' | 'from'>>}
 */
async function comments(levels, cwd, mayLack = false) {
  const level = levels.find((candidate) => ORIGINS.some((name) => candidate[name] !== undefined));
  if (!level && mayLack) return NO_COMMENTS;
  if (!level) {
    throw new UsageError(
      'No database is named',
      'Give --db FILE, or --stacosys FILE for the config.ini of Stacosys, or put one of them into stacosys.toml.',
    );
  }
  const [first, second] = ORIGINS.filter((name) => level[name] !== undefined);
  if (second !== undefined) {
    throw new UsageError(`Both ${first} and ${second} name a database`, 'Give one of them.');
  }
  const { db = '', stacosys, from } = level;
  if (stacosys === undefined) return { db, stacosys, from };
  const { databaseOf } = await import('./config-ini.js');
  return { db: databaseOf(stacosys, cwd), stacosys, from };
}

/**
 * @param {string} name
 * @param {string} text
 * @param {number} least
 * @param {number} most
 */
function wholeNumber(name, text, least, most) {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new UsageError(
    `${name} is "${printable(text)}"`,
    `It is a whole number${UNITS[name] ?? ''} between ${least} and ${most}.`,
  );
}

/** @type {Record<string, string>} */
const UNITS = {
  'busy-timeout': ' of milliseconds',
  'hugo-timeout': ' of seconds',
  'stop-timeout': ' of seconds',
};

/**
 * @param {string} name
 * @param {string} text
 */
function truth(name, text) {
  if (['true', '1'].includes(text)) return true;
  if (['false', '0'].includes(text)) return false;
  throw new UsageError(`${name} is "${printable(text)}"`, 'It is true or false.');
}
