import { readFileSync } from 'node:fs';

/**
 * A fast wrong answer is worth nothing.
 *
 * @param {string} file counts.json
 * @param {number} published comments that SQLite itself counts
 */
export function refuseWrongCounts(file, published) {
  /** @type {number[]} */
  const counts = Object.values(JSON.parse(readFileSync(file, 'utf8')));
  const ours = counts.reduce((sum, count) => sum + count, 0);
  if (ours !== published) throw new Error(`bake counts ${ours} comments, SQLite ${published}`);
}
