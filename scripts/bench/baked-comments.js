/*
 * npm run bench:comments [-- --quick]: what it costs to bake the comments themselves, with 200,000 of them over 10,000
 * articles, and to build a site that shows them. Ends with exit code 1 when a target is missed.
 */
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { readOptions } from '../read-options.js';
import { writeDatabase } from '../stacosys-database.js';
import { hugoVersion, usableHugo } from '../tools.js';
import { madeUpComments } from './comments.js';
import { generateSite } from './generated-site.js';
import { wallTime } from './measure.js';
import { median } from './statistics.js';
import { amount, printRow, spread } from './table.js';
import { watchedRun } from './watched-run.js';

const HOOK = fileURLToPath(new URL('../../stacosys-hook/bin.js', import.meta.url));

const USAGE = `npm run bench:comments [-- --quick]

Bakes 200,000 comments over 10,000 articles, bakes again after one new comment, and builds a site with Hugo that
shows them, against the same site with counts and a live list.

  --quick  a tenth of it`;

/**
 * @typedef {object} Size
 * @property {number} comments
 * @property {number} articles
 * @property {number} bakes rounds
 * @property {number} builds rounds
 */

/** @type {Size} */
const FULL = { comments: 200_000, articles: 10_000, bakes: 5, builds: 5 };
/** @type {Size} */
const QUICK = { comments: 20_000, articles: 1000, bakes: 5, builds: 7 };

const TARGETS = { first: 15, again: 1.5, megabytes: 250, lock: 1, build: 1.3 };

const options = readOptions(USAGE, { quick: { type: 'boolean' } });
process.exitCode = await main(options.quick ? QUICK : FULL);

