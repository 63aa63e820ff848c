import { damaged, notStacosys } from './database-failures.js';
import { Failure } from './errors.js';
import { closeSync, openSync, readSync, realpathSync, statSync } from './fs.js';

const HEADER = 100; // bytes

/**
 * Looks at a database before SQLite does, for what its error codes do not tell apart. The
 * descriptor is closed before SQLite opens the file: closing it later would drop SQLite's locks.
 *
 * @see https://sqlite.org/fileformat2.html#the_database_header
 * @param {string} file
 * @returns {Buffer} the first 100 bytes
 * @throws {Failure} no file, no permission, not a database, cut short
 */
export function readHeader(file) {
  const stats = permitted(file, () => statSync(file, { throwIfNoEntry: false }));
  if (!stats) {
    throw new Failure(
      `There is no database ${file}`,
      'Check the path: Stacosys names it as "db" in its config.ini, relative to the folder in which it is started.',
    );
  }
  if (stats.isDirectory()) {
    throw new Failure(`${file} is a folder, not a database`, `Give the file in it: --db ${file}/db.sqlite`);
  }
  if (!stats.isFile()) throw notStacosys(`${file} is not a regular file`);
  if (stats.size === 0) {
    throw notStacosys(
      `${file} is empty: Stacosys has written nothing into it yet, or it is not Stacosys's database`,
    );
  }
  const header = permitted(file, () => firstBytes(file, HEADER));
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
    throw notStacosys(`${file} is not a SQLite database`);
  }
  if (stats.size % pageSizeOf(header) > 0) throw damaged(file, 'its last page is not whole');
  return header;
}

/**
 * @see https://sqlite.org/fileformat2.html#file_format_version_numbers
 * @param {Buffer} header
 */
export function isInWal(header) {
  return header[18] === 2;
}

/**
 * SQLite takes what is missing of the last page for zeros, and would count wrong without a word.
 *
 * @see https://sqlite.org/fileformat2.html#page_size
 * @param {Buffer} header
 */
function pageSizeOf(header) {
  const size = header.readUInt16BE(16);
  return size === 1 ? 65_536 : size;
}

/** The first copy of the header of the WAL index: with the number of the last commit, and its checksum. */
const INDEX_HEADER = 48;

/**
 * What a database looks like from outside, without a connection: one that stays open keeps the
 * log of a WAL database from being removed when its owner ends, and its owner from leaving WAL.
 * Each commit changes it: that to a rollback journal the number in the header of the file, that to a WAL the
 * header of its index, which its writers and readers share as memory. Must not be taken while this
 * process holds a lock on the database, see readHeader.
 *
 * @see https://sqlite.org/fileformat2.html#file_change_counter and https://sqlite.org/walformat.html#the_wal_index_header
 * @param {string} file which may be gone
 * @returns {string} another one where the file is another one, or was written, or its log was
 */
export function fingerprint(file) {
  return attempt(() => {
    const target = realpathSync(file); // -wal and -shm lie beside the file itself, not beside a link to it
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(target, { bigint: true });
    const header = fileStart(target, HEADER);
    const index = fileStart(`${target}-shm`, INDEX_HEADER);
    const log = statSync(`${target}-wal`, { bigint: true, throwIfNoEntry: false }); // a copy of it may come after that of the index
    return [dev, ino, size, mtimeNs, ctimeNs, header, index, log?.ino, log?.size, log?.mtimeNs].join();
  });
}

/**
 * @param {string} file
 * @param {number} length
 * @returns {string}
 */
function fileStart(file, length) {
  return attempt(() => firstBytes(file, length).toString('base64'));
}

/**
 * @param {string} file
 * @param {number} length
 */
function firstBytes(file, length) {
  const bytes = Buffer.alloc(length);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, bytes, 0, length, 0);
  } finally {
    closeSync(descriptor);
  }
  return bytes;
}

/**
 * @param {() => string} look
 * @returns {string} the code of the error where it fails
 */
function attempt(look) {
  try {
    return look();
  } catch (error) {
    return String(/** @type {NodeJS.ErrnoException} */ (error).code);
  }
}

/**
 * @template T
 * @param {string} file
 * @param {() => T} look asks the file system for it
 * @returns {T}
 * @throws {Failure}
 */
export function permitted(file, look) {
  try {
    return look();
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code !== 'EACCES' && code !== 'EPERM') {
      throw new Failure(`Cannot open ${file}: ${code}`, 'Check the path of the database.', { cause });
    }
    throw new Failure(
      `No permission to read ${file}`,
      'Run this as the user who runs Stacosys, or give your user read access to the file and its folder.',
      { cause },
    );
  }
}
