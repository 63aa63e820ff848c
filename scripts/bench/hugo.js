import { hugoVersion } from '../tools.js';
import { measureBuilds } from './hugo-builds.js';
import { withMemoryFolder } from './memory-folder.js';
import { amount, spread } from './table.js';

/**
 * @typedef {import('./hugo-builds.js').Build} Build
 * @typedef {import('./hugo-builds.js').Size} Size
 * @typedef {import('./watched-run.js').Run} Run
 *
 * @typedef {object} Measured
 * @property {Size} size
 * @property {Partial<Record<Build, Run[]>>} runs
 */

/** @type {Record<Build, string>} */
const NAMES = {
  bare: 'without counts',
  counts: 'baked counts',
  comments: 'baked counts and the section of comments',
  warm: 'GetRemote, fresh cache',
  stale: 'GetRemote, stale cache',
  cold: 'GetRemote, no cache',
};

/** @type {Record<'quick' | 'usual', Size[]>} */
const SIZES = {
  quick: [
    { pages: 1000, rounds: 3, remoteRounds: 1 },
    { pages: 5000, rounds: 3, remoteRounds: 1 },
  ],
  usual: [
    { pages: 1000, rounds: 5, remoteRounds: 5, warmUp: true },
    { pages: 10_000, rounds: 5, remoteRounds: 5 },
    { pages: 50_000, rounds: 5, remoteRounds: 5 },
  ],
};

/** For all sizes, unless everything is wanted: on a slow machine the largest one gets fewer rounds. */
const TIME = 420; // seconds

/** Below it a build is over so soon that most of it is the start of Hugo. */
const PAGES_OF_TARGETS = 5000;

const TIME_LIMIT = 1.05; // times the build without counts
const MEMORY_LIMIT = 1.1;

const WHY = `in memory nothing hides the work of Hugo's templates, in which each look and each call takes 0.5 to 3 µs, nearly all of it reflection
(\`hugo --profile-cpu\`). Taken apart on 2026-11-22, 20,000 of each in one page of one process: the call of a partial 2 µs, \`.RelPermalink\` 2, \`.Param\` 3, what was
prepared for all pages 4, the count 2, \`.Aliases\` 2, the address with its three escapers 3, the text 3, and twenty conditions and variables of 0.3 to 1: 32 µs together, 38 when the
machine was slower.
The least that prints a link with the count of a page, blind to hidden pages, aliases and other languages, takes 0.6 of that, and two of it a page would still be
above the limit. Brought: what all pages need in one piece, conditions that nest, \`hasSuffix\` for \`strings.HasSuffix\` (which is two calls), no comparison where a look will do.
Runs differ: two rounds of 50,000 pages gave 1.02 × in one and 1.28 × in another. On a disk, where blogs are built, the difference cannot be seen (0.99 ×, 0.92 to 1.12, in a run of
its own): what the builds before left to write costs more.`;

/** The site of the largest size, its output and its cache. */
const ROOM = { quick: 2 ** 29, usual: 2 ** 31 };

/** @type {import('./part.js').Part} */
export const hugo = {
  name: 'hugo',
  title: 'Hugo build',
  needs: ['hugo-latest'],
  seconds: (quick) => (quick ? 35 : TIME),
  run: (context) => {
    const extent = context.quick ? 'quick' : 'usual';
    const until = context.full ? Infinity : performance.now() + TIME * 1000;
    return withMemoryFolder({ bytes: ROOM[extent], fallback: context.folder }, async (folder, isInMemory) => {
      /** @type {Measured[]} */
      const measured = [];
      for (const size of SIZES[extent]) {
        const how = { ...context, folder: `${folder}/${size.pages}`, withComments: context.full, until };
        measured.push({ size, runs: await measureBuilds(size, how) });
      }
      return resultOf(measured, { hugo: context.hugo, isInMemory });
    });
  },
};

/**
 * @param {Measured[]} measured
 * @param {{hugo: string, isInMemory: boolean}} how
 * @returns {import('./part.js').Result}
 */
export function resultOf(measured, { hugo, isInMemory }) {
  const hasComments = measured.some(({ runs }) => runs.comments !== undefined);
  return {
    about: about(measured, isInMemory),
    versions: { Hugo: hugoVersion(hugo) ?? 'unknown' },
    tables: [tableOf(measured)],
    charts: [timeChart(measured), ratioChart(measured)],
    targets: measured.filter(({ size }) => size.pages >= PAGES_OF_TARGETS).flatMap(targetsOf),
    skipped: hasComments
      ? []
      : ['The same site with a section of comments in each article: with `--full`, it takes the longest.'],
  };
}

/**
 * @param {Measured[]} measured
 * @param {boolean} isInMemory
 */
