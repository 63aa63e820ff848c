import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './errors.js';
import { existsSync, readFileSync } from './fs.js';
import { write } from './write.js';

/**
 * @typedef {object} Manifest what is known of a release without reading it again
 * @property {number} pages HTML files
 * @property {string} data the hash of the comments in it
 * @property {string[]} assets paths of its own files with a fingerprint in their name, sorted
 */

/**
 * Hugo's resources.Fingerprint puts a digest before the extension (md5 has 32 digits, sha512 128),
 * image processing puts `_hu` and a hash behind the name, with `_` between them since 0.137.
 *
 * @see https://gohugo.io/functions/resources/fingerprint/
 */
const FINGERPRINT = /(?:\.[0-9a-f]{32,128}(?:\.[a-z0-9]+)+|_hu_?[0-9a-f]{16,}\S*)$/i;

const NO_UTF8 = '\ufffd';

/**
 * @param {string} folder of the releases
 * @param {string} name
 */
export function manifestPath(folder, name) {
  return join(folder, 'releases', `.${name}.json`);
}

/**
 * Looks through a built site.
 *
 * @param {string} root
 * @param {string} data
 * @param {(folders: string[]) => void} [onEmpty] is told of folders with nothing in them, by their paths
 * @returns {Manifest}
 */
export function inspect(root, data, onEmpty = () => {}) {
  /** @type {string[]} */
  const empty = [];
  const files = filesIn(root, '', empty);
  onEmpty(empty);
  const assets = files.filter((file) => FINGERPRINT.test(file)).sort();
  return { pages: files.filter((file) => file.endsWith('.html')).length, data, assets };
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {Manifest} manifest
 */
export function writeManifest(folder, name, manifest) {
  write(manifestPath(folder, name), `${JSON.stringify(manifest, null, 1)}\n`);
}

/**
 * @param {string} folder
 * @param {string} name
 * @returns {Manifest} made anew from the release where its file is missing or broken
 */
export function readManifest(folder, name) {
  const written = writtenManifest(manifestPath(folder, name));
  return written ?? inspect(join(folder, 'releases', name), '');
}

/**
 * @param {string} file
 * @returns {Manifest | null}
 */
function writtenManifest(file) {
  if (!existsSync(file)) return null;
  const text = readFileSync(file, 'utf8');
  try {
    const value = JSON.parse(text);
    return isManifest(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** @param {any} value */
function isManifest(value) {
  const { pages, data, assets } = Object(value);
  const areTexts = Array.isArray(assets) && assets.every((asset) => typeof asset === 'string');
  return Number.isInteger(pages) && typeof data === 'string' && areTexts;
}

/**
 * A multihost site has its home pages one level below.
 *
 * @param {string} root
 * @param {string | null} live the root of the live site; where it has a home page, this one must have it, too
 * @throws {Failure} the site has no home page
 */
export function requireHomePage(root, live) {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const homes = ['index.html', ...folders.map(({ name }) => join(name, 'index.html'))];
  const sizes = homes.map((home) => statSync(join(root, home), { throwIfNoEntry: false })?.size);
  const [home, ...others] = sizes;
  const mayLieBelow = live === null || !existsSync(join(live, 'index.html'));
  if (home === undefined ? mayLieBelow && others.some(Boolean) : home > 0) return;
  throw new Failure(
    `Hugo ended well, but ${home === 0 ? 'the home page is empty' : 'there is no home page'}`,
    'Run hugo in the site and look at public/index.html; the live site is untouched.',
  );
}

/**
 * @param {string} root
 * @param {string} folder within it, '' or with a slash at its end
 * @param {string[]} empty where those are added that have no entry
 * @returns {string[]} paths within root
 */
function filesIn(root, folder, empty) {
  const entries = readdirSync(`${root}/${folder}`, { withFileTypes: true });
  if (entries.length === 0 && folder !== '') empty.push(folder.slice(0, -1));
  return entries.flatMap((entry) => {
    if (entry.name.includes(NO_UTF8)) return []; // Node cannot name it again, and it is no page of Hugo's
    return entry.isDirectory() ? filesIn(root, `${folder}${entry.name}/`, empty) : [`${folder}${entry.name}`];
  });
}
