import { closeSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';

/**
 * @typedef {object} Comment
 * @property {string} url
 * @property {string} author
 * @property {string} content Markdown
 * @property {string} created `YYYY-MM-DD HH:MM:SS`
 * @property {string | null} published the same form; null while it waits for its moderation
 * @property {string} [site] the author's own
 * @property {string} [gravatar] the hash
 */

/** As Stacosys 3.4 leaves it, to the byte: `ulid` was added to an older table. */
const SCHEMA = `CREATE TABLE comment (
    id INTEGER NOT NULL PRIMARY KEY,
    url VARCHAR(255) NOT NULL,
    notified DATETIME,
    created DATETIME NOT NULL,
    published DATETIME,
    author_name VARCHAR(255) NOT NULL,
    author_site VARCHAR(255) NOT NULL,
    author_gravatar varchar(255),
    content TEXT NOT NULL
, ulid INTEGER)`;

const INSERT = `INSERT INTO comment
  (url, notified, created, published, author_name, author_site, author_gravatar, content)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/**
 * Writes a database as Stacosys 3.4 would, for the demo and the benchmarks.
 *
 * @param {string} file must not exist: nothing of ours writes into somebody else's database
 * @param {Iterable<Comment>} comments in the order of their ids
 */
export function writeDatabase(file, comments) {
  closeSync(openSync(file, 'wx')); // throws EEXIST; SQLite itself would open what is there
  const database = new Database(file);
  try {
    database.pragma('journal_mode = delete');
    database.pragma('synchronous = off'); // made up in seconds: not worth waiting for the disk
    database.exec(SCHEMA);
    const insert = database.prepare(INSERT);
    database.transaction(() => {
      for (const { url, author, content, created, published, site = '', gravatar = '' } of comments) {
        insert.run(url, created, created, published, author, site, gravatar, content);
      }
    })();
  } finally {
    database.close();
  }
}
