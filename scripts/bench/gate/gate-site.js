import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeDatabase } from '../../stacosys-database.js';
import { madeUpComments } from '../comments.js';
import { generateSite } from '../generated-site.js';
import { wallTime } from '../measure.js';
import { writeVariants } from '../site-variants.js';

const HOOK = fileURLToPath(new URL('../../../stacosys-hook/bin.js', import.meta.url));

export const ARTICLES = 40;
/** Comments of the first article; each other one has one. */
export const COMMENTS_OF_FIRST = 21;

/**
 * @typedef {'bare' | 'counts' | 'comments' | 'baked'} Kind as in site-variants.js; baked: with baked comments
 *
 * @typedef {object} Built
 * @property {string} output folder of the pages
 * @property {string} log with the metrics of the templates
 */

/**
 * A small site with every article commented on, built by one Hugo in every way.
 *
 * @param {string} folder is made
 * @param {string} hugo
 * @returns {Record<Kind, Built>}
 */
export function buildGateSite(folder, hugo) {
  const { folder: site } = generateSite(folder, ARTICLES);
  const database = join(folder, 'comments.sqlite');
  writeDatabase(database, commentsOnArticles());
  wallTime(process.execPath, [HOOK, 'bake', '--comments', '--quiet', '--db', database, '--source', site]);
  // GetRemote is not built here
  const remote = { address: 'http://127.0.0.1', cache: join(folder, 'cache'), hugoVersion: '0.111.3' };
  const { bare, counts, comments } = writeVariants(site, remote);
  const config = readFileSync(join(site, 'comments.toml'), 'utf8');
  writeFileSync(join(site, 'baked.toml'), `${config}\n[params.stacosys]\n  comments = "baked"\n`);
  const baked = comments.map((argument) => argument.replace('comments.toml', 'baked.toml'));
  const build = (/** @type {string} */ kind, /** @type {string[]} */ args) =>
    buildOnce(hugo, args, join(folder, `public-${kind}`));
  return {
    bare: build('bare', bare),
    counts: build('counts', counts),
    comments: build('comments', comments),
    baked: build('baked', baked),
  };
}

/**
 * Real texts, each another one: of the same again and again a comment would cost nothing when it is compressed.
 *
 * @returns {Generator<import('../../stacosys-database.js').Comment>}
 */
function* commentsOnArticles() {
  const total = COMMENTS_OF_FIRST + ARTICLES - 1;
  let number = 0;
  for (const comment of madeUpComments(total, total)) {
    const article = Math.max(0, number - COMMENTS_OF_FIRST + 1);
    yield { ...comment, url: `/posts/article-${article}/`, published: comment.created };
    number += 1;
  }
}

/**
 * @param {string} hugo
 * @param {string[]} args
 * @param {string} output
 * @returns {Built}
 */
function buildOnce(hugo, args, output) {
  const { status, stdout, stderr } = spawnSync(
    hugo,
    [...args.filter((argument) => argument !== '--quiet'), '--destination', output, ...METRICS],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`hugo ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
  return { output, log: stdout };
}

const METRICS = ['--templateMetrics', '--templateMetricsHints'];
