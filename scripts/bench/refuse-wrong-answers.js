import { commentsOn, pathOf } from './readers-database.js';
import { ARTICLES_PER_LIST } from './readers-site.js';

/**
 * @typedef {import('./load/page-view.js').Answer} Answer
 * @typedef {import('./readers-contenders.js').Kind} Kind
 */

/**
 * A fast wrong answer is worth nothing: every page must be that of its variant, every count that of the
 * database.
 *
 * @param {Pick<Kind, 'name' | 'page' | 'counts'>} kind
 * @param {Pick<Answer, 'status' | 'text'>[]} answers to the requests of a page view
 */
export function refuseWrongAnswers({ name, page, counts }, answers) {
  const failed = answers.find(({ status }) => status !== 200);
  if (failed) throw new Error(`${name} answered ${failed.status}: ${failed.text.slice(0, 200)}`);
  const [html = '', ...bodies] = answers.map(({ text }) => text);
  const wanted = Array.from({ length: ARTICLES_PER_LIST }, (_, article) => commentsOn(article));
  refuseOther(`${name}: the counts in the page`, countsIn(html), page === 'baked' ? wanted : []);
  refuseOther(
    `${name}: the articles in the page`,
    articlesIn(html),
    wanted.map((_, article) => pathOf(article)),
  );
  if (counts === 'none') return;
  const got = bodies.map((body) => JSON.parse(body));
  refuseOther(`${name}: the counts`, countsOf(counts, got), wanted);
}

/**
 * @param {'each' | 'batch' | 'file'} counts
 * @param {any[]} got
 */
function countsOf(counts, got) {
  if (counts === 'each') return got.map(({ count }) => count);
  const [all] = got;
  return counts === 'batch'
    ? all
    : Array.from({ length: ARTICLES_PER_LIST }, (_, article) => all[pathOf(article)]);
}

/** @param {string} html */
function countsIn(html) {
  return Array.from(html.matchAll(/>(\d+) comments</g), ([, count]) => Number(count));
}

/** @param {string} html */
function articlesIn(html) {
  return Array.from(html.matchAll(/<h2><a href="?([^"> ]+)/g), ([, path]) => path);
}

/**
 * @param {string} what
 * @param {unknown} got
 * @param {unknown} wanted
 */
function refuseOther(what, got, wanted) {
  if (JSON.stringify(got) === JSON.stringify(wanted)) return;
  throw new Error(`${what} are ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`);
}
