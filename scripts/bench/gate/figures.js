/*
 * What npm run bench:gate looks at. None of it depends on the machine; limits.json has the limit of each.
 */

/**
 * @typedef {object} Figure
 * @property {string} name in limits.json
 * @property {string} what
 * @property {string} unit '' for a mere number
 * @property {string} where its limit stands
 * @property {number} [budget] that it has anyway; limits.json may be stricter
 */

import { SCRIPTS } from '../../bundle.js';

const LIMITS = 'scripts/bench/gate/limits.json';

/** @type {[name: string, what: string, unit?: string][]} */
const ROWS = [
  ['count-brotli', 'a count in a list, brotli', 'B'],
  ['count-minified', 'a count in a list, minified HTML', 'B'],
  ['section-brotli', 'the live section of an article, brotli', 'B'],
  ['baked-comment-brotli', 'a baked comment of 300 letters, brotli', 'B'],
  ['list-requests', 'requests of a list page beyond itself'],
  ['live-requests', 'requests of an article, live comments'],
  ['live-api-requests', '… of them to the API'],
  ['baked-requests', 'requests of an article, baked comments'],
  ['baked-api-requests', '… of them to the API, read to the end'],
  ['partials-per-count', 'calls of our partials for each count'],
  ['partials-run-for-counts', 'partials run once for all counts'],
  ['partials-per-section', 'partials run for each live section'],
  ['partials-per-baked-section', 'partials run for each baked section'],
  ['bake-statements', 'SQL statements of a bake'],
  ['bake-scans', '… passes over the table of comments'],
  ['bake-modules', '… files of JavaScript it loads'],
  ['bake-unchanged-files', 'files written by a bake of nothing new'],
  ['bake-comments-statements', 'SQL statements of bake --comments'],
  ['bake-comments-scans', '… passes over the table of comments'],
  ['bake-comments-modules', '… files of JavaScript it loads'],
  ['bake-one-more-files', 'files written after one new comment'],
];

/** @type {Figure[]} */
export const FIGURES = [
  ...SCRIPTS.map(({ name, what, budget }) => ({
    name: `script-${name}`,
    what: `script: ${what}`,
    unit: 'B',
    where: `${LIMITS} or scripts/bundle.js`,
    budget,
  })),
  ...ROWS.map(([name, what, unit = '']) => ({ name, what, unit, where: LIMITS })),
];