function about(measured, isInMemory) {
  const rounds = measured.map(({ size: { pages }, runs: { bare = [], cold = [] } }) => {
    const less = cold.length === bare.length ? '' : `, ${cold.length} of them with GetRemote`;
    return `${amount(pages)} pages ${bare.length}${less}`;
  });
  const disk = isInMemory
    ? 'Site, output and cache lie in memory (`/dev/shm`): on a disk, a build also pays for what those before it left to write, several times its own work, and any difference drowns in that.'
    : 'Site, output and cache lie on the disk: there is too little room in memory, so times vary much.';
  return `The same generated blog (300 words an article, lists of 20) built by \`hugo --minify\` into an empty folder: whole processes, taking turns in an order that rotates. Rounds: ${rounds.join('; ')}. Ratios are of the same round.

Each article shows its count itself and in a list.

- **without counts**: the same templates without that line, and without the module.
- **baked counts**: \`stacosys/count.html\`, with the \`data/stacosys/counts.json\` that a bake wrote before.
- **GetRemote**: a template that asks an API for each count, written as Hugo's documentation advises (\`try\`, \`maxAge = "1h"\`), and in its favour: it asks once per article (through \`partialCached\`; the templates of Stacosys's own blog asked twice), and it asks a Node process on the same machine that answers from memory. A real Stacosys looks into its database for each answer, mails its administrator for each when comments wait, and may be a network away. **No cache**: the first build, or one on a new machine. **Fresh cache**: a build within the hour; it makes no request, **and shows the counts of the last one**. **Stale cache**: a build the day after.

Each build is refused where two lists and two articles do not show the right counts, or where the API got other requests than one per article (no cache, stale) or none (all others). CPU and memory are those of Hugo, without the API's. ${disk}`;
}

/**
 * @param {Measured[]} measured
 * @returns {import('./part.js').Table}
 */
function tableOf(measured) {
  return {
    caption: 'What a build takes: median (least to most)',
    columns: ['Pages', 'Build', 'Time', '÷ without counts', 'CPU', 'Peak memory', 'Requests'],
    rows: measured.flatMap(({ size, runs }) =>
      buildsOf(runs).map((build) => {
        const own = runs[build] ?? [];
        return [
          amount(size.pages),
          NAMES[build],
          spread(own.map(seconds), 's', 2),
          build === 'bare' ? '1' : spread(ratios(runs, build, seconds), '×', 2),
          known(own.map(cpuSeconds), 's', 2),
          known(own.map(mebibytes), 'MiB', 0),
          amount(build === 'cold' || build === 'stale' ? size.pages : 0),
        ];
      }),
    ),
  };
}

/**
 * @param {Measured[]} measured
 * @returns {import('./part.js').Chart}
 */
function timeChart(measured) {
  return {
    name: 'time',
    title: 'Time of a Hugo build, seconds',
    shape: 'lines',
    x: 'articles',
    scale: 'linear',
    better: 'less',
    points: measured.flatMap(({ size, runs }) =>
      buildsOf(runs).map((build) => ({
        label: NAMES[build],
        x: size.pages,
        values: (runs[build] ?? []).map(seconds),
        ours: build === 'counts',
      })),
    ),
  };
}

/**
 * @param {Measured[]} measured
 * @returns {import('./part.js').Chart} of the largest size with most rounds of all builds
 */
function ratioChart(measured) {
  const { size, runs } = /** @type {Measured} */ (
    measured.toSorted((a, b) => remoteRounds(a) - remoteRounds(b) || a.size.pages - b.size.pages).at(-1)
  );
  return {
    name: 'ratio',
    title: `Time of a Hugo build of ${amount(size.pages)} articles, times that without counts`,
    shape: 'bars',
    scale: 'linear',
    better: 'less',
    points: buildsOf(runs).map((build) => ({
      label: NAMES[build],
      values: ratios(runs, build, seconds),
      ours: build === 'counts',
    })),
  };
}

/** @param {Measured} measured */
function remoteRounds({ runs: { cold = [] } }) {
  return cold.length;
}

/**
 * @param {Measured} measured
 * @returns {import('./part.js').Target[]}
 */
function targetsOf({ size, runs }) {
  const time = ratios(runs, 'counts', seconds);
  const memory = ratios(runs, 'counts', mebibytes);
  const at = `${amount(size.pages)} pages`;
  return [
    { what: `time with baked counts ÷ without, ${at}`, values: time, unit: '×', most: TIME_LIMIT, why: WHY },
    { what: `peak memory with baked counts ÷ without, ${at}`, values: memory, unit: '×', most: MEMORY_LIMIT },
  ].filter(({ values }) => values.every(Number.isFinite)); // memory is known on Linux only
}

/**
 * @param {Measured['runs']} runs
 * @returns {Build[]} those that were measured, as NAMES has them
 */
function buildsOf(runs) {
  return /** @type {Build[]} */ (Object.keys(NAMES)).filter((build) => runs[build] !== undefined);
}

/**
 * @param {Measured['runs']} runs
 * @param {Build} build
 * @param {(run: Run) => number} value
 * @returns {number[]} times the build without counts of the same round
 */
function ratios({ bare = [], ...runs }, build, value) {
  const own = build === 'bare' ? bare : (runs[build] ?? []);
  return own.map((run, round) => value(run) / value(/** @type {Run} */ (bare[round])));
}

/** @param {Run} run */
function seconds({ milliseconds }) {
  return milliseconds / 1000;
}

/**
 * Tells more than the wall time where others use the machine.
 *
 * @param {Run} run
 */
function cpuSeconds({ cpuMilliseconds }) {
  return cpuMilliseconds / 1000;
}

/** @param {Run} run */
function mebibytes({ peakBytes }) {
  return peakBytes / 2 ** 20;
}

/**
 * @param {number[]} values
 * @param {string} unit
 * @param {number} digits
 */
function known(values, unit, digits) {
  return values.every(Number.isFinite) ? spread(values, unit, digits) : 'not known on this system';
}
