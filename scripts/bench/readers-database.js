import Database from 'better-sqlite3';
import { writeDatabase } from '../stacosys-database.js';

const CONTENT = 'I tried the same, and it works as described. Well said. '.repeat(5);
const CREATED = '2024-01-02 12:00:00';
const LEAST = 5;
const KINDS = 16; // of numbers of comments
const STEP = 7; // so that the ten articles of a list have ten different numbers
const PENDING_EVERY = 50;

/**
 * @param {number} article
 * @returns {number} its published comments: 5 to 20
 */
export function commentsOn(article) {
  return LEAST + ((article * STEP) % KINDS);
}

/** @param {number} article */
export function pathOf(article) {
  return `/posts/article-${article}/`;
}

/**
 * Writes a database of Stacosys, and an index on what a count asks for. Stacosys itself has none and reads the
 * whole table for each count; whoever builds a server for speed would add it.
 *
 * @param {string} file
 * @param {number} articles
 */
export function writeReadersDatabase(file, articles) {
  writeDatabase(file, comments(articles));
  const database = new Database(file);
  try {
    database.exec('CREATE INDEX comment_url ON comment (url, published); ANALYZE');
  } finally {
    database.close();
  }
}

/**
 * In turns, so that the comments of an article lie all over the file, as they do where readers come and go.
 *
 * @param {number} articles
 * @returns {Generator<import('../stacosys-database.js').Comment>}
 */
function* comments(articles) {
  for (let comment = 0; comment < LEAST + KINDS; comment += 1) {
    for (let article = 0; article < articles; article += 1) {
      const text = { url: pathOf(article), author: 'Alice', content: CONTENT, created: CREATED };
      if (comment < commentsOn(article)) yield { ...text, published: CREATED };
      else if (article % PENDING_EVERY === 0) yield { ...text, published: null };
    }
  }
}

/**
 * @typedef {object} CountTime
 * @property {number} indexed microseconds of one count
 * @property {number} scanned without the index, as in Stacosys
 */

/**
 * @param {string} file
 * @returns {CountTime}
 */
export function timeCounts(file) {
  const database = new Database(file, { readonly: true });
  try {
    const time = (/** @type {string} */ table, /** @type {number} */ times) => {
      const query = database.prepare(`SELECT count(*) FROM ${table} WHERE url = ? AND published IS NOT NULL`);
      query.get(pathOf(0));
      const started = performance.now();
      for (let article = 0; article < times; article += 1) query.get(pathOf(article));
      return ((performance.now() - started) * 1000) / times;
    };
    return { indexed: time('comment', 500), scanned: time('comment NOT INDEXED', 50) };
  } finally {
    database.close();
  }
}
