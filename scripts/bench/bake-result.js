import { median } from './statistics.js';
import { amount, spread } from './table.js';

/**
 * @typedef {import('./bake.js').Measured} Measured
 * @typedef {import('./bake.js').Inspected} Inspected
 * @typedef {import('./part.js').Chart} Chart
 * @typedef {import('./part.js').Target} Target
 */

/** What the CLI runs, and what a bake has to answer. */
export const QUERY = 'SELECT url, count(*) FROM comment WHERE published IS NOT NULL GROUP BY url';

const CONTENDERS = { bake: 'stacosys-hook bake', cli: 'sqlite3 CLI' };

const ABOUT = `Whole processes, warm cache, taking turns; the CLI runs \`${QUERY}\`, and its output is thrown away.
\`bake\` also brings the forms of an address together and finds no data file, so it writes one, which is compared
with the sum of SQLite itself. Ratios and differences are of the same round. Memory and the time of the read lock
come from runs whose time does not count, and which are slower for being watched; who reads holds off who writes: Stacosys waits for 5 s, and then
loses a comment. The largest size is measured once, without a warm-up, and is that of before ten times, with
articles of its own.`;

/**
 * @param {Measured[]} measured
 * @param {string[]} skipped
 * @returns {import('./part.js').Result}
 */
export function bakeResult(measured, skipped) {
  return {
    about: ABOUT,
    versions: {},
    tables: [
      {
        caption: 'Time',
        columns: ['comments', 'articles', 'rounds', 'bake', 'sqlite3 CLI', 'bare Node', 'bake ÷ CLI'],
        rows: measured.map(timeRow),
      },
      {
        caption: 'Memory and read lock',
        columns: ['comments', 'memory of bake', 'memory of the CLI', 'lock of bake', 'lock of the CLI'],
        rows: measured.map(costRow),
      },
    ],
    charts: [
      chart('time', 'Time of a bake, seconds', measured, ({ times }, name) => times[name].map(inSeconds)),
      chart('memory', 'Peak memory of a bake, MiB', measured, ({ inspected }, name) =>
        inspected[name].map(mebibytes).filter(Number.isFinite),
      ),
      chart('lock', 'Read lock of a bake, milliseconds', measured, ({ inspected }, name) =>
        inspected[name].map(({ lock }) => lock),
      ),
    ],
    targets: measured.flatMap(targetsOf),
    skipped,
  };
}

const WHY = `the query is faster than the CLI's (see the lock); what is left are better-sqlite3 and our 34 small modules, which take the same time whatever the number
of comments: of what a bake adds, a third each to load the two, the rest to write and to make keys. It follows the machine, 0.7 to 1 times what bare Node takes to start there (see the
table): the limit wants one that starts Node in 22 ms. Brought: one text of all lines from
SQLite instead of an object each (a third of the time), less of \`node:fs\` (5 ms), what Node compiled kept for the next time (4 ms), a clock without \`node:perf_hooks\` (2.6 ms).
All modules in one file would bring 1.6 ms, and a build step. Brought nothing: counting in JavaScript, \`mmap\`, threads, flags of V8 (no optimizing, other young generations, fewer
threads), ending by \`process.exit\`, other sizes of SQLite's cache.`;

/** @param {Measured} measured */
function timeRow({ size, times }) {
  return [
    amount(size.comments),
    amount(size.articles),
    String(size.rounds),
    time(times.bake),
    time(times.cli),
    time(times.node),
    spread(
      paired(times.bake, times.cli, (ours, theirs) => ours / theirs),
      '×',
      2,
    ),
  ];
}

/** @param {Measured} measured */
function costRow({ size, inspected: { bake, cli } }) {
  const memory = (/** @type {Inspected[]} */ runs) => {
    const known = runs.map(mebibytes).filter(Number.isFinite);
    return known.length > 0 ? spread(known, 'MiB', 1) : 'not told';
  };
  const lock = (/** @type {Inspected[]} */ runs) => time(runs.map(({ lock }) => lock));
  return [amount(size.comments), memory(bake), memory(cli), lock(bake), lock(cli)];
}

/**
 * @param {string} name
 * @param {string} title
 * @param {Measured[]} measured
 * @param {(measured: Measured, contender: keyof typeof CONTENDERS) => number[]} values
 * @returns {Chart}
 */
function chart(name, title, measured, values) {
  const contenders = /** @type {(keyof typeof CONTENDERS)[]} */ (Object.keys(CONTENDERS));
  const points = contenders.flatMap((contender) =>
    measured.map((of) => ({
      label: CONTENDERS[contender],
      x: of.size.comments,
      values: values(of, contender),
      ours: contender === 'bake',
    })),
  );
  return {
    name,
    title,
    shape: 'lines',
    x: 'comments',
    scale: 'log',
    better: 'less',
    points: points.filter(({ values }) => values.length > 0),
  };
}

/**
 * At 10,000 comments a process hardly does anything but start: what bake adds to the two that it
 * cannot do without is what can be asked of it.
 *
 * @param {Measured} measured
 * @returns {Target[]}
 */
function targetsOf({ size: { comments }, times: { bake, cli, node }, inspected }) {
  const ratios = paired(bake, cli, (ours, theirs) => ours / theirs);
  const added = paired(bake, cli, (ours, theirs) => ours - theirs).map(
    (difference, round) => difference - (node[round] ?? NaN),
  );
  const of = `of ${amount(comments)} comments`;
  if (comments === 10_000) {
    return [{ what: `bake − (Node + CLI), ${of}`, values: added, unit: 'ms', most: 20, why: WHY }];
  }
  if (comments === 100_000) {
    return [{ what: `bake ÷ CLI, ${of}`, values: ratios, unit: '×', most: 1.6, why: WHY }];
  }
  if (comments !== 1_000_000) return [];
  return [
    { what: `bake ÷ CLI, ${of}`, values: ratios, unit: '×', most: 1.15 },
    { what: `peak memory, ${of}`, values: inspected.bake.map(mebibytes), unit: 'MiB', most: 80 },
  ];
}

/**
 * @param {number[]} ours
 * @param {number[]} theirs of the same rounds
 * @param {(ours: number, theirs: number) => number} compare
 */
function paired(ours, theirs, compare) {
  return ours.map((value, round) => compare(value, theirs[round] ?? NaN));
}

/**
 * @param {number[]} milliseconds
 * @returns {string}
 */
function time(milliseconds) {
  return median(milliseconds) >= 1000
    ? spread(milliseconds.map(inSeconds), 's', 2)
    : spread(milliseconds, 'ms', 1);
}

/** @param {number} milliseconds */
function inSeconds(milliseconds) {
  return milliseconds / 1000;
}

/** @param {Inspected} run */
function mebibytes({ peakBytes }) {
  return peakBytes / 2 ** 20;
}
