import { lutimesSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hugoVersion } from '../tools.js';
import { withCountApi } from './count-api.js';
import { generateSite } from './generated-site.js';
import { wallTime } from './measure.js';
import { MAX_AGE } from './remote-count.js';
import { writeVariants } from './site-variants.js';
import { watchedRun } from './watched-run.js';

/**
 * @typedef {import('./watched-run.js').Run} Run
 * @typedef {import('./count-api.js').CountApi} CountApi
 *
 * @typedef {'bare' | 'counts' | 'comments' | 'cold' | 'warm' | 'stale'} Build the last three: resources.GetRemote
 *
 * @typedef {object} Size
 * @property {number} pages
 * @property {number} rounds of the builds that make no request, at most
 * @property {number} remoteRounds of the others, which take part in the first ones, at most
 * @property {boolean} [warmUp] a round before them that does not count
 *
 * @typedef {object} Site
 * @property {number} pages
 * @property {string} hugo
 * @property {Record<import('./site-variants.js').Variant, string[]>} variants
 * @property {CountApi} api
 * @property {string} cache
 * @property {string} output
 */

const HOOK = fileURLToPath(new URL('../../stacosys-hook/bin.js', import.meta.url));

/** Those of a group build one after the other: each needs the cache that the one before it left. */
const REMOTE = /** @type {const} */ (['cold', 'warm', 'stale']);

/** As many rounds there are whatever the time: one has no spread. */
const LEAST_ROUNDS = 2;

const PAGES_PER_LIST = 20; // of generateSite
const COUNT_SHOWN = />5 comments</g; // each article of generateSite has so many

/**
 * Builds the same site in every way, taking turns, and refuses a build that shows something else.
 *
 * @param {Size} size
 * @param {object} how
 * @param {string} how.hugo
 * @param {string} how.folder is made, and removed
 * @param {boolean} how.withComments also with the section of comments in each article
 * @param {number} [how.until] by the clock of performance.now(): no round begins that would not end before it
 * @param {(step: string) => void} how.progress
 * @returns {Promise<Partial<Record<Build, Run[]>>>} one a round
 */
export async function measureBuilds(size, { hugo, folder, withComments, until = Infinity, progress }) {
  progress(`writes ${size.pages} articles`);
  const { folder: source, database } = generateSite(folder, size.pages);
  wallTime(process.execPath, [HOOK, 'bake', '--quiet', '--db', database, '--source', source]);
  const cache = join(folder, 'cache');
  const version = hugoVersion(hugo) ?? '';
  const runs = await withCountApi(join(source, 'data', 'stacosys', 'counts.json'), (api) => {
    const variants = writeVariants(source, { address: api.address, cache, hugoVersion: version });
    const site = { pages: size.pages, hugo, variants, api, cache, output: join(folder, 'public') };
    return takeTurns(size, site, { withComments, until }, progress);
  });
  rmSync(folder, { recursive: true });
  return runs;
}

/**
 * @param {Size} size
 * @param {Site} site
 * @param {{withComments: boolean, until: number}} extent
 * @param {(step: string) => void} progress
 */
async function takeTurns(size, site, { withComments, until }, progress) {
  /** @type {Partial<Record<Build, Run[]>>} */
  const runs = {};
  let times = { own: 0, remote: 0 };
  for (let round = size.warmUp ? 0 : 1; ; round += 1) {
    const { isOver, withRemote } = roundFor(round, size, times, until - performance.now());
    if (isOver) return runs;
    const took = { own: 0, remote: 0 };
    for (const build of inTurn(round, { withComments, withRemote })) {
      const name = round === 0 ? 'warm-up' : `round ${round} of ${size.rounds}`;
      progress(`${size.pages} pages, ${name}: ${build}`);
      const started = performance.now();
      const run = await buildOnce(build, site);
      took[isRemote(build) ? 'remote' : 'own'] += performance.now() - started;
      if (round > 0) (runs[build] ??= []).push(run);
    }
    times = { own: took.own, remote: took.remote || times.remote };
  }
}

