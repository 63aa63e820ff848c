import { join } from 'node:path';
import { Failure } from './errors.js';
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from './fs.js';
import { printable } from './printable.js';
import { cannotWrite } from './write.js';

/**
 * @typedef {object} CommentFiles what assets/stacosys/comments/ of a site is to hold
 * @property {Map<string, string>} sources name of a file → the hash of what it is made of, sorted
 * @property {((name: string) => string) | null} body renders what stands in a file behind the hash; null once all is written
 *
 * @typedef {object} Put
 * @property {number} written files
 * @property {number} removed files
 */

const NAME = /^[0-9a-f]{64}\.json$/;
const TEMPORARY = /^\.[0-9a-f]{64}\.json\.\w+\.tmp$/;

/** What a file begins with, and ends with unless it was cut short. */
const HEAD = /^\{"source":"([0-9a-f]{64})",/;
const HEAD_LENGTH = 100; // bytes, at least
export const TAIL = '\n]}\n';

/** @type {CommentFiles} */
const NONE = { sources: new Map(), body: null };

/**
 * Where the template finds the comments of a key.
 *
 * @param {string} site the folder of the Hugo site
 */
export function commentsFolder(site) {
  return join(site, 'assets', 'stacosys', 'comments');
}

/**
 * Brings the folder up to date: renders and writes what changed, each file in one step, and removes what has no
 * comment any more. A file is known by the hash of what it was made of, so nothing has to be kept besides.
 *
 * There may be ten thousand of them, so none waits for the disk (fsync). What a power cut leaves torn is seen
 * here by its end, and written anew.
 *
 * @param {string} site
 * @param {CommentFiles | null} files null where the site wants none
 * @returns {Put}
 * @throws {Failure} the folder cannot be written, or was changed after the comments were read
 */
export function putComments(site, files) {
  const folder = commentsFolder(site);
  const { sources, body } = files ?? NONE;
  const present = sourcesIn(folder);
  const stale = [...sources].filter(([name, source]) => present.get(name) !== source);
  const gone = [...present.keys()].filter((name) => !sources.has(name));
  try {
    if (stale.length > 0) mkdirSync(folder, { recursive: true });
    for (const [name, source] of stale) {
      if (body === null) throw wereChanged(folder);
      replace(folder, name, `{"source":"${source}",${body(name)}`);
    }
    for (const name of [...gone, ...leftBehind(folder)]) rmSync(join(folder, name), { force: true });
  } catch (error) {
    throw error instanceof Failure ? error : cannotWrite(folder, error);
  }
  return { written: stale.length, removed: gone.length };
}

/**
 * What was baked last.
 *
 * @param {string} site
 * @returns {CommentFiles | null} null where there are none
 */
export function commentsOnDisk(site) {
  const sources = sourcesIn(commentsFolder(site));
  return sources.size === 0 ? null : { sources, body: null };
}

/**
 * @param {string} folder
 * @returns {Map<string, string>} name of a file → the hash of what it was made of; '' where it is not whole
 */
function sourcesIn(folder) {
  try {
    const names = namesIn(folder).filter((name) => NAME.test(name));
    return new Map(names.sort().map((name) => [name, sourceIn(join(folder, name))]));
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    throw new Failure(`Cannot read ${printable(folder)}: ${code}`, 'Check the rights of that folder.', {
      cause,
    });
  }
}

/** @param {string} folder */
function namesIn(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}

const ABANDONED = 60_000; // milliseconds

/**
 * A process that was killed leaves what it was writing: the text of a comment that may have to go.
 *
 * @param {string} folder
 * @returns {string[]} names
 */
function leftBehind(folder) {
  const latest = Date.now() - ABANDONED;
  return namesIn(folder).filter((name) => TEMPORARY.test(name) && mtimeOf(join(folder, name)) < latest);
}

/** @param {string} file which another process may remove */
function mtimeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
}

/**
 * Looks at both ends only: all of the files together may be large.
 *
 * @param {string} file
 * @returns {string} '' where it is not whole, or a link that leads nowhere
 */
function sourceIn(file) {
  const descriptor = opened(file);
  if (descriptor === null) return '';
  try {
    const { size } = fstatSync(descriptor);
    const head = readAt(descriptor, 0, HEAD_LENGTH);
    const isWhole = readAt(descriptor, Math.max(0, size - TAIL.length), TAIL.length) === TAIL;
    return (isWhole && HEAD.exec(head)?.[1]) || '';
  } finally {
    closeSync(descriptor);
  }
}

/**
 * @param {string} file
 * @returns {number | null}
 */
function opened(file) {
  try {
    return openSync(file, 'r');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * @param {number} descriptor
 * @param {number} position
 * @param {number} length
 */
function readAt(descriptor, position, length) {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, length, position));
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {string} text
 */
function replace(folder, name, text) {
  const temporary = join(folder, `.${name}.${Math.random().toString(36).slice(2)}.tmp`);
  try {
    writeFileSync(temporary, text, { flag: 'wx' });
    renameSync(temporary, join(folder, name));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** @param {string} folder */
function wereChanged(folder) {
  return new Failure(
    `Somebody else wrote into ${printable(folder)} while Hugo read it`,
    'Run this again; a bake, or a checkout, beside a build is not needed.',
  );
}
