import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { Failure } from './errors.js';
import { existsSync } from './fs.js';
import { isMissing, reasonOf, runHugo } from './hugo.js';
import { canonicalKey } from './key.js';
import { printable } from './printable.js';

/**
 * @typedef {object} Page
 * @property {string} key canonical key of its permalink
 * @property {string} path its content file, relative to the site
 * @property {string[]} aliases canonical keys
 */

const FILES_AT_ONCE = 64;

const LONGEST_LIST = 300_000; // milliseconds
const LARGEST_LIST = 2 ** 29; // bytes

/**
 * The pages of a Hugo site, drafts and future ones too, as Hugo itself lists them.
 *
 * @param {string} folder
 * @param {string} hugo the binary
 * @returns {Promise<Page[] | null>} null where there is no such binary
 * @throws {Failure} Hugo cannot list the site
 */
export async function readPages(folder, hugo) {
  const list = await askHugo(hugo, ['list', 'all', '--source', folder]);
  if (list === null) return null;
  const config = (await askHugo(hugo, ['config', '--source', folder])) ?? '';
  const languages = languagesIn(config);
  const base = basePath(/^baseurl\s*=\s*["'](.*)["']/im.exec(config)?.[1] ?? '/');
  const live = liveBase(config) ?? base;
  const rows = await readCsv(list);
  const pages = [];
  for (let start = 0; start < rows.length; start += FILES_AT_ONCE) {
    const batch = rows.slice(start, start + FILES_AT_ONCE);
    pages.push(...(await Promise.all(batch.map((row) => toPage(row, folder, { base, live, languages })))));
  }
  return pages.filter((page) => page !== null);
}

/**
 * The canonical key of an alias, resolved as Hugo does: from the baseURL with a leading slash,
 * else beside its page.
 *
 * @param {string} alias
 * @param {string} key of its page
 * @param {string} base path of the baseURL
 */
function aliasKey(alias, key, base) {
  const folder = alias.startsWith('/') ? base : posix.dirname(key.replace(/\/$/, ''));
  return canonicalKey(posix.join('/', folder, alias));
}

/**
 * From Hugo 0.155 on, an alias with a leading slash starts at the home page of its language.
 *
 * @param {string} key of a page
 * @param {string} base path of the baseURL
 * @param {Set<string>} languages
 * @returns {string[]} that home page, where the path begins with a language
 */
function languageHome(key, base, languages) {
  const [segment = ''] = key.slice(base.length).split('/');
  return languages.has(segment) ? [`${base}${segment}/`] : [];
}

/**
 * @param {string} config as `hugo config` prints it: a Go map up to some version, TOML after it
 * @returns {Set<string>} in lower case
 */
function languagesIn(config) {
  const map = /^languages = map\[(.*)$/im.exec(config)?.[1] ?? '';
  const names = [...config.matchAll(/^\s*\[languages\.([\w-]+)\]$/gm), ...map.matchAll(/([\w-]+):map\[/g)];
  return new Set(names.map(([, name = '']) => name.toLowerCase()));
}

/** @param {string} baseUrl */
function basePath(baseUrl) {
  return canonicalKey(baseUrl) ?? '/';
}

/**
 * @param {string} config as `hugo config` prints it
 * @returns {string | null} the parameter `basePath` of the module: where the live site is, of which this is a preview
 */
function liveBase(config) {
  const [, inTable, inMap] =
    /^\s*basepath\s*=\s*["'](.+)["']$|\bstacosys:map\[[^\]]*\bbasepath:([^\s\]]+)/im.exec(config) ?? [];
  return canonicalKey(inTable ?? inMap ?? '');
}

/**
 * @param {string} hugo
 * @param {string[]} args
 * @returns {Promise<string | null>} what it printed; null where there is no such binary
 */
async function askHugo(hugo, args) {
  try {
    const finished = await runHugo(hugo, args, { timeout: LONGEST_LIST, output: LARGEST_LIST });
    if (finished.status === 0) return finished.stdout;
    throw new Failure(
      `hugo ${args[0]} failed: ${reasonOf(finished)}`,
      'Run hugo in the site and mend what it says, then run this again.',
    );
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * @param {string} text CSV, perhaps with log lines of Hugo around it
 * @returns {Promise<{path: string, permalink: string}[]>}
 */
async function readCsv(text) {
  const { parse } = await import('csv-parse/sync');
  const table = text.slice(Math.max(0, text.search(/^path,/m)));
  /** @type {Record<string, string>[]} */
  const rows = parse(table, { columns: true, relax_column_count: true, relax_quotes: true });
  return rows.flatMap(({ path, permalink }) => (path && permalink ? [{ path, permalink }] : []));
}

/**
 * @param {{path: string, permalink: string}} row
 * @param {string} folder
 * @param {{base: string, live: string, languages: Set<string>}} paths base: of the baseURL; live: of the live site
 * @returns {Promise<Page | null>}
 */
async function toPage({ path, permalink }, folder, { base, live, languages }) {
  const built = canonicalKey(permalink);
  if (built === null) return null;
  const key = built.startsWith(base) ? `${live}${built.slice(base.length)}` : built;
  const written = await readAliases(join(folder, path));
  const homes = [live, ...languageHome(key, live, languages)];
  const aliases = homes.flatMap((home) => written.map((alias) => aliasKey(alias, key, home)));
  return { key, path, aliases: [...new Set(aliases.filter((alias) => alias !== null))] };
}

/**
 * @param {string} file a content file; Hugo may list one that lies in a module, elsewhere
 * @returns {Promise<string[]>}
 */
async function readAliases(file) {
  if (!existsSync(file)) return [];
  const { aliasesOf } = await import('./front-matter.js');
  try {
    return aliasesOf(await readFile(file, 'utf8'));
  } catch (cause) {
    const [reason] = String(cause instanceof Error ? cause.message : cause).split('\n');
    throw new Failure(
      `Cannot read the front matter of ${printable(file)}: ${printable(reason ?? '')}`,
      'Mend it, then run this again.',
      { cause },
    );
  }
}
