import { setTimeout as pause } from 'node:timers/promises';
import { bake } from './bake.js';
import { collectComments } from './collect-comments.js';
import { toData, withComments } from './data.js';
import { Failure } from './errors.js';
import { statSync } from './fs.js';
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
 *   failed is for its caller to repeat
 * @property {(signal?: AbortSignal) => Promise<Reading>} read
 * @property {() => void} close
 */

/** Milliseconds between two attempts at a locked database: this process must go on serving. */
const LOCKED_PAUSE = 50;

/**
 * Follows a database over years: holds one connection, and opens another one when the file was
 * replaced, deleted and made again, or changed its journal mode. Never waits for a lock with the
 * whole process, and keeps no transaction open between two calls.
 *
 * @param {string} file which may be missing as yet
 * @param {{site?: string, busyTimeout: number, wantsComments?: () => boolean}} options busyTimeout: milliseconds;
 *   wantsComments: whether the comments themselves are read
 * @returns {DatabaseFollower}
 */
export function followDatabase(file, { site, busyTimeout, wantsComments = () => false }) {
  /** @type {import('./source.js').Source | null} */
  let source = null;
  /** @type {number | null} */
  let seen = null;
  /** What the file was when it could be opened, but not counted: damaged, or emptied in place. */
  let unreadable = '';

  const close = () => {
    source?.close();
    source = null;
    seen = null;
  };
  const opened = () => {
    if (source?.isStale()) close();
    source ??= openSource(file, { busyTimeout: 0 });
    return source;
  };
  const look = () => {
    try {
      const current = opened();
      return { current, version: current.version() };
    } catch (error) {
      if (!isLocked(error)) close();
      throw error;
    }
  };
  const readOnce = () => {
    const { current, version } = look();
    seen = version; // before the count: a commit between the two is looked at again
    try {
      const id = chooseSite(current, site)?.id;
      const read = wantsComments() ? collectComments(current.read(id)) : { counted: current.count(id) };
      unreadable = '';
      return read;
    } catch (error) {
      if (!isLocked(error)) {
        close();
        unreadable = printOf(file);
      }
      throw error;
    }
  };
  const hasChanged = () => {
    if (unreadable !== '' && unreadable === printOf(file)) return false; // its reader tries again by himself
    return look().version !== seen;
  };
  return {
    hasChanged,
    read: async (signal) => toReading(await untilUnlocked(readOnce, file, busyTimeout, signal)),
    close,
  };
}

/** @param {string} file */
function printOf(file) {
  const stats = statSync(file, { throwIfNoEntry: false });
  return `${stats?.ino} ${stats?.size} ${stats?.mtimeMs}`;
}

/** @param {unknown} error */
export function isLocked(error) {
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
      if (!isLocked(error)) throw error;
      if (performance.now() > deadline) throw stayedLocked(file, busyTimeout, error);
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
