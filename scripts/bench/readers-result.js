import { spread } from './table.js';

/**
 * @typedef {import('./load/measure-load.js').Measured} Measured
 *
 * @typedef {object} Outcome
 * @property {Map<string, Measured[]>} results by name, one a round
 * @property {Map<string, string>} about how each runs, by name
 * @property {import('./readers-database.js').CountTime} counts
 * @property {{articles: number, rounds: number, seconds: number, connections: number,
 *   shared: import('./load/shares.js').Shares}} effort
 * @property {string[]} skipped
 * @property {Record<string, string>} versions
 * @property {{ours: string, bare: string, proxy: string}} names
 */

const OVER_PROXY = 25; // times
const OVER_BARE = 0.95;

const WHY = `it is the ratio of the CPU time of the servers, too (second table), and near the target: 19.7 × to 30.9 × in the rounds of one run. Nothing of ours is left
in the baked page: it is one request, of which nginx spends 60 % in the kernel and 18 % in TLS (\`perf\`), and for which wrk keeps its core as busy as nginx its own.
A cache of open files would save system calls, but go on to serve the old page after a publish. Cores of their own for wrk and for the servers brought 18 × to 24 ×,
a pause until all other servers rest 21 × to 25 ×.`;

const WHY_BARE = `both are one file from the same nginx, the baked one 60 bytes longer. On this machine five rounds of 3 s cannot tell 5 %: the rounds of one run lie up to a third apart, and the
medians of others were 0.97 ×, 1.01 ×, 1.02 × and, in short ones, 1.16 × and 1.35 ×.`;

/**
 * @param {Outcome} outcome
 * @returns {import('./part.js').Result}
 */
export function readersResult(outcome) {
  const { results, about, skipped, versions } = outcome;
  return {
    about: method(outcome),
    versions,
    tables: [speedTable(results), costTable(results, about)],
    charts: chartsOf(outcome),
    targets: targetsOf(outcome),
    skipped,
  };
}

/** @param {Map<string, Measured[]>} results */
function speedTable(results) {
  return {
    caption: 'Page views with ten counts: median (least to most of the rounds)',
    columns: ['', 'page views/s', 'mean', 'p50', 'p99', 'errors'],
    rows: [...results].map(([name, rounds]) => [
      name,
      spread(of(rounds, 'views'), '/s', 0),
      ...['mean', 'p50', 'p99'].map((key) => spread(of(rounds, /** @type {'mean'} */ (key)), 'ms', 1)),
      String(sum(of(rounds, 'errors'))),
    ]),
  };
}

/**
 * @param {Map<string, Measured[]>} results
 * @param {Map<string, string>} about
 */
function costTable(results, about) {
  return {
    caption: 'CPU time of all server processes, nginx included, and how many cores they and wrk kept busy',
    columns: ['', 'as', 'CPU s per 1,000 page views', 'cores: servers', 'cores: wrk'],
    rows: [...results].map(([name, rounds]) => [
      name,
      about.get(name) ?? '',
      spread(of(rounds, 'cpuPerThousand'), 's', 3),
      spread(of(rounds, 'serverCores'), '', 2),
      spread(of(rounds, 'wrkCores'), '', 2),
    ]),
  };
}

/**
 * @param {Outcome} outcome
 * @returns {import('./part.js').Chart[]}
 */
function chartsOf({ results, names }) {
  const bars = (/** @type {keyof Measured} */ key) =>
    [...results].map(([label, rounds]) => ({ label, values: of(rounds, key), ours: label === names.ours }));
  /** @type {Pick<import('./part.js').Chart, 'shape' | 'scale' | 'better'>} */
  const chart = { shape: 'bars', scale: 'log', better: 'less' };
  return [
    {
      ...chart,
      name: 'views',
      title: 'Page views with ten counts per second',
      better: 'more',
      points: bars('views'),
    },
    { ...chart, name: 'p99', title: '99 of 100 page views take at most (ms)', points: bars('p99') },
    {
      ...chart,
      name: 'cpu',
      title: 'CPU seconds of all servers per 1,000 page views',
      points: bars('cpuPerThousand'),
    },
  ];
}

/**
 * @param {Outcome} outcome
 * @returns {import('./part.js').Target[]}
 */
