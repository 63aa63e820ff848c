import { median, pairedMedian } from './statistics.js';
import { amount, spread } from './table.js';

/**
 * @typedef {import('./rebuild-rounds.js').Rounds} Rounds
 * @typedef {import('./poller-process.js').Polled} Polled
 * @typedef {import('./part.js').Chart} Chart
 * @typedef {import('./part.js').Target} Target
 * @typedef {import('./watch-process.js').Stages} Stages
 */

const ABOUT = `Watch: from the end of the COMMIT until a client that asks every 3 ms gets the new count. Hugo alone:
\`hugo --minify\`, the whole process, with the same data; in place: into the \`public/\` of the run before, as a
blog does it today; fresh: into a new folder, as \`watch\` has to. In turns, each of them when the disk has written
what the others left. The poller looks at the database once a minute, and on a change runs \`hugo --minify\` in
place; the comments come at moments spread evenly over its minute. While it waits, the rounds of the others run; when
it looks, it has the machine for itself. It is kinder than the blog that it stands for: it asks no API, no count is
fetched while Hugo builds, and the site stays online.`;

const MEDIAN_LIMIT = 150; // milliseconds above bare hugo
const SLOWEST_LIMIT = 1200;
const IDLE_LIMIT = 0.5; // percent of a core

/**
 * @param {Rounds[]} sizes from the smallest
 * @param {Polled[]} polled of a site as large as the second
 * @param {number[]} idle shares of a core that watch takes when nothing happens
 * @param {Record<string, string>} versions
 * @returns {import('./part.js').Result}
 */
export function rebuildResult(sizes, polled, idle, versions) {
  const poller = polled.map(({ milliseconds }) => milliseconds);
  const same = sizes.find(({ pages }) => pages === 1000);
  if (!same) throw new Error('The poller is compared at 1,000 articles');
  return {
    about: ABOUT,
    versions,
    tables: [
      {
        caption: 'From the commit of a comment to the page that counts it',
        columns: [
          'articles',
          'rounds',
          'watch',
          'Hugo alone, in place',
          'Hugo alone, fresh',
          'watch − in place',
        ],
        rows: sizes.map(timeRow),
      },
      { caption: 'Where the time of watch goes, medians', ...stageTable(sizes) },
      {
        caption: 'Once a minute, 1,000 articles',
        columns: ['', 'commit → visible', 'of a core, idle'],
        rows: [
          ['watch', seconds(same.ours), percent(idle)],
          ['a poller', seconds(poller), percent(polled.map((one) => one.idle))],
          ['poller ÷ watch, medians', `${(median(poller) / median(same.ours)).toFixed(0)} ×`, ''],
        ],
      },
    ],
    charts: [visibleChart(same, poller), growthChart(sizes)],
    targets: [...sizes.flatMap(targetsOf), idleTarget(idle)],
    skipped:
      polled.length > 1
        ? []
        : ['comments at other moments of the minute of the poller: its time tells little'],
  };
}

/** @param {Rounds} rounds */
function timeRow({ pages, ours, inPlace, fresh }) {
  const above = pairedMedian(ours, inPlace, (one, other) => one - other);
  const columns = [ours, inPlace, fresh].map(milliseconds);
  return [amount(pages), String(ours.length), ...columns, `${above.toFixed(0)} ms`];
}

/** @param {Rounds[]} sizes */
function stageTable(sizes) {
  const names = /** @type {(keyof Stages)[]} */ (Object.keys(sizes[0]?.stages[0] ?? {}));
  const rows = sizes.map(({ pages, stages }) => [
    amount(pages),
    ...names.map((name) => `${median(stages.map((stage) => stage[name])).toFixed(0)} ms`),
  ]);
  return { columns: ['articles', ...names], rows };
}

/**
 * @param {Rounds} rounds
 * @param {number[]} poller
 * @returns {Chart}
 */
function visibleChart({ ours, inPlace }, poller) {
  return {
    name: 'visible',
    title: 'From the commit of a comment to the page, 1,000 articles, seconds',
    shape: 'bars',
    scale: 'log',
    better: 'less',
    points: [
      { label: 'stacosys-hook watch', values: ours.map(inSeconds), ours: true },
      { label: 'hugo --minify alone', values: inPlace.map(inSeconds) },
      { label: 'a poller, once a minute', values: poller.map(inSeconds) },
    ],
  };
}

/**
 * @param {Rounds[]} sizes
 * @returns {Chart}
 */
function growthChart(sizes) {
  const line = (/** @type {string} */ label, /** @type {'ours' | 'inPlace' | 'fresh'} */ which) =>
    sizes.map((rounds) => ({
      label,
      x: rounds.pages,
      values: rounds[which].map(inSeconds),
      ours: which === 'ours',
    }));
  return {
    name: 'growth',
    title: 'From a commit to the page, seconds',
    shape: 'lines',
    x: 'articles',
    scale: 'log',
    better: 'less',
    points: [...line('watch', 'ours'), ...line('Hugo, in place', 'inPlace'), ...line('Hugo, fresh', 'fresh')],
  };
}

/**
 * @param {Rounds} rounds
 * @returns {Target[]}
 */
function targetsOf({ pages, ours, inPlace }) {
  const of = `${amount(pages)} articles`;
  const above = ours.map((time, round) => time - (inPlace[round] ?? NaN));
  const slowest = Math.max(...ours) - Math.max(...inPlace);
  return [
    { what: `watch − Hugo alone, ${of}`, values: above, unit: 'ms', most: MEDIAN_LIMIT },
    {
      what: `watch − Hugo alone, the slowest round of each, ${of}`,
      values: [slowest],
      unit: 'ms',
      most: SLOWEST_LIMIT,
    },
  ];
}

/**
 * @param {number[]} idle
 * @returns {Target}
 */
function idleTarget(idle) {
  const values = idle.map((share) => share * 100);
  return { what: 'watch, idle', values, unit: '% of a core', most: IDLE_LIMIT };
}

/** @param {number} milliseconds */
function inSeconds(milliseconds) {
  return milliseconds / 1000;
}

/** @param {number[]} values milliseconds */
function seconds(values) {
  return spread(values.map(inSeconds), 's', 2);
}

/** @param {number[]} values */
function milliseconds(values) {
  return spread(values, 'ms', 0);
}

/** @param {number[]} shares */
function percent(shares) {
  return spread(
    shares.map((share) => share * 100),
    '%',
    2,
  );
}
