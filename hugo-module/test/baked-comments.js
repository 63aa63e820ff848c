/*
 * Shared set-up of the tests of what the comments feed: the files that the hook writes where comments are
 * baked, without a database. It holds no test itself.
 */
import { bake, toJson } from '../../stacosys-hook/src/bake.js';
import { bakeComments } from '../../stacosys-hook/src/bake-comments.js';
import { collectComments } from '../../stacosys-hook/src/collect-comments.js';
import { rows } from '../../stacosys-hook/test/rows.js';

/**
 * @typedef {object} Comment a published one
 * @property {string} url
 * @property {string} author
 * @property {string} [site]
 * @property {string} [gravatar]
 * @property {string} content
 * @property {string} date "2026-11-20 15:51:42", or ""
 */

/**
 * @param {Comment[]} comments
 * @returns {Record<string, string>} path in a Hugo site → text
 */
export function bakedFiles(comments) {
  const { collected } = collectComments(readOf(comments));
  const { comments: files, recent, activity } = bakeComments(collected);
  const resources = [...(files?.sources ?? [])].map(([name, source]) => [
    `assets/stacosys/comments/${name}`,
    `{"source":"${source}",${files?.body?.(name)}`,
  ]);
  return {
    ...countFiles(comments),
    ...Object.fromEntries(resources),
    'data/stacosys/recent.json': String(recent),
    'data/stacosys/activity.json': String(activity),
  };
}

/**
 * @param {Comment[]} comments
 * @returns {import('../../stacosys-hook/src/source.js').Read} what a source would hand over
 */
function readOf(comments) {
  const lines = comments.map(({ url, date, author, site = '', gravatar = '', content }) => {
    return `1${JSON.stringify(url)}\t${JSON.stringify([date, author, site, gravatar, content])}\n`;
  });
  const chunks = [Buffer.from(lines.join(''))];
  return { chunks, comments: comments.length, pending: 0, lockMilliseconds: 0 };
}

/**
 * @param {import('../../scripts/stacosys-database.js').Comment[]} comments as a database holds them
 * @returns {Comment[]}
 */
export function publishedOf(comments) {
  return comments.flatMap(({ published: date, ...comment }) => (date ? [{ ...comment, date }] : []));
}

/**
 * @param {Comment[]} comments
 * @returns {Record<string, string>} the files of a site that bakes nothing but counts
 */
export function countFiles(comments) {
  const { counts, spellings, forms } = bake(rows(comments.map(({ url }) => [url, 1])));
  return {
    'data/stacosys/counts.json': counts.toString(),
    'data/stacosys/spellings.json': toJson(spellings),
    'data/stacosys/forms.json': toJson(forms),
  };
}
