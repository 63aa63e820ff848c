/*
 * A process that writes comments as Stacosys does, at random moments. It holds no test itself.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { atEnd } from '../at-end.js';
import { moderate } from './blog.js';

/**
 * @typedef {object} Habit
 * @property {'anew' | 'held'} connection Stacosys opens one for each commit; other programs hold one
 * @property {'normal' | 'full' | 'extra'} synchronous
 *
 * @typedef {{pause: number, hold: number}} Moment milliseconds before a commit, and during it with the
 *   lock in hand, as on a slow disk
 *
 * @typedef {object} Written
 * @property {number} id of the last state
 * @property {string} state
 * @property {number} longest milliseconds that a commit took, the waiting for its lock included, but not
 *   what it held on purpose
 */

/** What Python's sqlite3, and with it Stacosys, waits for a lock; then a comment is lost. */
const BUSY_TIMEOUT = 5000;

/**
 * @param {import('node:test').TestContext} t
 * @param {string} database
 * @param {Habit} habit
 * @returns {(moments: Moment[]) => Promise<Written>} commits once at each of them
 */
export function startWriter(t, database, habit) {
  const child = fork(fileURLToPath(import.meta.url), ['write', database, JSON.stringify(habit)]);
  const ended = once(child, 'exit').then(() => [{ error: 'the writer ended' }]);
  atEnd(t, async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return async (moments) => {
    const answered = Promise.race([once(child, 'message'), ended]);
    child.send(moments);
    const [{ error, ...written }] = await answered;
    if (error) throw new Error(`a comment was lost: ${error}`);
    return written;
  };
}

/**
 * @param {string} file
 * @param {Habit} habit
 */
function connect(file, { synchronous }) {
  const connection = new Database(file, { fileMustExist: true, timeout: BUSY_TIMEOUT });
  connection.pragma(`synchronous = ${synchronous}`);
  return connection;
}

/**
 * @param {string} file
 * @param {Habit} habit
 */
async function write(file, habit) {
  const held = habit.connection === 'held' ? connect(file, habit) : null;
  process.on('disconnect', () => process.exit());
  process.on('message', (/** @type {Moment[]} */ moments) => {
    commitAt(moments, () => held ?? connect(file, habit), held === null).then(
      (written) => process.send?.(written),
      (error) => process.send?.({ error: String(error) }),
    );
  });
}

/**
 * @param {Moment[]} moments
 * @param {() => Database.Database} connection
 * @param {boolean} isClosed after each commit
 * @returns {Promise<Written>}
 */
async function commitAt(moments, connection, isClosed) {
  let last = { id: 0, state: '' };
  let longest = 0;
  for (const moment of moments) {
    await pause(moment.pause);
    const started = performance.now();
    const database = connection();
    try {
      last = moderate(database, () => sleep(moment.hold));
    } finally {
      if (isClosed) database.close();
    }
    longest = Math.max(longest, performance.now() - started - moment.hold);
  }
  return { ...last, longest };
}

/** @param {number} milliseconds in which this process does nothing else */
function sleep(milliseconds) {
  if (milliseconds > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

if (process.argv[2] === 'write') await write(String(process.argv[3]), JSON.parse(String(process.argv[4])));
