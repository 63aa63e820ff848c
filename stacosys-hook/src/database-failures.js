import { Failure } from './errors.js';
import { printable } from './printable.js';

/**
 * What an error of SQLite means to the owner of the database, and what to do about it.
 *
 * @see https://sqlite.org/rescode.html
 * @param {Error & {code: string}} error
 * @param {string} file
 * @param {number} busyTimeout
 * @returns {Failure}
 */
export function explain(error, file, busyTimeout) {
  const { code } = error;
  if (code === 'SQLITE_READONLY_ROLLBACK') return unfinished(file, '-journal', error);
  if (code.startsWith('SQLITE_READONLY')) return unfinished(file, '-wal', error);
  if (code.startsWith('SQLITE_BUSY')) {
    return new Failure(
      `${file} stayed locked for more than ${busyTimeout / 1000} s by another program`,
      'Run this again; if it lasts, look for a program that keeps the database open for writing (a backup, a sqlite3 shell).',
      { cause: error },
    );
  }
  if (code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_IOERR_SHORT')) {
    return damaged(file, printable(error.message), error);
  }
  if (code === 'SQLITE_NOTADB') {
    return notStacosys(`${file} is not a SQLite database`, error);
  }
  if (code.startsWith('SQLITE_CANTOPEN')) {
    return new Failure(
      `Cannot open ${file}: ${printable(error.message)}`,
      'Check the rights of the file, of its folder, and of the -wal and -shm files beside it.',
      { cause: error },
    );
  }
  return new Failure(
    `Cannot read ${file}: ${printable(error.message)} (${code})`,
    'Look at the file with: sqlite3 FILE "PRAGMA integrity_check"',
    { cause: error },
  );
}

/**
 * A crash of the writer left a hot journal or a log. SQLite repairs that when it opens the file
 * for writing, which is not ours to do.
 *
 * @param {string} file
 * @param {'-journal' | '-wal'} suffix
 * @param {Error} [cause]
 */
export function unfinished(file, suffix, cause) {
  return new Failure(
    `${file} was left in the middle of a change by a crash: ${file}${suffix} holds the rest of it`,
    `Start Stacosys once (it repairs the file when it opens it), then run this again; do not delete ${file}${suffix}.`,
    { cause },
  );
}

/**
 * @param {string} file
 * @param {string} reason
 * @param {Error} [cause]
 */
export function damaged(file, reason, cause) {
  return new Failure(
    `${file} is damaged or cut short: ${reason}`,
    'Restore a backup, or save what can be saved with: sqlite3 FILE .recover',
    { cause },
  );
}

/**
 * @param {string} message
 * @param {Error} [cause]
 */
export function notStacosys(message, cause) {
  return new Failure(
    message,
    'Give the file that "db" in the config.ini of Stacosys names: --db FILE, or --stacosys config.ini.',
    { cause },
  );
}
