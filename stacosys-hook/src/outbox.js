import { createHash, randomUUID } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { countChanges } from './count-changes.js';
import { Failure } from './errors.js';
import { printable } from './printable.js';

/*
 * The transactional outbox: what changed and who must be told of it are stored in one
 * transaction, and a notification stays until its target has answered.
 * https://microservices.io/patterns/data/transactional-outbox.html
 *
 * The address of a target is often a secret (a build hook, a trigger token): the file holds its
 * hash, and only its origin in the clear.
 */

/**
 * @typedef {import('./count-changes.js').Change} Change
 * @typedef {Map<string, Change>} Changes by canonical key
 *
 * @typedef {object} Waiting a notification, of which each target has one at most
 * @property {string} id
 * @property {string} target its address
 * @property {number} due not to be sent before, in milliseconds since 1970
 *
 * @typedef {object} Message
 * @property {number} attempt 1 the first time that this id is sent
 * @property {Changes} changes
 * @property {number} changed the time of the last of them, in milliseconds since 1970
 *
 * @typedef {object} OutboxStatus
 * @property {number} waiting notifications
 * @property {number | null} oldest since when the first of them waits, in milliseconds since 1970
 * @property {{to: string, since: number, error: string}[]} givenUp targets that have answered nothing
 *   good for a day. to: an origin
 *
 * @typedef {object} Outbox times are milliseconds since 1970; each method throws a Failure where the
 *   file cannot be read or written, and then nothing has changed
 * @property {(counts: Buffer, targets: string[], now: number) => void} record stores the text of
 *   counts.json, and for each target what changed since the last call. The first call of all only stores.
 * @property {(targets: string[]) => void} retain forgets what is meant for any other target
 * @property {(targets: string[], now: number) => Waiting[]} waiting
 * @property {(waiting: Waiting) => Message | null} begin to be called before each attempt; null where
 *   another notification took its place
 * @property {(waiting: Waiting) => void} delivered
 * @property {(waiting: Waiting, error: string, now: number, random: number) => number | null} failed
 *   random: 0 to 1; returns when to try again, null where it is given up until the next change
 * @property {() => OutboxStatus} status
 * @property {() => void} close
 */

/**
 * @typedef {object} Row
 * @property {string} id
 * @property {string} changes as JSON
 * @property {number} since of the oldest change
 * @property {number} latest of the newest change
 * @property {number} attempts of this id
 * @property {number} received whether an earlier attempt may have arrived, under this id or another
 * @property {number} failures of the target, in a row
 * @property {number | null} due null where it is given up
 */

const APPLICATION = 0x7374_636f; // "stco": https://sqlite.org/pragma.html#pragma_application_id
const VERSION = 1;

const SCHEMA = `
  CREATE TABLE snapshot (counts BLOB NOT NULL) STRICT;
  CREATE TABLE notification (
    target TEXT PRIMARY KEY,
    origin TEXT NOT NULL,
    id TEXT NOT NULL,
    changes TEXT NOT NULL,
    since INTEGER NOT NULL,
    latest INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    received INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    due INTEGER,
    error TEXT,
    givenUp INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  PRAGMA application_id = ${APPLICATION}`;

const LONGEST_WAIT = 1000; // ms, in which the service does nothing else: nobody else should hold this file

const FIRST_PAUSE = 1000; // ms
const LONGEST_PAUSE = 15 * 60_000;
const DAY = 24 * 60 * 60_000;

/**
 * Opens the outbox.
 *
 * @param {string} file made where it is missing, with its folder, for its owner alone
 * @returns {Outbox} close it when done
 * @throws {Failure} it cannot be written, is damaged, or is another file
 */
export function openOutbox(file) {
  const guarded = guard(file);
  const database = guarded(() => open(file));
  /** @type {<T>(work: () => T) => T} */
  const change = (work) => guarded(() => database.transaction(work).immediate());
  return {
    record: (counts, targets, now) => change(() => record(database, counts, targets, now)),
    retain: (targets) => change(() => retain(database, targets)),
    waiting: (targets, now) => guarded(() => waitingFor(database, targets, now)),
    begin: (waiting) => change(() => begin(database, waiting)),
    delivered: (waiting) => change(() => delivered(database, waiting)),
    failed: (waiting, error, now, random) => change(() => failed(database, waiting, error, now, random)),
    status: () => guarded(() => statusOf(database)),
    close: () => database.close(),
  };
}

