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
  const lists = Object.entries(comments);
  const known = lists.map(([key, list]) => [key, bakedComments(textsOf(list)).known]);
  return filesOf(
    Object.fromEntries(lists.map(([key, list]) => [key, baked(list)])),
    Object.fromEntries(known),
  );
}

/**
 * @param {Record<string, Baked[]>} comments key → what the hook should never write
 * @param {Record<string, string>} [known] key → by which the script knows them
 * @returns {Record<string, string>} path → text
 */
export function filesOf(comments, known = {}) {
  const entries = Object.entries(comments);
  const counts = Object.fromEntries(entries.map(([key, list]) => [key, list.length]));
  return {
    'data/stacosys/counts.json': JSON.stringify(counts),
    ...Object.fromEntries(entries.map(([key, list]) => [fileOf(key), textOf(list, known[key])])),
  };
}

/** @param {string} key */
export function fileOf(key) {
  return `${FOLDER}/${createHash('sha256').update(key).digest('hex')}.json`;
}

/**
 * @param {Baked[]} comments
 * @param {string} [known]
 */
function textOf(comments, known = '') {
  return `{"source":"00","known":${JSON.stringify(known)},"comments":[\n${comments.map((comment) => JSON.stringify(comment)).join(',\n')}\n]}\n`;
}

/**
 * @param {Answered[]} comments of one key, ascending by date
 * @returns {Baked[]}
 */
export function baked(comments) {
  return bakedComments(textsOf(comments)).comments.map((comment) => ({ ...comment }));
}

/** @param {Answered[]} comments */
function textsOf(comments) {
  return comments.map(({ author, content, date, site, avatar }) =>
    Buffer.from(JSON.stringify([date, author, site, avatar, content].map((value) => String(value ?? '')))),
  );
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
