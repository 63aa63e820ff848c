import { basename, dirname, extname, posix } from 'node:path';

/** The name of our module, and how it is recognised among the themes of a blog. */
export const MODULE = 'github.com/hugo-stacosys/hugo-stacosys';
const OURS = /(^|\/)hugo-stacosys(\/|$)/i;

/**
 * @typedef {object} ConfigFile of Hugo
 * @property {string} file relative to the blog
 * @property {Record<string, unknown>} values
 *
 * @typedef {object} Place where something stands in Hugo's configuration, or could stand
 * @property {string} file relative to the blog
 * @property {'toml' | 'yaml' | 'json'} format
 * @property {string[]} inside of these tables, which the name of the file stands for: ['module'] in module.toml
 *
 * @typedef {Place & {names: string[]}} Named
 *
 * @typedef {object} Mount
 * @property {string} source relative to the blog
 * @property {string} target such as data or assets/vendor
 *
 * @typedef {object} Blog what Hugo's configuration says of it
 * @property {string[]} files of the configuration
 * @property {Place} root where a setting outside of any table goes
 * @property {Named | null} theme the setting `theme`
 * @property {Named | null} imports `module.imports`, where there are any
 * @property {Place | null} module the table, where there is one
 * @property {string[]} languages
 * @property {(Place & {mounts: Mount[]}) | null} mounts `module.mounts`, where there are any
 * @property {(Place & {name: string}) | null} dataFolder the setting `dataDir`
 * @property {(Place & {name: string}) | null} assetFolder the setting `assetDir`
 * @property {string} themesFolder
 * @property {string} layoutFolder
 */

/**
 * @param {ConfigFile[]} files the ones that win first
 * @returns {Blog}
 */
export function blogOf(files) {
  const tables = files.map(toTable).filter((table) => table !== null);
  /** @param {...string} names of a table, and of a setting in it */
  const find = (...names) => {
    for (const table of tables) {
      const value = names.reduce(member, /** @type {unknown} */ (table.values));
      if (value !== undefined) return { value, place: table.place };
    }
    return null;
  };
  const root = tables.find(({ place }) => place.inside.length === 0)?.place;
  return {
    files: files.map(({ file }) => file),
    root: root ?? placeOf('config/_default/hugo.toml', []),
    theme: named(find('theme'), strings),
    imports: named(find('module', 'imports'), pathsOf),
    module: find('module')?.place ?? null,
    languages: keysOf(find('languages')?.value),
    mounts: mounted(find('module', 'mounts')),
    dataFolder: namedFolder(find('datadir')),
    assetFolder: namedFolder(find('assetdir')),
    themesFolder: text(find('themesdir')?.value) ?? 'themes',
    layoutFolder: text(find('layoutdir')?.value) ?? 'layouts',
  };
}

/**
 * @param {string} name of a theme or a module
 * @returns {boolean} whether it is this module, or an adapter of it
 */
export function isOurs(name) {
  return OURS.test(name);
}

/**
 * @param {Blog} blog
 * @returns {string[]} its themes and imports, but for ours, in the order in which Hugo takes them
 */
export function themesOf({ theme, imports }) {
  return [...(imports?.names ?? []), ...(theme?.names ?? [])].filter((name) => !isOurs(name));
}

/**
 * A file in config/_default/ is named after the table that it holds.
 *
 * @param {ConfigFile} config
 * @returns {{place: Place, values: Record<string, unknown>} | null} null for what says nothing of interest
 */
function toTable({ file, values }) {
  const name = basename(file, extname(file)).toLowerCase();
  if (dirname(file) === '.' || name === 'hugo' || name === 'config') {
    return { place: placeOf(file, []), values };
  }
  return ['module', 'languages'].includes(name)
    ? { place: placeOf(file, [name]), values: { [name]: values } }
    : null;
}

/**
 * @param {string} file
 * @param {string[]} inside
 * @returns {Place}
 */
function placeOf(file, inside) {
  const format = extname(file).slice(1).replace('yml', 'yaml');
  return { file, format: /** @type {Place['format']} */ (format), inside };
}

/**
 * @param {{value: unknown, place: Place} | null} found
 * @param {(value: unknown) => string[]} read
 * @returns {Named | null} null where there are no names
 */
function named(found, read) {
  const names = found === null ? [] : read(found.value);
  return found !== null && names.length > 0 ? { ...found.place, names } : null;
}

/**
 * @param {{value: unknown, place: Place} | null} found
 * @returns {Blog['mounts']}
 */
function mounted(found) {
  const mounts = [found?.value].flat().flatMap((item) => {
    const [source, target] = ['source', 'target'].map((name) => text(member(item, name)));
    return source === undefined || target === undefined
      ? []
      : [{ source: asPath(source), target: asPath(target) }];
  });
  return found !== null && mounts.length > 0 ? { ...found.place, mounts } : null;
}

/**
 * @param {{value: unknown, place: Place} | null} found
 * @returns {(Place & {name: string}) | null}
 */
function namedFolder(found) {
  const name = text(found?.value);
  return found !== null && name !== undefined ? { ...found.place, name: asPath(name) } : null;
}

/** @param {string} path @returns {string} without ./ at its start, and / at its end */
function asPath(path) {
  return posix.normalize(path).replace(/(?<=.)\/$/, '');
}

/**
 * The names of settings have no case in Hugo.
 *
 * @param {unknown} table
 * @param {string} name in lower case
 */
function member(table, name) {
  if (table === null || typeof table !== 'object') return undefined;
  return Object.entries(table).find(([key]) => key.toLowerCase() === name)?.[1];
}

/**
 * @param {unknown} value
 * @returns {string[]}
 */
function strings(value) {
  return [value].flat().flatMap((item) => (typeof item === 'string' && item !== '' ? [item] : []));
}

/** @param {unknown} imports */
function pathsOf(imports) {
  if (!Array.isArray(imports)) return [];
  return strings(
    imports.filter((item) => member(item, 'disable') !== true).map((item) => member(item, 'path')),
  );
}

/** @param {unknown} value */
function keysOf(value) {
  return value !== null && typeof value === 'object' ? Object.keys(value) : [];
}

/** @param {unknown} value */
function text(value) {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