/** @param {string} file */
function open(file) {
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600)); // SQLite would let others read it
  const database = new Database(file, { timeout: LONGEST_WAIT });
  try {
    database.pragma('synchronous = EXTRA');
    database.transaction(() => prepare(file, database)).immediate();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * @param {string} file
 * @param {Database.Database} database
 */
function prepare(file, database) {
  const isNew = database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
  if (isNew) database.exec(SCHEMA);
  if (database.pragma('application_id', { simple: true }) !== APPLICATION) {
    throw new Failure(
      `${file} is a database of another program`,
      'Name another file for the notifications that wait.',
    );
  }
  if (Number(database.pragma('user_version', { simple: true })) > VERSION) {
    throw new Failure(
      `${file} was written by a newer stacosys-hook`,
      'Update this one, or name another file.',
    );
  }
  const [finding] = /** @type {string[]} */ (database.prepare('PRAGMA quick_check(1)').pluck().all());
  if (finding !== 'ok') throw damaged(file, printable(String(finding)));
  database.pragma(`user_version = ${VERSION}`); // a write, to know now whether that is possible
}

/**
 * @param {Database.Database} database
 * @param {Buffer} counts
 * @param {string[]} targets
 * @param {number} now
 */
function record(database, counts, targets, now) {
  retain(database, targets);
  const before = /** @type {Buffer | undefined} */ (
    database.prepare('SELECT counts FROM snapshot').pluck().get()
  );
  if (before?.equals(counts)) return;
  database.exec('DELETE FROM snapshot');
  database.prepare('INSERT INTO snapshot VALUES (?)').run(counts);
  const changes = before ? countChanges(before, counts) : new Map();
  if (changes.size === 0) return;
  for (const target of new Set(targets)) queue(database, target, changes, now);
}

/**
 * What waits and was never sent keeps its id; what was sent may have arrived, so its receiver
 * would take the same id for the same message.
 *
 * @param {Database.Database} database
 * @param {string} target
 * @param {Changes} changes
 * @param {number} now
 */
function queue(database, target, changes, now) {
  const row = rowOf(database, target);
  const merged = row ? merge(parse(row.changes), changes, row.received === 1) : changes;
  if (merged.size === 0) {
    database.prepare('DELETE FROM notification WHERE target = ?').run(hash(target));
    return;
  }
  const isNew = !row || row.attempts > 0;
  database
    .prepare(
      `INSERT INTO notification (target, origin, id, changes, since, latest, due)
       VALUES (@target, @origin, @id, @changes, @now, @now, @now)
       ON CONFLICT (target) DO UPDATE SET id = excluded.id, changes = excluded.changes, latest = excluded.latest,
         attempts = iif(id = excluded.id, attempts, 0), due = coalesce(due, excluded.due)`,
    )
    .run({
      target: hash(target),
      origin: new URL(target).origin,
      id: isNew ? `msg_${randomUUID()}` : row.id,
      changes: JSON.stringify(Object.fromEntries(merged)),
      now,
    });
}

/**
 * First from, last to. A change that was taken back is no change, unless the receiver may know of
 * it: then it must learn of the way back.
 *
 * @param {Changes} earlier
 * @param {Changes} later
 * @param {boolean} mayBeKnown
 */
function merge(earlier, later, mayBeKnown) {
  const merged = new Map(earlier);
  for (const [key, change] of later) {
    const from = earlier.get(key)?.from ?? change.from;
    if (from !== change.to) merged.set(key, { from, to: change.to });
    else if (mayBeKnown) merged.set(key, change);
    else merged.delete(key);
  }
  return merged;
}

/**
 * @param {Database.Database} database
 * @param {string[]} targets
 */
function retain(database, targets) {
  database
    .prepare('DELETE FROM notification WHERE target NOT IN (SELECT value FROM json_each(?))')
    .run(JSON.stringify(targets.map(hash)));
}

/**
 * @param {Database.Database} database
 * @param {string[]} targets
 * @param {number} now
 * @returns {Waiting[]}
 */
function waitingFor(database, targets, now) {
  return [...new Set(targets)].flatMap((target) => {
    const { id, due } = rowOf(database, target) ?? {};
    if (id === undefined || due === undefined || due === null) return [];
    const isClockSetBack = due - now > LONGEST_PAUSE;
    return [{ id, target, due: isClockSetBack ? now : due }];
  });
}

/**
 * @param {Database.Database} database
 * @param {Waiting} waiting
 * @returns {Message | null}
 */
function begin(database, { id }) {
  const row = /** @type {Row | undefined} */ (
    database
      .prepare('UPDATE notification SET attempts = attempts + 1, received = 1 WHERE id = ? RETURNING *')
      .get(id)
  );
  return row ? { attempt: row.attempts, changes: parse(row.changes), changed: row.latest } : null;
}

/**
 * @param {Database.Database} database
 * @param {Waiting} waiting
 */
function delivered(database, { id, target }) {
  database.prepare('DELETE FROM notification WHERE id = ?').run(id);
  // Where more has changed meanwhile, a notification with another id waits
  database
    .prepare('UPDATE notification SET failures = 0, error = NULL, givenUp = 0 WHERE target = ?')
    .run(hash(target));
}

/**
 * Each change is tried for a day; a target that has failed for a day is reported even while
 * newer changes are tried.
 *
 * @param {Database.Database} database
 * @param {Waiting} waiting
 * @param {string} error
 * @param {number} now
 * @param {number} random
 */
function failed(database, { target }, error, now, random) {
  const row = rowOf(database, target);
  if (!row) return null;
  const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** row.failures) * (0.5 + random / 2);
  const due = now - row.latest >= DAY ? null : Math.round(now + pause);
  database
    .prepare(
      `UPDATE notification SET failures = failures + 1, error = ?, due = ?, givenUp = max(givenUp, ?)
       WHERE target = ?`,
    )
    .run(error, due, now - row.since >= DAY ? 1 : 0, hash(target));
  return due;
}

