import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { exampleSite, visit } from '../browser.js';
import { all, parseXml, text } from './xml.js';

/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {Record<string, number>} Counts path of an article → comments
 */

/** The example site. */
let output = '';

before(async () => {
  ({ output } = await exampleSite());
});

test('list, article, feeds, JSON-LD and endpoint agree on every count', async (t) => {
  const { page } = await visit(t, 'about:blank');
  const expected = await listed(page);
  assert.equal(Object.keys(expected).length, 30);
  assert.ok(Object.values(expected).includes(0) && Math.max(...Object.values(expected)) > 9);
  for (const [what, count] of Object.entries({
    inRss,
    inAtom,
    inJsonFeed,
    inArticles,
    inJsonLd,
    inEndpoint,
  })) {
    assert.deepEqual(await count(page), count === inEndpoint ? positive(expected) : expected, what);
  }
});

test('the sums agree with the counts', async (t) => {
  const { page } = await visit(t, 'about:blank');
  const counts = await listed(page);
  const total = sum(counts);
  const { count } = JSON.parse(read('stacosys/total.json'));
  assert.equal(count, total);
  const [footer] = await found(page, 'index.html', '.site-footer-line');
  assert.equal(numberIn(footer?.text), total);
  let sections = 0;
  for (const file of ['discussion/index.html', 'fr/discussion/index.html']) {
    const rows = await found(page, file, '.totals span');
    const [section = 0, ...authors] = rows.map(({ text }) => numberIn(text));
    assert.ok(authors.length > 1);
    assert.equal(
      section,
      authors.reduce((one, other) => one + other),
      `${file}: each note has one author`,
    );
    sections += section;
  }
  assert.equal(sections, total);
});

test('a tag has the sum of its notes', async (t) => {
  const { page } = await visit(t, 'about:blank');
  const counts = await listed(page);
  const tags = await found(page, 'tags/index.html', '.terms a');
  const sums = await found(page, 'tags/index.html', '.terms span');
  assert.equal(tags.length, 7);
  for (const [index, { href }] of tags.entries()) {
    const notes = await found(page, `${href}index.html`, '.entry-title a');
    const expected = notes.reduce((all, note) => all + Number(counts[note.href]), 0);
    assert.equal(numberIn(sums[index]?.text.split('·')[1]), expected, href);
  }
});

test('the feeds of comments hold as many as the article counts', async (t) => {
  const { page } = await visit(t, 'about:blank');
  const counts = await listed(page);
  let feeds = 0;
  for (const [path, count] of Object.entries(counts).filter(([path]) => path.endsWith('/'))) {
    const feed = await parseXml(page, read(`${path}comments.atom`));
    assert.equal(all(feed, 'entry').length, count, path);
    feeds += 1;
  }
  assert.equal(feeds, 29);
});

/**
 * @param {Page} page
 * @returns {Promise<Counts>} of the two lists of all notes
 */
async function listed(page) {
  const lists = ['notes/index.html', 'fr/notes/index.html'];
  const links = await Promise.all(lists.map((file) => found(page, file, '.entry .stacosys-count')));
  return Object.fromEntries(
    links.flat().map(({ href, text }) => [href.replace('#comments', ''), numberIn(text)]),
  );
}

/** @param {Page} page */
async function inArticles(page) {
  const counts = [];
  for (const path of Object.keys(await listed(page))) {
    const [link, heading] = await found(page, fileOf(path), '.note-meta .stacosys-count, .stacosys-number');
    assert.equal(numberIn(link?.text), Number(heading?.text), path);
    counts.push([path, Number(heading?.text)]);
  }
  return Object.fromEntries(counts);
}

/** @param {Page} page */
async function inJsonLd(page) {
  const counts = [];
  for (const path of Object.keys(await listed(page))) {
    const [script] = await found(page, fileOf(path), 'script[type="application/ld+json"]');
    const data = JSON.parse(script?.text ?? '');
    assert.equal(data['@id'], `https://example.org${path}`);
    assert.equal(data.interactionStatistic.userInteractionCount, data.commentCount);
    assert.equal(data.comment?.length ?? 0, Math.min(20, data.commentCount), path);
    counts.push([path, data.commentCount]);
  }
  return Object.fromEntries(counts);
}

/** @param {Page} page */
async function inRss(page) {
  const feeds = ['index.xml', 'fr/index.xml'].map((file) => parseXml(page, read(file)));
  const items = (await Promise.all(feeds)).flatMap(
    ({ children: [channel] }) => channel && all(channel, 'item'),
  );
  return countsOf(items.map((item) => item && [text(item, 'link'), text(item, 'slash:comments')]));
}

/** @param {Page} page */
async function inAtom(page) {
  const feeds = ['feed.atom', 'fr/feed.atom'].map((file) => parseXml(page, read(file)));
  const entries = (await Promise.all(feeds)).flatMap((feed) => all(feed, 'entry'));
  return countsOf(entries.map((entry) => [text(entry, 'id'), text(entry, 'thr:total')]));
}

async function inJsonFeed() {
  const items = ['feed.json', 'fr/feed.json'].flatMap((file) => JSON.parse(read(file)).items);
  return countsOf(items.map(({ id, _stacosys }) => [id, _stacosys.comments]));
}

async function inEndpoint() {
  return JSON.parse(read('stacosys/counts.json'));
}

/**
 * @param {([url: unknown, count: unknown] | unknown[] | undefined)[]} entries
 * @returns {Counts}
 */
function countsOf(entries) {
  return Object.fromEntries(
    entries.map((entry) => [new URL(String(entry?.[0])).pathname, Number(entry?.[1])]),
  );
}

/**
 * @param {Page} page
 * @param {string} file
 * @param {string} selector
 * @returns {Promise<{text: string, href: string}[]>} the elements of the file, in their order
 */
function found(page, file, selector) {
  const look = (/** @type {string[]} */ [html = '', selector = '']) => {
    const { body, head } = new DOMParser().parseFromString(html, 'text/html');
    return [head, body]
      .flatMap((part) => [...part.querySelectorAll(selector)])
      .map((element) => ({ text: element.textContent ?? '', href: element.getAttribute('href') ?? '' }));
  };
  return page.evaluate(look, [read(file), selector]);
}

/** @param {string} [words] in which no number is none */
function numberIn(words = '') {
  return Number(/\d+/.exec(words)?.[0] ?? 0);
}

/** @param {Counts} counts */
function positive(counts) {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** @param {Counts} counts */
function sum(counts) {
  return Object.values(counts).reduce((one, other) => one + other, 0);
}

/** @param {string} path */
function fileOf(path) {
  return path.endsWith('/') ? `${path}index.html` : path;
}

/** @param {string} file as a url may spell it */
function read(file) {
  return readFileSync(join(output, decodeURI(file)), 'utf8');
}
