/*
 * What was measured, as tables, charts and targets.
 */
import { amount, spread } from '../table.js';

/**
 * @typedef {import('../part.js').Chart} Chart
 * @typedef {import('../part.js').Table} Table
 * @typedef {import('../part.js').Target} Target
 * @typedef {import('./load.js').Transfer} Transfer
 * @typedef {import('./load.js').Kind} Kind
 * @typedef {import('./open-blog.js').PageName} PageName
 *
 * @typedef {object} Row a page of a contender
 * @property {string} name
 * @property {boolean} [ours]
 * @property {boolean} [isFloor]
 * @property {Transfer[]} transfers
 * @property {number[]} times milliseconds, one a round; none where it was not timed
 *
 * @typedef {Record<Kind, number> & {requests: number, bytes: number}} Tally
 */

/** @type {Kind[]} */
const KINDS = ['html', 'script', 'style', 'other'];

/**
 * @param {Transfer[]} transfers
 * @returns {Tally} bytes over the wire, by kind and together
 */
export function tally(transfers) {
  const tally = { requests: transfers.length, bytes: 0, html: 0, script: 0, style: 0, other: 0 };
  for (const { kind, bytes } of transfers) {
    tally[kind] += bytes;
    tally.bytes += bytes;
  }
  return tally;
}

/**
 * @param {string} caption
 * @param {string} visible what is
 * @param {Row[]} rows with the floor among them
 * @returns {Table}
 */
export function tableOf(caption, visible, rows) {
  const floor = rows.find(({ isFloor }) => isFloor);
  return {
    caption,
    columns: [
      '',
      'requests',
      'HTML',
      'script',
      'style',
      'other',
      'all',
      `${visible} visible`,
      '÷ no comments',
    ],
    rows: rows.map(({ name, transfers, times }) => {
      const { requests, bytes, ...kinds } = tally(transfers);
      const sizes = [...KINDS.map((kind) => kinds[kind]), bytes].map((size) => `${amount(size)} B`);
      const ratios = paired(times, floor?.times ?? []);
      return [name, String(requests), ...sizes, ...(times.length > 0 ? speeds(times, ratios) : ['–', '–'])];
    }),
  };
}

/**
 * @param {number[]} times
 * @param {number[]} ratios
 */
function speeds(times, ratios) {
  const seconds = times.map((milliseconds) => milliseconds / 1000);
  return [spread(seconds, 's', 2), spread(ratios, '×', 2)];
}

/**
 * @param {number[]} ours
 * @param {number[]} theirs of the same rounds
 */
export function paired(ours, theirs) {
  return ours.map((value, round) => value / (theirs[round] ?? NaN));
}

/**
 * @param {Row[]} lists
 * @param {Row[]} articles
 * @returns {Chart[]}
 */
export function chartsOf(lists, articles) {
  const points = (/** @type {Row[]} */ rows, /** @type {(row: Row) => number[]} */ values) =>
    rows.map((row) => ({ label: row.name, values: values(row), ours: row.ours ?? false }));
  const seconds = (/** @type {Row} */ { times }) => times.map((milliseconds) => milliseconds / 1000);
  const timed = (/** @type {Row[]} */ rows) => rows.filter(({ times }) => times.length > 0);
  /** @type {Pick<Chart, 'shape' | 'scale' | 'better'>} */
  const bars = { shape: 'bars', scale: 'linear', better: 'less' };
  return [
    {
      ...bars,
      name: 'article-bytes',
      title: 'An article with 12 comments: bytes over the wire',
      points: points(articles, ({ transfers }) => [tally(transfers).bytes]),
    },
    {
      ...bars,
      name: 'list-visible',
      title: 'Ten counts visible on a slow phone, seconds',
      points: points(timed(lists), seconds),
    },
    {
      ...bars,
      name: 'article-visible',
      title: '12 comments visible on a slow phone, seconds',
      points: points(timed(articles), seconds),
    },
  ];
}

/**
 * @param {Row[]} lists the floor first, then ours
 * @param {Row[]} articles the floor first, then ours: live, baked
 * @returns {Target[]}
 */
export function targetsOf(lists, articles) {
  const [floor, list] = /** @type {[Row, Row]} */ (lists);
  const [, live, baked, ...others] = /** @type {[Row, Row, Row, ...Row[]]} */ (articles);
  const more = (/** @type {keyof Tally} */ what) => [
    tally(list.transfers)[what] - tally(floor.transfers)[what],
  ];
  const fastest = live.times.map((_, round) =>
    Math.min(...others.map(({ times }) => times[round] ?? Infinity)),
  );
  return [
    { what: 'requests for ten counts on a list page', values: more('requests'), unit: '', most: 0 },
    { what: 'script for ten counts on a list page', values: more('script'), unit: 'B', most: 0 },
    { what: 'HTML of ten counts, compressed', values: more('html'), unit: 'B', most: 100 },
    { what: 'script of an article, live, brotli', values: [scriptOf(live)], unit: 'B', most: 2400 },
    { what: 'script of an article, baked, brotli', values: [scriptOf(baked)], unit: 'B', most: 1500 },
    { what: 'requests for baked comments', values: [dataRequests(baked)], unit: '', most: 0 },
    {
      what: 'counts visible ÷ the list page without',
      values: paired(list.times, floor.times),
      unit: '×',
      most: 1.05,
    },
    {
      what: 'live comments visible ÷ the fastest other',
      values: paired(live.times, fastest),
      unit: '×',
      most: 1,
    },
  ];
}

/** @param {Row} row */
function scriptOf({ transfers }) {
  return transfers.filter(({ kind }) => kind === 'script').reduce((sum, { body }) => sum + body, 0);
}

/** @param {Row} row */
function dataRequests({ transfers }) {
  return transfers.filter(({ kind }) => kind === 'other').length;
}