/**
 * @param {Database.Database} database
 * @returns {OutboxStatus}
 */
function statusOf(database) {
  const counted = database.prepare(
    'SELECT count(*) waiting, min(since) oldest FROM notification WHERE due IS NOT NULL',
  );
  const givenUp = database.prepare(
    'SELECT origin "to", since, error FROM notification WHERE givenUp ORDER BY since, origin',
  );
  return {
    .../** @type {Pick<OutboxStatus, 'waiting' | 'oldest'>} */ (counted.get()),
    givenUp: /** @type {OutboxStatus['givenUp']} */ (givenUp.all()),
  };
}

/**
 * @param {Database.Database} database
 * @param {string} target
 */
function rowOf(database, target) {
  return /** @type {Row | undefined} */ (
    database.prepare('SELECT * FROM notification WHERE target = ?').get(hash(target))
  );
}

/** @param {string} target */
function hash(target) {
  return createHash('sha256').update(target).digest('hex');
}

/**
 * @param {string} changes
 * @returns {Changes}
 */
function parse(changes) {
  return new Map(Object.entries(JSON.parse(changes)));
}

/**
 * @param {string} file
 * @returns {<T>(work: () => T) => T} runs `work`; what SQLite or the file system throws comes out as
 *   a Failure
 */
function guard(file) {
  return (work) => {
    try {
      return work();
    } catch (error) {
      throw explain(file, error);
    }
  };
}

/**
 * @param {string} file
 * @param {unknown} error
 */
function explain(file, error) {
  if (!(error instanceof Error) || error instanceof Failure || !('code' in error)) return error;
  if (/^SQLITE_(NOTADB|CORRUPT|IOERR_SHORT_READ)/.test(String(error.code))) {
    return damaged(file, error.message, error);
  }
  return new Failure(
    `Cannot write ${file}: ${error.message}`,
    'Check the rights of this file and its folder, the free space of the disk, and that no other program holds it.',
    { cause: error },
  );
}

/**
 * @param {string} file
 * @param {string} reason
 * @param {Error} [cause]
 */
function damaged(file, reason, cause) {
  return new Failure(
    `${file}, which keeps the notifications that wait, is damaged: ${reason}`,
    'Delete it: a new one is made. Then start those builds once by hand that it was to notify.',
    { cause },
  );
}
