import { setTimeout as pause } from 'node:timers/promises';
import { bake } from './bake.js';
import { collectComments } from './collect-comments.js';
import { toData, withComments } from './data.js';
import { fingerprint } from './database-header.js';
import { Failure } from './errors.js';
import { chooseSite, openSource } from './source.js';

/**
 * @typedef {object} Reading
 * @property {import('./data.js').Data} data
 * @property {number} comments published ones that name a page
 * @property {number} pages
 * @property {number} pending
 * @property {number} lockMilliseconds for how long the database was locked against writers
 *
 * @typedef {object} DatabaseFollower
 * @property {() => boolean} hasChanged whether something may have changed since the last read; one that
 *   failed is for its caller to repeat. Throws a Failure where it cannot be read any more.
 * @property {(signal?: AbortSignal) => Promise<Reading>} read
 */

/**
 * Milliseconds for which a writer may be held up between two files: SQLite removes -shm and then -wal, and one of them
 * alone looks as after a crash. Two looks have met it where all cores were busy; what a crash left is the same a second later.
 *
 * @see sqlite3WalClose in https://sqlite.org/src/file/src/wal.c
 */
const BETWEEN_FILES = 500;

/** Milliseconds between two attempts at a locked database: this process must go on serving. */
const LOCKED_PAUSE = 50;

/**
 * Follows a database over years, whether its file is replaced, deleted and made again, or changes its
 * journal mode: no connection outlives a read. Never waits for a lock with the whole process.
 *
 * @param {string} file which may be missing as yet
 * @param {{site?: string, busyTimeout: number, wantsComments?: () => boolean, now?: () => number}} options busyTimeout:
 *   milliseconds; wantsComments: whether the comments themselves are read; now: milliseconds
 * @returns {DatabaseFollower}
 */
export function followDatabase(
  file,
  { site, busyTimeout, wantsComments = () => false, now = () => performance.now() },
) {
  /** @type {string | null} */
  let seen = null;
  /** The files at the last failure, and since when they fail as they are. */
  let failed = { files: '', since: 0 };

  const readOnce = () => {
    seen = fingerprint(file); // before the read: a commit between the two is looked at again
    try {
      return withSource((source) => {
        const id = chooseSite(source, site)?.id;
        return wantsComments() ? collectComments(source.read(id)) : { counted: source.count(id) };
      });
    } catch (error) {
      if (mayPass(error)) seen = null; // so that a look sees when it is over
      throw error;
    }
  };
  /**
   * @template T
   * @param {(source: import('./source.js').Source) => T} use
   * @returns {T}
   */
  const withSource = (use) => {
    try {
      return useSource(file, use);
    } catch (error) {
      const files = fingerprint(file);
      if (files !== failed.files) failed = { files, since: now() };
      if (now() - failed.since < BETWEEN_FILES) passing.add(Object(error));
      throw error;
    }
  };
  const isReadable = () => {
    try {
      return withSource(() => true);
    } catch (error) {
      seen = null; // what was seen may come back, and be no better
      throw error;
    }
  };
  return {
    hasChanged: () => fingerprint(file) !== seen && isReadable(),
    read: async (signal) => toReading(await untilUnlocked(readOnce, file, busyTimeout, signal)),
  };
}

/**
 * @template T
 * @param {string} file
 * @param {(source: import('./source.js').Source) => T} use
 * @returns {T}
 */
function useSource(file, use) {
  const source = openSource(file, { busyTimeout: 0 });
  try {
    return use(source);
  } finally {
    source.close();
  }
}

/** Failures of a database that somebody may have been writing: -wal and -shm come and go one after the other. */
const passing = new WeakSet();

/**
 * @param {unknown} error
 * @returns {boolean} whether the next look may find it gone: a lock, or a failure of files that changed just now
 */
export function mayPass(error) {
  return isLocked(error) || passing.has(Object(error));
}

/** @param {unknown} error */
function isLocked(error) {
  const cause = error instanceof Failure ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && String(cause.code).startsWith('SQLITE_BUSY');
}

/**
 * @param {{counted: import('./source.js').Counted, collected?: import('./collect-comments.js').Collected}} read
 * @returns {Promise<Reading>}
 */
async function toReading({ counted, collected }) {
  const baked = bake(counted);
  const { comments, pending, lockMilliseconds } = counted;
  return {
    data: await withComments(toData(baked), collected),
    comments: comments - baked.blank,
    pages: baked.pages,
    pending,
    lockMilliseconds,
  };
}

/**
 * @template T
 * @param {() => T} read
 * @param {string} file
 * @param {number} busyTimeout
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 */
async function untilUnlocked(read, file, busyTimeout, signal) {
  const deadline = performance.now() + busyTimeout;
  for (;;) {
    try {
      return read();
    } catch (error) {
      if (!mayPass(error)) throw error;
      if (performance.now() > deadline) {
        throw isLocked(error) ? stayedLocked(file, busyTimeout, error) : error;
      }
      await pause(LOCKED_PAUSE, undefined, { signal });
    }
  }
}

/**
 * @param {string} file
 * @param {number} busyTimeout
 * @param {unknown} cause
 */
function stayedLocked(file, busyTimeout, cause) {
  return new Failure(
    `${file} stayed locked for more than ${busyTimeout / 1000} s by another program`,
    'It is read as soon as that program lets go; a backup or a sqlite3 shell may hold it.',
    { cause },
  );
}
