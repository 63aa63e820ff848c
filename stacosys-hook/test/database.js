/*
 * Shared set-up of the tests: real databases, a second process that holds real locks, and an
 * ordinary user where the tests run as root. It holds no test itself.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { Failure } from '../src/errors.js';
import { atEnd } from './at-end.js';

/**
 * @typedef {import('node:test').TestContext} TestContext
 *
 * @typedef {object} Comment
 * @property {string | Buffer | null} url
 * @property {boolean} [pending]
 *
 * @typedef {object} OtherProcess
 * @property {(sql: string) => Promise<void>} exec runs SQL in its connection
 * @property {() => Promise<void>} close as Stacosys does when it ends
 * @property {() => Promise<void>} kill as a crash or a power cut does
 */

const NOBODY = 65534;

/**
 * The table as Stacosys 3.4 has it, but for one thing: url may be null, for the tests of
 * databases that somebody edited by hand.
 */
const SCHEMA = `CREATE TABLE comment (
  id INTEGER NOT NULL PRIMARY KEY,
  url VARCHAR(255),
  notified DATETIME,
  created DATETIME NOT NULL,
  published DATETIME,
  author_name VARCHAR(255) NOT NULL,
  author_site VARCHAR(255) NOT NULL,
  author_gravatar varchar(255),
  content TEXT NOT NULL,
  ulid INTEGER
)`;

const INSERT = `INSERT INTO comment (url, created, published, author_name, author_site, author_gravatar, content)
  VALUES (?, '2024-01-01 12:00:00', ?, 'Alice', '', '', 'Hello **world**')`;

/**
 * @param {{after: (end: () => void) => void}} t a test, or what else has an end
 * @returns {string} a folder that goes away with the test; other users may look into it
 */
export function temporaryFolder(t) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stacosys-hook-')));
  chmodSync(folder, 0o755);
  atEnd(t, () => {
    allowEverything(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** @param {string} folder whose rights a test may have taken away */
function allowEverything(folder) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) allowEverything(join(folder, entry.name));
  }
}

/**
 * @param {string} name
 * @returns {string} the path of a database that a real version of Stacosys wrote; copy it before use
 */
export function fixturePath(name) {
  return fileURLToPath(new URL(`fixtures/${name}.sqlite`, import.meta.url));
}

/**
 * @param {TestContext} t
 * @param {string} name
 * @returns {string} a copy of that database, alone in a folder of its own
 */
export function fixture(t, name) {
  const file = join(temporaryFolder(t), 'db.sqlite');
  copyFileSync(fixturePath(name), file);
  return file;
}

/**
 * Writes a database as Stacosys 3.4 does.
 *
 * @param {string} file
 * @param {Comment[]} comments
 * @returns {string} the same path
 */
export function writeDatabase(file, comments) {
  edit(file, (database) => {
    database.exec(SCHEMA);
    const insert = database.prepare(INSERT);
    database.transaction(() => {
      for (const { url, pending } of comments) insert.run(url, pending ? null : '2024-01-02 12:00:00');
    })();
  });
  return file;
}

/**
 * @param {TestContext} t
 * @param {Comment[]} comments
 * @returns {string} a database of Stacosys 3.4, alone in a folder of its own
 */
export function databaseWith(t, comments) {
  return writeDatabase(join(temporaryFolder(t), 'db.sqlite'), comments);
}

/**
 * @param {string} file
 * @param {(database: Database.Database) => unknown} change
 */
export function edit(file, change) {
  const database = new Database(file);
  try {
    change(database);
  } finally {
    database.close();
  }
}

/**
 * @param {string} url
 * @param {number} times
 * @returns {Comment[]} published comments
 */
export function comments(url, times) {
  return Array.from({ length: times }, () => ({ url }));
}

/**
 * What lies in a folder, byte for byte. Not while this process has a database in it open:
 * closing the descriptor would drop SQLite's locks.
 *
 * @param {string} folder nothing where it is missing
 */
export function bytesIn(folder) {
  if (!existsSync(folder)) return {};
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .map((entry) => [
        join(entry.parentPath, entry.name),
        entry.isFile() ? readFileSync(join(entry.parentPath, entry.name)).toString('base64') : 'no file',
      ])
      .sort(),
  );
}

/**
 * Opens the database in a process of its own, as Stacosys does.
 *
 * @param {TestContext} t
 * @param {string} file
 * @returns {Promise<OtherProcess>}
 */
export async function openElsewhere(t, file) {
  const child = fork(fileURLToPath(import.meta.url), ['hold', file]);
  const ended = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  atEnd(t, kill);
  const close = async () => {
    child.disconnect();
    await ended;
  };
  /** @param {string} sql */
  const exec = async (sql) => {
    const answered = Promise.race([once(child, 'message'), ended.then(() => ['the process ended'])]);
    child.send(sql);
    const [error] = await answered;
    if (error) throw new Error(`${sql}: ${error}`);
  };
  await exec('PRAGMA busy_timeout = 0');
  return { exec, close, kill };
}

if (process.argv[2] === 'hold') {
  const database = new Database(String(process.argv[3]), { fileMustExist: true });
  process.on('disconnect', () => {
    database.close();
    process.exit();
  });
  process.on('message', (/** @type {string} */ sql) => {
    try {
      database.exec(sql);
      process.send?.('');
    } catch (error) {
      process.send?.(String(error));
    }
  });
}

/**
 * Runs `action` without the rights of root, for whom no permission is missing. Needs no
 * other process: the effective user changes and comes back.
 *
 * @template T
 * @param {() => T} action synchronous
 * @returns {T}
 */
export function asOrdinaryUser(action) {
  if (process.getuid?.() !== 0) return action();
  const groups = process.getgroups?.() ?? [];
  process.setgroups?.([]);
  process.setegid?.(NOBODY);
  process.seteuid?.(NOBODY);
  try {
    return action();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
    process.setgroups?.(groups);
  }
}

/**
 * Gives a path to the user of `asOrdinaryUser`, with these rights.
 *
 * @param {string} path
 * @param {number} mode
 */
export function handOver(path, mode) {
  if (process.getuid?.() === 0) chownSync(path, NOBODY, NOBODY);
  chmodSync(path, mode);
}

/**
 * The failure of `action`, which must be one that the CLI can print: a line that says what
 * happened and a line that says what to do.
 *
 * @param {() => unknown} action
 * @returns {Failure}
 */
export function failureOf(action) {
  try {
    action();
  } catch (error) {
    return printableFailure(error);
  }
  assert.fail('it did not fail');
}

/**
 * As failureOf, where it comes later.
 *
 * @param {Promise<unknown>} promise
 * @returns {Promise<Failure>}
 */
export async function failureIn(promise) {
  return printableFailure(
    await promise.then(
      () => assert.fail('it did not fail'),
      (error) => error,
    ),
  );
}

/**
 * @param {unknown} error
 * @returns {Failure}
 */
export function printableFailure(error) {
  assert.ok(error instanceof Failure, error instanceof Error ? error.stack : String(error));
  for (const text of [error.message, error.advice]) assert.match(text, /^[^\p{Cc}\p{Zl}\p{Zp}]+$/u);
  return error;
}
