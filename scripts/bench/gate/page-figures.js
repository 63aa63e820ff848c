import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCRIPTS, bundle, sizesOf } from '../../bundle.js';
import { ARTICLES, COMMENTS_OF_FIRST } from './gate-site.js';
import { templateCalls } from './template-calls.js';

/** @typedef {Record<import('./gate-site.js').Kind, import('./gate-site.js').Built>} Site */

const LIST = join('posts', 'index.html');
const FIRST = join('posts', 'article-0', 'index.html');
const SECOND = join('posts', 'article-1', 'index.html');
const COUNTS_OF_LIST = 20;

/**
 * What a page weighs: bytes of the minified HTML, brotli where nothing else is said.
 *
 * @param {Site} site
 * @returns {Record<string, number>}
 */
export function byteFigures({ bare, counts, comments, baked }) {
  const inList = (/** @type {'minified' | 'brotli'} */ form) =>
    (sizes(counts, LIST)[form] - sizes(bare, LIST)[form]) / COUNTS_OF_LIST;
  const perComment = (sizes(baked, FIRST).brotli - sizes(baked, SECOND).brotli) / (COMMENTS_OF_FIRST - 1);
  return {
    'count-brotli': inList('brotli'),
    'count-minified': inList('minified'),
    'section-brotli': sizes(comments, SECOND).brotli - sizes(counts, SECOND).brotli,
    'baked-comment-brotli': perComment,
  };
}

/**
 * @param {import('./gate-site.js').Built} built
 * @param {string} page
 */
function sizes({ output }, page) {
  return sizesOf(readFileSync(join(output, page)));
}

/**
 * How much work our templates are for Hugo.
 *
 * @param {Site} site
 * @returns {Record<string, number>}
 */
export function templateFigures({ counts, comments, baked }) {
  const list = templateCalls(counts.log);
  const shown = list.find(({ name }) => name === 'count.html')?.run ?? 0;
  if (shown < ARTICLES) throw new Error(`count.html ran ${shown} times for ${ARTICLES} articles`);
  const many = list.filter(({ total }) => total >= shown);
  const sum = (/** @type {import('./template-calls.js').Calls[]} */ calls) =>
    calls.reduce((total, { run }) => total + run, 0);
  const perArticle = (/** @type {import('./gate-site.js').Built} */ { log }) =>
    (sum(templateCalls(log)) - sum(list)) / ARTICLES;
  return {
    'partials-per-count': many.reduce((total, call) => total + call.total, 0) / shown,
    'partials-run-for-counts': sum(list) - shown,
    'partials-per-section': perArticle(comments),
    'partials-per-baked-section': perArticle(baked),
  };
}

/** @returns {Promise<Record<string, number>>} bytes, brotli, of the scripts of an article page */
export async function scriptFigures() {
  const weighed = SCRIPTS.map(async ({ name, entry }) => [
    `script-${name}`,
    sizesOf((await bundle(entry)).code).brotli,
  ]);
  return Object.fromEntries(await Promise.all(weighed));
}
