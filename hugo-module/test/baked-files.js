/*
 * What `stacosys-hook bake --comments` writes into a site, for comments as the API answers them, or what it
 * should never write. It holds no test itself.
 */
import { createHash } from 'node:crypto';
import { bakedComments } from '../../stacosys-hook/src/baked-comments.js';

/**
 * @typedef {object} Answered a comment as the API answers it
 * @property {unknown} author
 * @property {unknown} content
 * @property {unknown} date
 * @property {unknown} [site]
 * @property {unknown} [avatar]
 *
 * @typedef {Record<string, unknown>} Baked a comment as the hook writes it
 */

/** Where the page looks for the comments of a key. */
export const FOLDER = 'assets/stacosys/comments';

/**
 * @param {Record<string, Answered[]>} comments key → its comments, ascending by date
 * @returns {Record<string, string>} path → text
 */
export function bakedFiles(comments) {
  return filesOf(Object.fromEntries(Object.entries(comments).map(([key, list]) => [key, baked(list)])));
}

/**
 * @param {Record<string, Baked[]>} comments key → what the hook should never write
 * @returns {Record<string, string>} path → text
 */
export function filesOf(comments) {
  const entries = Object.entries(comments);
  const counts = Object.fromEntries(entries.map(([key, list]) => [key, list.length]));
  return {
    'data/stacosys/counts.json': JSON.stringify(counts),
    ...Object.fromEntries(entries.map(([key, list]) => [fileOf(key), textOf(list)])),
  };
}

/** @param {string} key */
export function fileOf(key) {
  return `${FOLDER}/${createHash('sha256').update(key).digest('hex')}.json`;
}

/** @param {Baked[]} comments */
export function textOf(comments) {
  return `{"source":"00","comments":[\n${comments.map((comment) => JSON.stringify(comment)).join(',\n')}\n]}\n`;
}

/**
 * @param {Answered[]} comments of one key, ascending by date
 * @returns {Baked[]}
 */
export function baked(comments) {
  const texts = comments.map(({ author, content, date, site, avatar }) =>
    Buffer.from(JSON.stringify([date, author, site, avatar, content].map((value) => String(value ?? '')))),
  );
  return bakedComments(texts).map((comment) => ({ ...comment }));
}

/**
 * @param {string} text author and content
 * @returns {string} by which the script knows a comment again
 */
export function wordsOf(text) {
  let hash = 0;
  for (const character of text.replace(/\s/g, '')) {
    hash = (Math.imul(hash, 31) + Number(character.codePointAt(0))) | 0;
  }
  return (hash >>> 0).toString(36);
}
