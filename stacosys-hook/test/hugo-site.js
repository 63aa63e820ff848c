/* Shared set-up of the tests that need a real Hugo site. It holds no test itself. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pinnedHugo } from '../../scripts/tools.js';
import { temporaryFolder } from './database.js';

/**
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} files path → text; hugo.toml is made where it is missing
 * @returns {string} the folder of a Hugo site
 */
export function hugoSite(t, files = {}) {
  const folder = temporaryFolder(t);
  const config = { 'hugo.toml': 'baseURL = "https://blog.example/"\n' };
  writeFiles(folder, { ...config, ...files });
  return folder;
}

/**
 * @param {string} folder
 * @param {Record<string, string>} files path → text
 */
export function writeFiles(folder, files) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

/**
 * @param {Record<string, unknown>} [matter]
 * @returns {string} a content file: JSON is YAML, too
 */
export function article(matter = {}) {
  return `---\n${JSON.stringify({ title: 'An article', ...matter }, null, 1)}\n---\nText.\n`;
}

/**
 * Builds the site for real.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} site
 * @param {string} version of Hugo
 * @returns {string[]} the files that are redirects to a page, as Hugo writes them for aliases
 */
export function redirectsOf(t, site, version) {
  const output = temporaryFolder(t);
  execFileSync(pinnedHugo(version), ['--source', site, '--destination', output, '--quiet'], {
    stdio: 'ignore',
  });
  return readdirSync(output, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => /http-equiv="?refresh/.test(readFileSync(file, 'utf8')))
    .map((file) => relative(output, file))
    .sort();
}
