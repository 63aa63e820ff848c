/*
 * Part 6 of the benchmark: what a reader downloads for counts and comments, and when they are visible.
 */
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { lighthouseReport } from '../lighthouse-report.js';
import { hugoVersion, usableChromium } from '../tools.js';
import { LIGHTHOUSE, benchPython } from './bench-tools.js';
import { artalk } from './download/artalk.js';
import { bare } from './download/bare.js';
import { isso } from './download/isso.js';
import { inspect, time } from './download/measure-loads.js';
import { PATHS, openBlog } from './download/open-blog.js';
import { chartsOf, tableOf, targetsOf } from './download/report.js';
import { stacosys } from './download/stacosys.js';
import { twikoo } from './download/twikoo.js';
import { waline } from './download/waline.js';
import { makeCertificate } from './make-certificate.js';

/**
 * @typedef {import('./part.js').Context} Context
 * @typedef {import('./download/measure-loads.js').Measured} Measured
 * @typedef {import('./download/open-blog.js').Blog} Blog
 * @typedef {import('./download/open-blog.js').PageName} PageName
 *
 * @typedef {object} Score of Lighthouse
 * @property {string} name
 * @property {boolean} ours
 * @property {number[]} values one a category
 */

const ROUNDS = 5;

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];

/** Those that are timed in a quick run, too; of the others only what they fetch is measured there. */
const QUICK = ['no comments', 'hugo-stacosys, live', 'hugo-stacosys, baked', 'Isso'];

const ABOUT = `Each contender shows the same blog, built by Hugo: a home page that lists ten articles with the number of
their comments (2 to 12), and an article of one paragraph with 12 comments and the form. The article is short, so
that the comments begin on the first screen: ours fetches them only when a reader gets near, the others at once.

One server of static files (HTTP/2 over TLS, everything compressed by brotli, level 11) serves all of them and, at the
same address, the answers of each one's comment server. Bytes are what came over the wire, with the headers of the answers,
counted by Chromium until nothing more was fetched. "Visible" is the first frame in which the text of all ten counts, or
of all 12 comments, stood in the layout, from the start of the navigation, on the "slow 4G" of DevTools (150 ms,
1.6 Mbit/s, which Chromium is told as 562.5 ms a request and 1.44 Mbit/s) and with a processor four times slower, on
a phone's screen, with an empty cache and a new profile for each load, in turns, with the first one changing.
The ratio is that to the same page without comments, in the same round. A load that shows a wrong count, lacks a comment,
asks another host, gets an error or throws one ends the measurement.

In the others' favour: their scripts come from the blog's own server, already connected, not from another host; they are
the smallest self-contained bundle that their documentation offers for the page (Artalk's "Lite" for the list, Twikoo's
without CloudBase); no pictures of authors, sets of emoji or highlighters are fetched from elsewhere, which most of them do
by default. Isso is the real server. Waline's, Artalk's and Twikoo's are stood in for by a few lines that answer at once,
from memory, what their API answers. Our API is that of the development server in this repository, compared with what
Stacosys 3.4 answers. The list page of ours is the same with live and with baked comments.

Lighthouse looks once, as it does by default: a phone, simulated throttling.`;

const SKIPPED = [
  'Remark42: its client is in no package of npm or PyPI. Its own server delivers it, built with pnpm from the repository.',
];

/** @type {import('./part.js').Part} */
export const download = {
  name: 'download',
  title: 'What a reader downloads',
  needs: ['npm', 'hugo', 'chromium', 'openssl', 'bench-clients', 'bench-python', 'lighthouse'],
  seconds: (quick) => (quick ? 40 : 250),
  run,
};

/**
 * @param {Context} context
 * @returns {Promise<import('./part.js').Result>}
 */
async function run(context) {
  const executable = usableChromium();
  if (executable === null) throw new Error('There is no Chromium: node scripts/setup.js chromium');
  /** @type {(() => Promise<void>)[]} */
  const closing = [];
  try {
    const blogs = await openAll(context, closing);
    const { measured, version } = await measure(context, browserOf(executable), blogs);
    const scores = context.quick ? [] : await lighthouseScores(context, executable, measured);
    return resultOf(context, measured, scores, version);
  } finally {
    await closeAll(closing);
  }
}

/** @param {(() => Promise<void>)[]} closing each, even where another one fails */
async function closeAll(closing) {
  const results = await Promise.allSettled(closing.map((close) => close()));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/**
 * @param {string} executablePath
 * @returns {import('./download/measure-loads.js').WithBrowser}
 */
function browserOf(executablePath) {
  const isRoot = process.getuid?.() === 0; // for whom Chromium has no sandbox
  // Whatever is not on this machine cannot be reached
  const args = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];
  const options = { executablePath, chromiumSandbox: !isRoot, args, timeout: 60_000 };
  return async (use) => {
    const browser = await chromium.launch(options);
    try {
      return await use(browser);
    } finally {
      await browser.close();
    }
  };
}

/**
 * @param {Context} context
 * @param {(() => Promise<void>)[]} closing gets what ends them
 */