function targetsOf({ results, names }) {
  const ours = of(results.get(names.ours) ?? [], 'views');
  const over = (/** @type {string} */ name) =>
    of(results.get(name) ?? [], 'views').map((views, round) => (ours[round] ?? NaN) / views);
  const proxy = over(names.proxy);
  const errors = sum(of(results.get(names.ours) ?? [], 'errors'));
  return [
    // Without Go there is none to compare with, which `skipped` says
    ...(proxy.length > 0
      ? [
          {
            what: `${names.ours} ÷ ${names.proxy}, page views/s`,
            values: proxy,
            unit: '×',
            least: OVER_PROXY,
            why: WHY,
          },
        ]
      : []),
    {
      what: `${names.ours} ÷ ${names.bare}, page views/s`,
      values: over(names.bare),
      unit: '×',
      least: OVER_BARE,
      why: WHY_BARE,
    },
    { what: `errors of the ${names.ours}, all rounds`, values: [errors], unit: '', most: 0 },
  ];
}

/**
 * @param {Measured[]} rounds
 * @param {keyof Measured} key
 */
function of(rounds, key) {
  return rounds.map((measured) => measured[key]);
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/** @param {Outcome} outcome */
function method({ counts, effort: { articles, rounds, seconds, connections, shared } }) {
  return `${connections} readers at a time, each on one HTTPS connection, view a page that lists ten articles, and the next one as
soon as they have it whole: for the servers of counts that is the page and ten requests, for Isso the page and its one
request for all ten, for counts.json the page and that file, with the counts of all articles (a script that bakes nothing
could fetch it), for the baked page and the page without counts the page alone. ${rounds} rounds, the contenders in
turns, in an order that changes, each when the servers of all others have come to rest; a run takes ${seconds} s, or up to twice that where a reader would not have two turns. A run before them, which is not
counted, warms up. Ratios are of the same round.

- **In front of each** stands nginx with the [configuration of our kit](hugo-module/deploy/nginx.conf) (TLS, the page compressed beforehand,
  no cache of open files; HTTP/1.1, for wrk speaks no other, and no log) and one worker a core (${shared.servers}), with connections that last, also to the server of counts.
- **The load** comes from wrk on the same machine, ${isolated(shared)} A page view is
  one batch that wrk writes at once and of which it takes the time to the end of the last answer. That favours those who need
  ten requests: a browser must read the page first, and its
  requests come one by one, which costs nginx and the client more. wrk adds made-up
  latencies to its histogram for "coordinated omission", in a way that does not fit batches; they are taken out again. With static
  pages wrk is nearly as busy as nginx (second table): theirs is the least that nginx could serve.
- **With ${connections} readers who never pause** the servers are saturated: the latencies say how long the queue is, not how long one
  reader alone would wait. A view that is not over when its run ends is in no latency, which makes those of the slow servers too short (by as much
  as views per second times the mean fall short of the readers).
- **The database** is one of Stacosys with ${articles} articles of 5 to 20 comments, and an index on the url that Stacosys does not have: with it one count
  took ${counts.indexed.toFixed(0)} µs on this machine, without it ${counts.scanned.toFixed(0)} µs, ten times a page view. All servers of counts have the benefit, and a
  prepared statement. Isso has the same comments in its own database.
- **The servers** are small and honest, as their documentation advises for production (one worker of Sanic a core; four are there because the load test that this one
  repeats had them, and share the cores); their sources are in [scripts/bench/servers](scripts/bench/servers).
  All caches are warm; what the Go proxy asked, and nginx where it is the cache, is the Flask server.
- **Checked**: before each run the page and every count, against the database; in a run beside the measured ones every body under the same
  load; in the measured ones each status, and the bytes. Errors are those of wrk: connect, read, write, status, and views of more than 30 s.
- **CPU time** is that of nginx and of all processes behind it, of the kernel for them included, without wrk.
`;
}

/** @param {import('./load/shares.js').Shares} shared */
function isolated({ servers, load, onLoad }) {
  return onLoad.length === 0
    ? 'so it takes CPU time from the servers: the second table says how much.'
    : `which has cores of its own (${load}), as readers have machines of their own; all servers together have the others (${servers}).`;
}
