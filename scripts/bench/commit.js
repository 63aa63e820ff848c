import Database from 'better-sqlite3';

/** The page of a generated site that gets a comment. */
export const CHANGED = '/posts/article-0/';

/**
 * Publishes a comment as Stacosys does.
 *
 * @param {string} file the database
 * @returns {{count: number, at: number}} how many comments CHANGED has now, and since when (performance.now())
 */
export function commit(file) {
  const database = new Database(file);
  try {
    database
      .prepare(
        `INSERT INTO comment (url, created, published, author_name, author_site, content)
         VALUES (?, datetime(), datetime(), 'Bob', '', 'New')`,
      )
      .run(CHANGED);
    const at = performance.now();
    const count = database.prepare('SELECT count(*) FROM comment WHERE url = ?').pluck().get(CHANGED);
    return { count: Number(count), at };
  } finally {
    database.close();
  }
}
