import { existsSync } from './fs.js';
import { join } from 'node:path';

/** Any of these makes a folder a Hugo site. @see https://gohugo.io/configuration/introduction/ */
const CONFIGS = ['hugo', 'config'].flatMap((name) =>
  ['.toml', '.yaml', '.yml', '.json'].map((type) => name + type),
);

/** @param {string} folder */
export function isHugoSite(folder) {
  return [...CONFIGS, join('config', '_default')].some((name) => existsSync(join(folder, name)));
}
