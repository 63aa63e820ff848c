import { dirname, join } from 'node:path';
import { existsSync } from './fs.js';

const TYPES = ['.toml', '.yaml', '.yml', '.json'];

/**
 * Any of these makes a folder a Hugo site: Hugo reads the first one that is there, and then those in
 * config/_default/. @see https://gohugo.io/configuration/introduction/
 */
export const CONFIGS = ['hugo', 'config'].flatMap((name) => TYPES.map((type) => name + type));

/** @param {string} folder */
export function isHugoSite(folder) {
  return [...CONFIGS, join('config', '_default')].some((name) => existsSync(join(folder, name)));
}

/**
 * @param {string} folder absolute
 * @returns {string | null} the Hugo site in which it lies, or which it is
 */
export function enclosingSite(folder) {
  if (isHugoSite(folder)) return folder;
  const parent = dirname(folder);
  return parent === folder ? null : enclosingSite(parent);
}
