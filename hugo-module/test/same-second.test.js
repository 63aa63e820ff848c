/* Comments of one second under two keys of a page: each has one id, the same one wherever it is shown. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { HUGO_VERSIONS } from '../../scripts/tools.js';
import { article } from '../../stacosys-hook/test/hugo-site.js';
import { bakedFiles } from './baked-comments.js';
import { CONFIG, STRICT, WHOLE_FILE, build, makeSite } from './hugo-site.js';

const SECOND = '2026-11-20 12:00:00';

/** More than Hugo would sort in their order by chance, and more than have ids of -2. */
const MANY = 30;

const COMMENTS = [
  ...range(MANY).map((number) => comment('/new/', `new ${number}`, SECOND)),
  ...range(MANY).map((number) => comment('/old/', `old ${number}`, SECOND)),
  comment('/old/', 'first', '2020-01-01 12:00:00'),
  comment('/new/', 'last', '2026-11-21 12:00:00'),
  comment('/other/', 'other', SECOND),
];

const FILES = {
  'hugo.toml': `${CONFIG}[params.stacosys]\ncomments = "baked"\n[outputs]\nhome = ["HTML", "stacosysComments"]\npage = ["HTML", "stacosysComments"]\n`,
  'content/new.md': article({ title: 'New', aliases: ['/old/'] }),
  'content/other.md': article({ title: 'Other' }),
  'layouts/index.html': '{{ partial "stacosys/recent-comments.html" (dict "limit" 100) }}',
  'layouts/_default/single.html': '{{ partial "stacosys/comments.html" . }}',
  ...bakedFiles(COMMENTS),
};

/** @type {Record<string, import('./hugo-site.js').Built>} */
const built = {};

before(() => {
  const site = makeSite(WHOLE_FILE, FILES);
  for (const version of HUGO_VERSIONS) {
    const output = build(site, version, STRICT);
    assert.equal(output.status, 0, output.log);
    built[version] = output;
  }
});

for (const version of HUGO_VERSIONS) {
  test(`the site's feed, the article's feed, the list of the latest and the article agree on each id (Hugo ${version})`, () => {
    const read = (/** @type {string} */ file) => String(built[version]?.read(file));
    const inArticle = idsIn(
      read('new/index.html'),
      /<li class="stacosys-comment" id="([^"]+)".*?<div class="stacosys-content" dir="auto"><p>([^<]+)<\/p>/gs,
    );
    assert.equal(inArticle.size, 2 * MANY + 2);
    assert.equal(new Set(inArticle.values()).size, inArticle.size, 'no id twice');
    const order = [...inArticle.keys()];
    assert.deepEqual(order.slice(0, 3), ['first', 'new 1', 'new 2'], 'the own key comes first');
    assert.equal(order[MANY + 1], 'old 1');

    const feed = /<id>https:\/\/example\.org\/new\/#(comment-[^<]+)<\/id>.*?&lt;p&gt;([^&]+)&lt;\/p&gt;/gs;
    assert.deepEqual(sorted(idsIn(read('new/comments.atom'), feed)), sorted(inArticle));
    assert.deepEqual(sorted(idsIn(read('comments.atom'), feed)), sorted(inArticle));
    const latest = /href="\/new\/#([^"]+)".*?<p class="stacosys-excerpt" dir="auto">([^<]+)</gs;
    assert.deepEqual(sorted(idsIn(read('index.html'), latest)), sorted(inArticle));
  });

  test(`a page of one key keeps the ids that were baked (Hugo ${version})`, () => {
    const feed = String(built[version]?.read('comments.atom'));
    assert.match(feed, /<id>https:\/\/example\.org\/other\/#comment-20261120120000<\/id>/);
  });
}

/**
 * @param {string} text
 * @param {RegExp} pattern id, then content
 * @returns {Map<string, string>} content → id
 */
function idsIn(text, pattern) {
  return new Map([...text.matchAll(pattern)].map(([, id = '', content = '']) => [content, id]));
}

/** @param {Map<string, string>} map */
function sorted(map) {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** @param {number} length */
function range(length) {
  return Array.from({ length }, (_, index) => index + 1);
}

/**
 * @param {string} url
 * @param {string} content
 * @param {string} date
 * @returns {import('./baked-comments.js').Comment}
 */
function comment(url, content, date) {
  return { url, author: 'Ann', content, date };
}
