import Database from 'better-sqlite3';

/**
 * @typedef {object} Pending
 * @property {number} id
 * @property {string} url
 * @property {string} author
 * @property {string} site of the author; may be empty
 * @property {string} content
 * @property {string} created
 *
 * @typedef {object} Published as the API gives it; in this order, because Flask sorts by name
 * @property {string} author
 * @property {string | null} avatar
 * @property {string} content
 * @property {string} date
 * @property {string} site
 */

/** Local time without a zone, as Stacosys writes it. */
const NOW = "datetime('now', 'localtime')";

// `notified` stays empty: nobody gets a mail.
const STATEMENTS = {
  add: `INSERT INTO comment (url, created, author_name, author_site, author_gravatar, content)
    VALUES (:url, ${NOW}, :author, :site, :gravatar, :content)`,
  published: `SELECT author_name AS author, author_gravatar AS avatar, content, published AS date,
      author_site AS site
    FROM comment WHERE url = ? AND published IS NOT NULL ORDER BY published, id`,
  count: 'SELECT count(*) FROM comment WHERE url = ? AND published IS NOT NULL',
  total: 'SELECT count(*) FROM comment WHERE published IS NOT NULL',
  pending: `SELECT id, url, author_name AS author, author_site AS site, content, created
    FROM comment WHERE published IS NULL ORDER BY created, id`,
  publish: `UPDATE comment SET published = ${NOW} WHERE id = ? AND published IS NULL`,
  reject: 'DELETE FROM comment WHERE id = ? AND published IS NULL',
};

/** The comments of a database of Stacosys 3.4, to read and to write: for development only. */
export class CommentTable {
  #database;
  #statements;

  /** @param {string} file must exist, with the table in it */
  constructor(file) {
    this.#database = new Database(file, { fileMustExist: true });
    try {
      const prepare = (/** @type {keyof STATEMENTS} */ name) => this.#database.prepare(STATEMENTS[name]);
      this.#statements = {
        add: prepare('add'),
        published: prepare('published'),
        count: prepare('count').pluck(),
        total: prepare('total').pluck(),
        pending: prepare('pending'),
        publish: prepare('publish'),
        reject: prepare('reject'),
      };
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** @param {import('./comment-form.js').NewComment} comment waits for its moderation from now on */
  add(comment) {
    this.#statements.add.run(comment);
  }

  /** @param {string} url compared byte for byte */
  published(url) {
    return /** @type {Published[]} */ (this.#statements.published.all(url));
  }

  /** @param {string} url '' counts those of all pages */
  count(url) {
    const { count, total } = this.#statements;
    return /** @type {number} */ (url === '' ? total.get() : count.get(url));
  }

  pending() {
    return /** @type {Pending[]} */ (this.#statements.pending.all());
  }

  /**
   * @param {number} id
   * @returns {boolean} whether it was pending
   */
  publish(id) {
    return this.#statements.publish.run(id).changes === 1;
  }

  /**
   * @param {number} id
   * @returns {boolean} whether it was pending; now it is gone for good
   */
  reject(id) {
    return this.#statements.reject.run(id).changes === 1;
  }

  close() {
    this.#database.close();
  }
}