async function openAll({ folder, hugo, progress }, closing) {
  const certificate = makeCertificate(join(folder, 'certificate'), 'IP:127.0.0.1');
  /** @type {Blog[]} */
  const blogs = [];
  for (const [index, contender] of contenders().entries()) {
    progress(`a blog with ${contender.name}`);
    const blog = await openBlog(contender, join(folder, String(index)), hugo, certificate);
    closing.push(blog.close);
    blogs.push(blog);
  }
  return blogs;
}

/** The floor and ours come first: so the targets find them. */
function contenders() {
  return [
    bare(),
    stacosys('live'),
    stacosys('baked'),
    ...(benchPython() === null ? [] : [isso()]),
    waline(),
    artalk(),
    twikoo(),
  ];
}

/**
 * @param {Context} context
 * @param {import('./download/measure-loads.js').WithBrowser} withBrowser
 * @param {Blog[]} blogs
 */
async function measure({ quick, progress }, withBrowser, blogs) {
  progress('what each page fetches');
  const inspected = await withBrowser(async (browser) => ({
    measured: await inspect(browser, blogs),
    version: browser.version(),
  }));
  const { measured } = inspected;
  const timed = quick ? measured.filter(({ blog }) => QUICK.includes(blog.contender.name)) : measured;
  await time(withBrowser, timed, quick ? 1 : ROUNDS, progress);
  return inspected;
}

/**
 * @param {Context} context
 * @param {string} executable
 * @param {Measured[]} measured
 * @returns {Promise<Score[]>} of our list page, and of the articles
 */
async function lighthouseScores({ progress }, executable, measured) {
  const options = { chromium: executable, categories: CATEGORIES, flags: ['--ignore-certificate-errors'] };
  const wanted = measured.filter(
    ({ blog, page }) => blog.contender.ours || (page === 'article' && !blog.contender.isFloor),
  );
  /** @type {Score[]} */
  const scores = [];
  for (const { blog, page } of wanted) {
    progress(`Lighthouse, ${blog.contender.name}, ${page}`);
    const { categories } = await lighthouseReport(blog.origin + PATHS[page], options);
    const values = CATEGORIES.map((category) => Math.round(100 * (categories[category]?.score ?? NaN)));
    scores.push({ name: `${blog.contender.name}, ${page}`, ours: blog.contender.ours ?? false, values });
  }
  return scores;
}

/**
 * @param {Context} context
 * @param {Measured[]} measured
 * @param {Score[]} scores
 * @param {string} chromiumVersion
 * @returns {import('./part.js').Result}
 */
function resultOf({ quick, hugo }, measured, scores, chromiumVersion) {
  const lists = rowsOf(measured, 'list');
  const articles = rowsOf(measured, 'article');
  const untimed = articles.filter(({ times }) => times.length === 0);
  return {
    about: ABOUT,
    versions: versionsOf(measured, hugo, chromiumVersion),
    tables: [
      tableOf('A list page with ten counts', 'counts', lists),
      tableOf('An article with 12 comments and the form', 'comments', articles),
      ...(quick ? [] : [scoreTable(scores)]),
    ],
    charts: chartsOf(lists, articles),
    targets: [...targetsOf(lists, articles), ...(quick ? [] : [accessibility(scores)])],
    skipped: [
      ...SKIPPED,
      ...(benchPython() === null ? ['Isso: its Python packages could not be installed.'] : []),
      ...untimed.map(({ name }) => `${name}: not timed in a quick run.`),
      ...(quick ? ['Lighthouse: not in a quick run.'] : []),
    ],
  };
}

/**
 * @param {Measured[]} measured
 * @param {PageName} wanted
 */
function rowsOf(measured, wanted) {
  return measured
    .filter(({ page }) => page === wanted)
    .map(({ blog, transfers, times }) => {
      const { name, ours, isFloor } = blog.contender;
      // Live or baked makes no difference to a list
      return {
        name: wanted === 'list' ? name.replace(/, live$/, '') : name,
        ours,
        isFloor,
        transfers,
        times,
      };
    });
}

/**
 * @param {Measured[]} measured
 * @param {string} hugo
 * @param {string} chromiumVersion
 * @returns {Record<string, string>}
 */
function versionsOf(measured, hugo, chromiumVersion) {
  const contenders = measured.map(({ blog }) => blog.contender).filter(({ version }) => version !== '');
  return {
    Chromium: chromiumVersion,
    Hugo: String(hugoVersion(hugo)),
    Lighthouse: LIGHTHOUSE.replace(/^.*@/, ''),
    ...Object.fromEntries(contenders.map(({ name, version }) => [name.replace(/,.*/, ''), version])),
  };
}

/** @param {Score[]} scores */
function scoreTable(scores) {
  return {
    caption: 'Lighthouse scores',
    columns: ['', 'performance', 'accessibility', 'best practices', 'SEO'],
    rows: scores.map(({ name, values }) => [name, ...values.map(String)]),
  };
}

/** @param {Score[]} scores */
function accessibility(scores) {
  const values = scores.filter(({ ours }) => ours).map((score) => Number(score.values[1]));
  return {
    what: 'accessibility of ours, the lowest score',
    values: [Math.min(...values)],
    unit: '',
    least: 100,
  };
}
