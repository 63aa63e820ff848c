import { basename, dirname, join } from 'node:path';
import { Failure } from './errors.js';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from './fs.js';

/**
 * Puts a data file in place in one step: a reader, or a crash at any moment, finds the old
 * bytes or the new ones. A file that has these bytes already is not touched, so that `hugo
 * server` and build caches see no change.
 *
 * The temporary name starts with a dot because Hugo reads any other stray file in data/, and
 * is a new one each time so that two runs at once do not write into one file.
 *
 * @param {string} file
 * @param {string | Buffer} content
 * @param {number} [mode] the rights of the file; those of any new file where it is not given
 * @returns {boolean} whether the bytes changed
 * @throws {Failure} the folder cannot be written, the disk is full
 */
export function write(file, content, mode) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  if (current(file)?.equals(bytes)) return false;
  const temporary = join(dirname(file), `.${basename(file)}.${Math.random().toString(36).slice(2)}.tmp`);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeDurably(temporary, bytes, mode);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw cannotWrite(file, error);
  }
  return true;
}

/**
 * Removes a data file that is no longer needed.
 *
 * @param {string} file
 * @returns {boolean} whether there was one
 * @throws {Failure}
 */
export function remove(file) {
  if (current(file) === null) return false;
  try {
    rmSync(file);
  } catch (error) {
    throw cannotWrite(file, error);
  }
  return true;
}

/**
 * @param {string} file
 * @returns {Buffer | null} its bytes, null where there is no such file
 */
function current(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw cannotWrite(file, error);
  }
}

/**
 * @param {string} file
 * @param {Buffer} bytes
 * @param {number} [mode]
 */
function writeDurably(file, bytes, mode) {
  const descriptor = openSync(file, 'wx', 0o644);
  try {
    if (mode !== undefined) fchmodSync(descriptor, mode);
    for (let offset = 0; offset < bytes.length;) offset += writeSync(descriptor, bytes, offset);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * @param {string} file
 * @param {unknown} error
 */
export function cannotWrite(file, error) {
  return new Failure(
    `Cannot write ${file}: ${error instanceof Error ? error.message : error}`,
    'Check the rights of that folder and the free space of its disk; the last good data is untouched.',
    { cause: error },
  );
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
