/*
 * Shared set-up of the tests of what the comments feed: the files that the hook writes where comments are
 * baked, made by hand. It holds no test itself.
 */
import { createHash } from 'node:crypto';
import { bake, toJson } from '../../stacosys-hook/src/bake.js';
import { canonicalKey } from '../../stacosys-hook/src/key.js';
import { rows } from '../../stacosys-hook/test/rows.js';

/**
 * @typedef {object} Comment a published one
 * @property {string} url
 * @property {string} author
 * @property {string} [site]
 * @property {string} content
 * @property {string} [html] what the content was rendered to; else it is one paragraph of text
 * @property {string} date "2026-11-20 15:51:42", or ""
 */

/**
 * @param {Comment[]} comments
 * @returns {Record<string, string>} path in a Hugo site → text
 */
export function bakedFiles(comments) {
  const sorted = comments.toSorted((a, b) => compare(a.date, b.date));
  const named = sorted.filter(({ url }) => canonicalKey(url) !== null);
  const byKey = Object.groupBy(named, ({ url }) => String(canonicalKey(url)));
  const articles = Object.fromEntries(
    Object.entries(byKey).map(([key, list = []]) => [key, list.map(bakedComment)]),
  );
  return {
    ...countFiles(comments),
    ...Object.fromEntries(Object.entries(articles).map(([key, list]) => [resourceOf(key), resource(list)])),
    'data/stacosys/recent.json': JSON.stringify({ comments: recent(articles) }),
    'data/stacosys/activity.json': JSON.stringify(activity(articles)),
  };
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

/** @param {string} key */
function resourceOf(key) {
  return `assets/stacosys/comments/${createHash('sha256').update(key).digest('hex')}.json`;
}

/** @param {Baked[]} comments */
function resource(comments) {
  return JSON.stringify({ source: '0', comments });
}

/**
 * @typedef {ReturnType<typeof bakedComment>} Baked
 *
 * @param {Comment} comment
 */
function bakedComment({ author, site, content, html = paragraph(content), date }) {
  const id = `comment-${date.replace(/\D/g, '')}`;
  const optional = site ? { site } : {};
  return { id, date, author, initial: author.slice(0, 1), words: '0', html, text: content, ...optional };
}

/** @param {Record<string, Baked[]>} articles */
function recent(articles) {
  return Object.entries(articles)
    .flatMap(([key, list]) =>
      list.map((comment) => ({ key, ...comment, excerpt: comment.text.slice(0, 160) })),
    )
    .sort((a, b) => compare(b.date, a.date))
    .slice(0, 100);
}

/** @param {Record<string, Baked[]>} articles */
function activity(articles) {
  return Object.fromEntries(
    Object.entries(articles).map(([key, list]) => {
      const days = Object.groupBy(list, ({ date }) => date.slice(0, 10));
      const counts = Object.entries(days).map(([day, all = []]) => [day, all.length]);
      return [key, { newest: list.at(-1)?.date, days: Object.fromEntries(counts) }];
    }),
  );
}

/** @param {string} text */
function paragraph(text) {
  return `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</p>\n`;
}

/**
 * @param {string} a
 * @param {string} b
 */
function compare(a, b) {
  return a < b ? -1 : Number(a > b);
}
