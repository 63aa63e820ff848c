import Database from 'better-sqlite3';
import { explain, notStacosys, unfinished } from './database-failures.js';
import { fingerprint, isInWal, permitted, readHeader } from './database-header.js';
import { Failure } from './errors.js';
import { existsSync, realpathSync, statSync } from './fs.js';
import { printable } from './printable.js';

// As for node:fs, see fs.js
const { pathToFileURL } = process.getBuiltinModule('node:url');

/**
 * @typedef {object} Site a row of the table `site` (Stacosys before 2.0)
 * @property {number} id
 * @property {string} name
 * @property {string} url
 * @property {string} token a secret: never printed
 *
 * @typedef {object} Source an open Stacosys database
 * @property {string} file
 * @property {string} generation the versions of Stacosys that write this schema
 * @property {Site[]} sites empty since Stacosys 2.0, where one database is one site
 * @property {'wal' | 'rollback journal'} journal
 * @property {(siteId?: number) => Counted} count
 * @property {(siteId?: number) => Read} read the comments themselves
 * @property {() => void} close
 *
 * @typedef {object} Counted
 * @property {string} lines `  "url": published,\n` for each url as stored, in the order of their
 *   bytes, none twice, only counts above 0
 * @property {number} urls how many
 * @property {number} comments that are published
 * @property {number} pending comments that wait for their moderation
 * @property {number} lockMilliseconds for how long the read lock was held
 *
 * @typedef {object} Read
 * @property {Buffer[]} chunks each of some lines, one a published comment, in the order of their rows:
 *   `1"url"\t["2026-11-20 15:51:42","author","site","avatar","content"]\n`. The digit tells how the url is
 *   stored: 0 NULL, 1 text, 2 blob. The url is JSON, and what is JSON holds neither a tab nor a new line.
 * @property {number} comments that are published
 * @property {number} pending
 * @property {number} lockMilliseconds
 */

// better-sqlite3 takes file: URIs only if this stands there when the first database is opened.
process.env.SQLITE_USE_URI = '1';

/** Milliseconds. `performance` would load node:perf_hooks: 2 ms, and while the database is locked. */
const clock = () => Number(process.hrtime.bigint()) / 1e6;

/** Stacosys loses a comment when it waits longer than this for a lock. */
const DEFAULT_BUSY_TIMEOUT = 5000;

/**
 * Opens a Stacosys database for reading and makes out its generation. Never creates,
 * changes or migrates anything, neither the database nor a file beside it.
 *
 * @param {string} file
 * @param {{busyTimeout?: number}} [options] busyTimeout: milliseconds to wait for a lock
 * @returns {Source} close it when done
 * @throws {Failure} one of the ways in which a database can be unreadable, each with its remedy
 */