/** @param {Size} size */
async function main(size) {
  const hugo = usableHugo();
  if (hugo === null) {
    console.error('There is no Hugo that can build the site');
    console.error('Install one: node scripts/setup.js hugo');
    return 1;
  }
  const folder = join(tmpdir(), 'hugo-stacosys-bench-comments');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    console.log(
      `${amount(size.comments)} comments over ${amount(size.articles)} articles; medians (least to most)`,
    );
    const bakes = await measureBakes(size, folder);
    const builds = await measureBuilds(size, hugo, folder);
    return [...bakes, ...builds].every(Boolean) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {Size} size
 * @param {string} folder
 * @returns {Promise<boolean[]>} whether each target is met
 */
async function measureBakes({ comments, articles, bakes }, folder) {
  const database = join(folder, 'db.sqlite');
  const site = join(folder, 'bake');
  writeDatabase(database, madeUpComments(comments, articles));
  mkdirSync(site);
  writeFileSync(join(site, 'hugo.toml'), '');
  const result = join(folder, 'result.json');
  const command = `exec "$0" "$@" > '${result}'`;
  const args = [process.execPath, HOOK, 'bake', '--comments', '--json', '--db', database, '--source', site];
  const run = async () => {
    const { milliseconds, peakBytes } = await watchedRun('sh', ['-c', command, ...args]);
    const { files, lockMilliseconds } = JSON.parse(readFileSync(result, 'utf8'));
    return { seconds: milliseconds / 1000, megabytes: peakBytes / 1e6, lock: lockMilliseconds / 1000, files };
  };
  /** @type {Record<'first' | 'again', Awaited<ReturnType<typeof run>>[]>} */
  const runs = { first: [], again: [] };
  for (let round = 0; round < bakes; round += 1) {
    for (const name of ['assets', 'data']) rmSync(join(site, name), { recursive: true, force: true });
    runs.first.push(await run());
    addComment(database, round);
    runs.again.push(await run());
  }
  refuseWrongFiles(runs, articles, join(site, 'assets', 'stacosys', 'comments'));
  const all = [...runs.first, ...runs.again];
  return [
    target(
      'first bake',
      runs.first.map(({ seconds }) => seconds),
      's',
      TARGETS.first,
    ),
    target(
      'after one new comment',
      runs.again.map(({ seconds }) => seconds),
      's',
      TARGETS.again,
    ),
    target(
      'peak RSS',
      all.map(({ megabytes }) => megabytes),
      'MB',
      TARGETS.megabytes,
    ),
    target(
      'read lock held',
      all.map(({ lock }) => lock),
      's',
      TARGETS.lock,
    ),
  ];
}

/**
 * @param {string} file
 * @param {number} round
 */
function addComment(file, round) {
  const database = new Database(file);
  database
    .prepare(
      `INSERT INTO comment (url, created, published, author_name, author_site, content)
       SELECT url, created, '2026-01-01 00:00:00', 'New', '', 'A new comment' FROM comment
       WHERE published IS NOT NULL AND id > ? LIMIT 1`,
    )
    .run(round);
  database.close();
}

/**
 * A fast bake of something else is worth nothing.
 *
 * @param {Record<'first' | 'again', {files: {written: number}}[]>} runs
 * @param {number} articles
 * @param {string} folder
 */
function refuseWrongFiles({ first, again }, articles, folder) {
  const isRight =
    first.every(({ files }) => files.written === articles) &&
    again.every(({ files }) => files.written === 1) &&
    readdirSync(folder).length === articles;
  if (!isRight) throw new Error('the bakes wrote other files than those that changed');
}

/**
 * @param {Size} size
 * @param {string} hugo
 * @param {string} folder
 * @returns {Promise<boolean[]>}
 */
async function measureBuilds({ comments, articles, builds }, hugo, folder) {
  const { folder: live } = generateSite(join(folder, 'live'), articles);
  const single =
    '{{ define "main" }}<h1>{{ .Title }}</h1>{{ partial "stacosys/count.html" . }}{{ .Content }}{{ partial "stacosys/comments.html" . }}{{ end }}\n';
  writeFileSync(join(live, 'layouts/_default/single.html'), single);
  const database = join(folder, 'posts.sqlite');
  writeDatabase(database, onPosts(comments, articles));
  const baked = join(folder, 'baked');
  cpSync(live, baked, { recursive: true });
  writeFileSync(join(baked, 'hugo.toml'), '\n[params.stacosys]\ncomments = "baked"\n', { flag: 'a' });
  for (const site of [live, baked]) {
    wallTime(process.execPath, [HOOK, 'bake', '--quiet', '--db', database, '--source', site]);
  }
  /** @type {Record<'live' | 'baked', number[]>} */
  const seconds = { live: [], baked: [] };
  for (let round = 0; round <= builds; round += 1) {
    for (const [name, site] of /** @type {const} */ ([
      ['live', live],
      ['baked', baked],
    ])) {
      const output = join(folder, 'public');
      rmSync(output, { recursive: true, force: true });
      const run = await watchedRun(hugo, ['--minify', '--quiet', '--source', site, '--destination', output]);
      if (round > 0) seconds[name].push(run.milliseconds / 1000);
    }
  }
  console.log(`\nHugo ${hugoVersion(hugo)}, hugo --minify into an empty folder, in turns`);
  row('counts and a live list', spread(seconds.live, 's', 2));
  row('counts and baked comments', spread(seconds.baked, 's', 2));
  const ratios = seconds.baked.map((time, round) => time / (seconds.live[round] ?? NaN));
  return [target('baked ÷ live', ratios, '×', TARGETS.build)];
}

/**
 * @param {number} comments
 * @param {number} articles
 * @returns {Generator<import('../stacosys-database.js').Comment>} on the articles of generateSite
 */
function* onPosts(comments, articles) {
  let number = 0;
  for (const comment of madeUpComments(comments, articles)) {
    yield { ...comment, url: `/posts/article-${number % articles}/` };
    number += 1;
  }
}

/**
 * @param {string} what
 * @param {number[]} values
 * @param {string} unit
 * @param {number} limit
 * @returns {boolean}
 */
function target(what, values, unit, limit) {
  const isMet = !(median(values) > limit);
  row(what, spread(values, unit, 2), `target ≤ ${limit} ${unit}`, isMet ? 'ok' : 'MISSED');
  return isMet;
}

/** @param {(string | undefined)[]} cells */
function row(...cells) {
  printRow([28, 32, 18, 0], cells);
}