/**
 * The builds with requests take the longest: where the time is short, the rounds go on without them.
 *
 * @param {number} round 0 warms up
 * @param {Size} size
 * @param {{own: number, remote: number}} times of the builds without requests and with them, in the round before
 * @param {number} left milliseconds
 */
export function roundFor(round, { rounds, remoteRounds }, { own, remote }, left) {
  return {
    isOver: round > rounds || (round > LEAST_ROUNDS && own > left),
    withRemote: round <= remoteRounds && (round <= 1 || own + remote <= left),
  };
}

/**
 * @param {Build} build
 * @returns {build is 'cold' | 'warm' | 'stale'}
 */
function isRemote(build) {
  return build === 'cold' || build === 'warm' || build === 'stale';
}

/**
 * Nobody always comes after the same other one.
 *
 * @param {number} round
 * @param {{withComments: boolean, withRemote: boolean}} which
 * @returns {Build[]}
 */
export function inTurn(round, { withComments, withRemote }) {
  /** @type {Build[][]} */
  const groups = [['bare'], ['counts']];
  if (withComments) groups.push(['comments']);
  if (withRemote) groups.push([...REMOTE]);
  const first = round % groups.length;
  return [...groups.slice(first), ...groups.slice(0, first)].flat();
}

/**
 * @param {Build} build
 * @param {Site} site
 * @returns {Promise<Run>}
 */
async function buildOnce(build, { pages, hugo, variants, api, cache, output }) {
  rmSync(output, { recursive: true, force: true });
  if (build === 'cold') rmSync(cache, { recursive: true, force: true });
  if (build === 'stale') age(cache);
  const variant = isRemote(build) ? 'remote' : build;
  const run = await watchedRun(hugo, [...variants[variant], '--destination', output]);
  refuseWrongRequests(build, await api.taken(), pages);
  refuseWrongPages(build, pages, output);
  return run;
}

/**
 * Makes what Hugo got as old as if the last build had been yesterday.
 *
 * @param {string} cache
 */
function age(cache) {
  const old = Date.now() / 1000 - MAX_AGE - 86_400;
  for (const { parentPath, name } of readdirSync(cache, { recursive: true, withFileTypes: true })) {
    lutimesSync(join(parentPath, name), old, old);
  }
}

/**
 * @param {Build} build
 * @param {number} requests that the API got
 * @param {number} pages
 */
export function refuseWrongRequests(build, requests, pages) {
  const expected = build === 'cold' || build === 'stale' ? pages : 0;
  if (requests !== expected) throw new Error(`${build}: ${requests} requests of ${expected}`);
}

/**
 * A fast build of another site is worth nothing.
 *
 * @param {Build} build
 * @param {number} pages
 * @param {string} output
 */
export function refuseWrongPages(build, pages, output) {
  const last = Math.ceil(pages / PAGES_PER_LIST);
  const lists = ['posts', ...(last > 1 ? [join('posts', 'page', String(last))] : [])];
  const articles = ['article-0', `article-${pages - 1}`].map((name) => join('posts', name));
  const perList = [Math.min(PAGES_PER_LIST, pages), pages - (last - 1) * PAGES_PER_LIST];
  const expected = [...lists.map((_, index) => perList[index] ?? 0), 1, 1];
  for (const [index, page] of [...lists, ...articles].entries()) {
    const html = readFileSync(join(output, page, 'index.html'), 'utf8');
    const shown = html.match(COUNT_SHOWN)?.length ?? 0;
    const wanted = build === 'bare' ? 0 : expected[index];
    if (shown !== wanted) throw new Error(`${build}: ${page} shows ${shown} counts of ${wanted}`);
    const hasSection = html.includes('<section');
    if (hasSection !== (build === 'comments' && index >= lists.length)) {
      throw new Error(`${build}: ${page} ${hasSection ? 'has a' : 'lacks its'} section of comments`);
    }
  }
}