export function openSource(file, { busyTimeout = DEFAULT_BUSY_TIMEOUT } = {}) {
  const header = readHeader(file);
  const guarded = guard(file, busyTimeout);
  return guarded(() => {
    const isWal = isInWal(header);
    const connection = connect(file, isWal, busyTimeout);
    const { database } = connection;
    try {
      return guarded(() => describe(file, connection, isWal, guarded));
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/**
 * The site whose comments are asked for.
 *
 * @param {Source} source
 * @param {string} [wanted] name, url or token
 * @returns {Site | undefined} undefined where the database holds one site without a name
 * @throws {Failure} several sites and no choice, or no such site
 */
export function chooseSite({ sites, file }, wanted) {
  if (sites.length === 0) return undefined;
  if (wanted === undefined && sites.length === 1) return sites[0];
  const names = sites.map(({ name, url }) => `${printable(name)} (${printable(url)})`).join(', ');
  if (wanted === undefined) {
    throw new Failure(
      `${file} holds the comments of ${sites.length} sites: ${names}`,
      'Choose one by name or url: --site NAME, or site = "NAME" in stacosys.toml.',
    );
  }
  const site = sites.find(
    ({ name, url, token }) => wanted === name || wanted === token || bareUrl(wanted) === bareUrl(url),
  );
  if (site) return site;
  throw new Failure(
    `${file} holds no site that --site describes`, // its value may be a token
    `Choose one of: ${names}`,
  );
}

/** @param {string} url */
function bareUrl(url) {
  return url
    .replace(/^https?:\/\//i, '')
    .replace(/\/+$/, '')
    .toLowerCase();
}

/**
 * @typedef {object} Connection
 * @property {Database.Database} database
 * @property {() => void} verify throws where what was read may be torn
 *
 * Opens read-only. A plain read-only connection to a WAL database creates -wal and -shm where
 * they are missing, owned by our user, which locks Stacosys out. So with both files there, the
 * shared memory is opened read-only too; with one missing, the database is at rest and is read as
 * an immutable file, without any lock, which must be the same file afterwards.
 *
 * @see https://sqlite.org/wal.html#readonly and https://sqlite.org/uri.html
 * @param {string} file
 * @param {boolean} isWal
 * @param {number} busyTimeout
 * @returns {Connection}
 */
function connect(file, isWal, busyTimeout) {
  const options = { readonly: true, fileMustExist: true, timeout: busyTimeout };
  if (!isWal) return { database: new Database(file, options), verify: () => {} };
  const target = permitted(file, () => realpathSync(file)); // -wal and -shm lie beside the file itself, not beside a link to it
  const log = permitted(file, () => statSync(`${target}-wal`, { throwIfNoEntry: false }));
  const hasIndex = existsSync(`${target}-shm`);
  if (log && log.size > 0 && !hasIndex) throw unfinished(target, '-wal');
  const isAtRest = !(log && hasIndex);
  const uri = pathToFileURL(target);
  uri.search = isAtRest ? 'mode=ro&immutable=1' : 'mode=ro&readonly_shm=1';
  const before = isAtRest ? fingerprint(target) : '';
  const verify = () => {
    if (isAtRest && fingerprint(target) !== before) {
      throw new Failure(`${file} was changed while it was read`, 'Run this again.');
    }
  };
  return { database: new Database(uri.href, options), verify };
}

/**
 * @param {string} file
 * @param {Connection} connection
 * @param {boolean} isWal
 * @param {ReturnType<typeof guard>} guarded
 * @returns {Source}
 */
function describe(file, { database, verify }, isWal, guarded) {
  // For the sorter of GROUP BY: short runs (the default of 16 MB slows it), each sorted beside the scan
  database.pragma('cache_size = -500');
  database.pragma('threads = 2');
  const columns = columnsOf(database, 'comment');
  const generation = generationOf(file, columns, columnsOf(database, 'site'));
  const hasSites = columns.includes('site_id');
  return {
    file,
    generation,
    journal: isWal ? 'wal' : 'rollback journal',
    sites: hasSites ? sitesOf(file, database) : [],
    count: (siteId) =>
      guarded(() => {
        const counted = count(database, hasSites ? siteId : undefined);
        verify();
        return counted;
      }),
    read: (siteId) =>
      guarded(() => {
        const read = readAll(database, columns, hasSites ? siteId : undefined);
        verify();
        return read;
      }),
    close: () => database.close(),
  };
}

/**
 * @param {string} file
 * @param {Database.Database} database whose comments are of several sites
 */
function sitesOf(file, database) {
  const sites = database.prepare('SELECT id, name, url, token FROM site ORDER BY name').all();
  if (sites.length > 0) return /** @type {Site[]} */ (sites);
  throw new Failure(
    `${file} tells its comments apart by site, but its table "site" is empty`,
    'Restore the rows of that table from a backup: without them nobody knows whose comments these are.',
  );
}

/**
 * @param {Database.Database} database
 * @param {string} table
 * @returns {string[]} empty where there is no such table
 */
function columnsOf(database, table) {
  return /** @type {string[]} */ (
    database.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table)
  );
}

/**
 * Tells the generations apart by the names of the columns, whose order differs; only the
 * migrated schema is known by the place of `notified`.
 *
 * @param {string} file
 * @param {string[]} columns of the table comment
 * @param {string[]} siteColumns of the table site
 */
function generationOf(file, columns, siteColumns) {
  if (columns.length === 0) {
    throw notStacosys(`${file} has no table "comment": it is not a database of Stacosys`);
  }
  const required = [['comment', columns, ['url', 'published']]];
  if (columns.includes('site_id')) required.push(['site', siteColumns, ['id', 'name', 'url', 'token']]);
  for (const [table, present, names] of /** @type {[string, string[], string[]][]} */ (required)) {
    const missing = names.filter((name) => !present.includes(name));
    if (missing.length > 0) {
      throw new Failure(
        `${file}: the table "${table}" lacks ${missing.map((name) => `"${name}"`).join(' and ')}: no version of Stacosys writes that`,
        'If a newer Stacosys wrote it, update hugo-stacosys; otherwise give the right file.',
      );
    }
  }
  if (columns.includes('author_email')) {
    return columns.includes('author_gravatar') ? '2017 (July to December)' : '2015 to 2017';
  }
  if (columns.includes('site_id')) return '1.1 (2019)';
  if (columns.includes('ulid')) return '3.3 to 3.4 (2022 to 2024)';
  const isMigrated = columns.indexOf('notified') < columns.indexOf('created');
  return `2.0 to 3.2 (2021)${isMigrated ? ', migrated from 1.1' : ''}`;
}

/** A url as text. A blob gets a space, and NULL is a tab, which their keys have not, so that no url comes twice. */
const FORM = "coalesce(iif(typeof(url) = 'blob', ' ', '') || url, char(9))";

/**
 * One scan, one text: no row objects, and the read lock ends with the statement. A comment
 * is published when `published` is not null (every generation). To count the others in the
 * same scan, SQLite calls is_pending() for each of them (CASE never asks in vain): counted in the
 * groups they would make the sorter a tenth slower.
 *
 * @param {Database.Database} database
 * @param {number} [siteId]
 * @returns {Counted}
 */
function count(database, siteId) {
  let pending = 0;
  database.function('is_pending', { deterministic: false }, () => {
    pending += 1;
    return 0;
  });
  const isOther = siteId === undefined ? '' : 'WHEN site_id <> ? THEN 0';
  const statement = database
    .prepare(
      `SELECT coalesce(group_concat('  ' || json_quote(form) || ': ' || published || ',' || char(10), ''), ''),
              count(*), coalesce(sum(published), 0)
       FROM (SELECT ${FORM} form, count(*) published FROM comment
             WHERE CASE ${isOther} WHEN published IS NOT NULL THEN 1 ELSE is_pending() END
             GROUP BY url ORDER BY url)`,
    )
    .raw();
  const started = clock();
  const [lines, urls, comments] = /** @type {[string, number, number]} */ (
    siteId === undefined ? statement.get() : statement.get(siteId)
  );
  const lockMilliseconds = clock() - started;
  return { lines, urls, comments, pending, lockMilliseconds };
}

/** A chunk. One text a row would be 200,000 times the way from SQLite to JavaScript, and as much garbage. */
const ROWS = 200;

const BEFORE_ALL_ROWS = -(2n ** 63n);

/**
 * The comments of one moment, in one scan of the table. Nothing but taking them is done under the lock.
 *
 * @param {Database.Database} database
 * @param {string[]} columns of the table comment
 * @param {number} [siteId]
 * @returns {Read}
 */
function readAll(database, columns, siteId) {
  const takeChunk = chunksOf(database, columns, siteId);
  const chunks = /** @type {Buffer[]} */ ([]);
  let [rows, comments] = [0, 0];
  const started = clock();
  database.transaction(() => {
    for (let chunk = takeChunk(BEFORE_ALL_ROWS); chunk.last !== null; chunk = takeChunk(chunk.last)) {
      rows += chunk.rows;
      comments += chunk.comments;
      if (chunk.lines !== null) chunks.push(chunk.lines);
    }
  })();
  const lockMilliseconds = clock() - started;
  return { chunks, comments, pending: rows - comments, lockMilliseconds };
}

/**
 * @typedef {object} Chunk
 * @property {bigint | null} last row in it; null where there are none left
 * @property {number} rows
 * @property {number} comments of them that are published
 * @property {Buffer | null} lines of these; null where there are none
 *
 * @param {Database.Database} database
 * @param {string[]} columns
 * @param {number} [siteId]
 * @returns {(after: bigint) => Chunk}
 */
function chunksOf(database, columns, siteId) {
  const statement = database
    .prepare(chunkQuery(database, columns, siteId))
    .raw()
    .safeIntegers();
  const site = siteId === undefined ? [] : [siteId];
  const get = (/** @type {bigint} */ after, /** @type {number} */ most) => {
    const row = /** @type {[bigint | null, bigint, bigint, Buffer | string | null]} */ (
      statement.get(...site, after, most)
    );
    const [last, rows, comments, lines] = row;
    const bytes = typeof lines === 'string' ? Buffer.from(lines) : lines;
    return { last, rows: Number(rows), comments: Number(comments), lines: bytes };
  };
  return (after) => {
    try {
      return get(after, ROWS);
    } catch (error) {
      if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_TOOBIG') throw error;
      return get(after, 1); // huge ones, each of which may still be read
    }
  };
}

/**
 * A blob is no text, and json_array() refuses it. The e-mail address of the oldest generations is not
 * asked for, what `author_gravatar` holds is for bake to judge.
 *
 * @param {Database.Database} database
 * @param {string[]} columns
 * @param {number} [siteId]
 */
function chunkQuery(database, columns, siteId) {
  const names = ['published', 'author_name', 'author_site', 'author_gravatar', 'content'];
  const texts = names.map((name) => (columns.includes(name) ? `coalesce(CAST(${name} AS TEXT), '')` : "''"));
  const kind = "CASE typeof(url) WHEN 'null' THEN 0 WHEN 'blob' THEN 2 ELSE 1 END";
  const line = `${kind} || json_quote(${FORM}) || char(9) || json_array(${texts.join(', ')}) || char(10)`;
  // The bytes at once, where they are those that we want: a fifth of the time
  const isUtf8 = database.pragma('encoding', { simple: true }) === 'UTF-8';
  const lines = isUtf8 ? "CAST(group_concat(line, '') AS BLOB)" : "group_concat(line, '')";
  return `SELECT max(number), count(*), count(line), ${lines}
    FROM (SELECT rowid number, iif(published IS NULL, NULL, ${line}) line FROM comment
          WHERE ${siteId === undefined ? '' : '(site_id <> ?) IS NOT 1 AND'} rowid > ? ORDER BY rowid LIMIT ?)`;
}

/**
 * @param {string} file
 * @param {number} busyTimeout
 * @returns {<T>(read: () => T) => T} runs `read`; what SQLite throws comes out as a Failure
 */
function guard(file, busyTimeout) {
  return (read) => {
    try {
      return read();
    } catch (error) {
      throw error instanceof Database.SqliteError ? explain(error, file, busyTimeout) : error;
    }
  };
}
