import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalKey } from '../src/key.js';
import { findOrphans } from '../src/orphans.js';

/**
 * @param {string} url
 * @param {string[]} [aliases]
 */
const page = (url, aliases = []) => ({
  key: String(canonicalKey(url)),
  path: `content${url.replace(/\/$/, '')}.md`,
  aliases: aliases.map((alias) => String(canonicalKey(alias))),
});

/**
 * @param {string} url of a comment
 * @param {string[]} pages
 * @returns {string | null | undefined} the page that is suggested; undefined where it is no orphan
 */
function nearest(url, pages) {
  const orphans = findOrphans(
    new Map([[String(canonicalKey(url)), 1]]),
    pages.map((key) => page(key)),
  );
  const [orphan] = orphans;
  return orphan && (orphan.nearest?.key ?? null);
}

test('a comment on a page or on an alias of it is no orphan', () => {
  const counts = new Map([
    ['/a/', 1],
    ['/old/', 2],
    ['/b/', 3],
  ]);
  assert.deepEqual(findOrphans(counts, [page('/a/', ['/old/']), page('/b/')]), []);
});

test('orphans come in the order of the keys, with their comments', () => {
  const counts = new Map([
    ['/one/', 1],
    ['/a/', 2],
    ['/two/', 3],
  ]);
  assert.deepEqual(findOrphans(counts, [page('/a/')]), [
    { key: '/one/', comments: 1, nearest: null },
    { key: '/two/', comments: 3, nearest: null },
  ]);
});

test('a suggestion names the page and its file', () => {
  const [orphan] = findOrphans(new Map([['/2021/slgu/', 4]]), [page('/2021/slug/'), page('/about/')]);
  assert.deepEqual(orphan, {
    key: '/2021/slgu/',
    comments: 4,
    nearest: { key: '/2021/slug/', path: 'content/2021/slug.md' },
  });
});

/** @type {[what: string, url: string, pages: string[], suggested: string | null][]} */
const CASES = [
  ['two letters swapped', '/2021/slgu/', ['/2021/other/', '/2021/slug/'], '/2021/slug/'],
  ['a letter too few', '/2021/pythn-web/', ['/2021/python-web/', '/2021/ruby-web/'], '/2021/python-web/'],
  ['a letter too many', '/2021/sluug/', ['/2021/slug/'], '/2021/slug/'],
  ['another case', '/2021/Slug/', ['/2021/slug/'], '/2021/slug/'],
  ['an article that was moved', '/2021/slug/', ['/blog/other/', '/blog/slug/'], '/blog/slug/'],
  ['an article that got a folder', '/slug/', ['/2021/05/slug/'], '/2021/05/slug/'],
  ['an article that lost its .html', '/slug.html', ['/posts/slug/'], '/posts/slug/'],
  ['an article that got its .html', '/posts/slug/', ['/slug.html'], '/slug.html'],
  ['the nearer of two articles of one name', '/2021/slug/', ['/2014/slug/', '/2022/slug/'], '/2022/slug/'],
  ['an article of another name in the same folder', '/2021/slug/', ['/2021/pear/'], null],
  ['something unlike', '/wp-login/', ['/about/', '/2021/slug/'], null],
  ['a very short name', '/a/', ['/b/', '/c/'], null],
  ['a site without pages', '/2021/slug/', [], null],
  ['the home page', '/', ['/a/', '/2021/slug/'], null],
  ['an article, never the home page', '/ab/', ['/'], null],
  ['a French slug', '/2021/ete-a-la-mer/', ['/2021/été-à-la-mer/'], '/2021/%C3%A9t%C3%A9-%C3%A0-la-mer/'],
  ['a Japanese slug', '/日本語の記亊/', ['/日本語の記事/', '/東京/'], String(canonicalKey('/日本語の記事/'))],
  ['another Japanese slug', '/大阪府/', ['/東京都/'], null],
  ['an Arabic slug', '/2020/مدونة/', ['/posts/مدونة/'], String(canonicalKey('/posts/مدونة/'))],
];

for (const [what, url, pages, suggested] of CASES) {
  test(`for ${what}, ${url}, ${suggested === null ? 'no page' : decodeURI(suggested)} is suggested`, () => {
    assert.equal(nearest(url, pages), suggested);
  });
}

test('a percent sign in a slug is no trouble', () => {
  assert.equal(nearest('/100%/', ['/posts/100%/', '/%zz/']), '/posts/100%25/');
});

test('a thousand orphans on ten thousand pages take no longer than a moment', () => {
  const pages = Array.from({ length: 10_000 }, (_, n) => page(`/2021/article-é-${n}/`));
  const counts = new Map(Array.from({ length: 1000 }, (_, n) => [`/wp-content/${n}-unlike-anything/`, 1]));
  const started = performance.now();
  assert.equal(findOrphans(counts, pages).length, 1000);
  assert.ok(performance.now() - started < 20_000);
});
