import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { HUGO_LATEST, HUGO_VERSIONS } from '../../../scripts/tools.js';
import { article } from '../../../stacosys-hook/test/hugo-site.js';
import { renderMarkdown } from '../../../stacosys-hook/src/markdown.js';
import { bakedFiles } from '../baked-comments.js';
import { visit } from '../browser.js';
import { STRICT, WHOLE_FILE, build, makeSite } from '../hugo-site.js';
import { HOSTILE } from './hostile-comments.js';
import { all, parseXml, text } from './xml.js';

/** @typedef {import('../hugo-site.js').Built} Built */

const CONFIG = `baseURL = "https://example.org/blog/"
theme = "hugo-stacosys"
title = "A & B <blog>"
timeZone = "Europe/Paris"
disableKinds = ["taxonomy", "term", "sitemap", "404"]
[outputs]
home = ["html", "rss", "stacosysRSS", "stacosysAtom", "stacosysJSON", "stacosysComments"]
section = ["html", "stacosysComments"]
page = ["html", "stacosysComments"]
`;

/** The feed of a theme, with the one line that its owner added. */
const RSS = `{{ printf "<?xml version=\\"1.0\\"?>" | safeHTML }}<rss version="2.0"><channel>
{{ range site.RegularPages }}<item><link>{{ .Permalink }}</link>{{ partial "stacosys/feed/rss-item.html" . }}</item>
{{ end }}</channel></rss>`;

/** As the hook bakes it: well-formed, without NUL, and with a site only where that is one of the web. */
const HOSTILE_COMMENTS = HOSTILE.map(({ comment: { author, content, site } }, index) => ({
  url: '/blog/post/hostile/',
  author: clean(author),
  content: clean(content),
  ...(/^https?:\/\//.test(clean(site)) && { site: clean(site) }),
  date: `2024-01-02 ${String(10 + Math.floor(index / 60))}:${String(index % 60).padStart(2, '0')}:00`,
}));

const COMMENTS = [
  ...HOSTILE_COMMENTS,
  { url: '/blog/post/one/', author: 'Ann', content: 'First', date: '2026-07-01 12:00:00' },
  { url: 'blog/old/', author: 'Bo', content: 'Under the old name', date: '2026-12-01 12:00:00' },
  { url: '/blog/post/hidden/', author: 'Cy', content: 'Hidden', date: '2026-12-02 12:00:00' },
  { url: '/blog/gone/', author: 'Di', content: 'Gone', date: '2026-12-03 12:00:00' },
  { url: '/blog/note/two/', author: 'Ed', content: 'In another section', date: '2026-11-01 12:00:00' },
  { url: '/blog/post/one/', author: 'Fi', content: 'Undated', date: '' },
];

const COUNTS = {
  'https://example.org/blog/post/hostile/': HOSTILE_COMMENTS.length,
  'https://example.org/blog/post/one/': 3,
  'https://example.org/blog/post/none/': 0,
};

/** @type {Record<string, Built>} */
const built = {};

before(() => {
  const site = makeSite(WHOLE_FILE, {
    'hugo.toml': CONFIG,
    'content/post/hostile.md': article({ title: 'Hostile & "friends" <b>\u0001', date: '2024-01-01' }),
    'content/post/one.md': article({ title: 'One', date: '2024-01-02', aliases: ['/old/'] }),
    'content/post/none.md': article({ title: 'None', date: '2024-01-03' }),
    'content/post/hidden.md': article({ title: 'Hidden', date: '2024-01-04', comments: false }),
    'content/note/two.md': article({ title: 'Two', date: '2024-01-05' }),
    'layouts/_default/rss.xml': RSS,
    'layouts/_default/list.html': '<!doctype html>{{ partial "stacosys/feed/links.html" . }}',
    'layouts/_default/single.html':
      '<!doctype html>{{ partial "stacosys/feed/links.html" . }}{{ partial "stacosys/json-ld.html" . }}',
    ...bakedFiles(COMMENTS),
  });
  for (const version of HUGO_VERSIONS) {
    built[version] = build(site, version, STRICT);
    assert.equal(built[version].status, 0, built[version].log);
  }
});

test('two versions of Hugo build the same feeds', () => {
  const [oldest, latest] = HUGO_VERSIONS.map((version) => outputOf(version));
  const files = latest?.files() ?? [];
  assert.deepEqual(oldest?.files(), files);
  files.splice(files.indexOf('old/index.html'), 1); // an alias is Hugo's own page
  assert.ok(files.filter((file) => /\.(?:xml|atom|json)$/.test(file)).length >= 11, files.join('\n'));
  for (const file of files) assert.equal(oldest?.read(file), latest?.read(file), file);
});

test('an RSS feed says how many comments an article has, and where', async (t) => {
  const { page } = await visit(t, 'about:blank');
  for (const file of ['index.xml', 'feed.xml']) {
    const { children } = await parseXml(page, outputOf().read(file));
    const items = children.flatMap((channel) => all(channel, 'item'));
    const counted = items.filter((item) => text(item, 'slash:comments') !== undefined);
    for (const item of counted) {
      assert.equal(text(item, 'comments'), `${text(item, 'link')}#comments`);
      assert.equal(text(item, 'wfw:commentRss'), `${text(item, 'link')}comments.atom`);
      const [{ namespace } = { namespace: '' }] = all(item, 'slash:comments');
      assert.equal(namespace, 'http://purl.org/rss/1.0/modules/slash/');
    }
    const counts = counted.map((item) => [text(item, 'link'), Number(text(item, 'slash:comments'))]);
    assert.deepEqual(postsOf(Object.fromEntries(counts)), COUNTS, file);
    assert.ok(items.length > counted.length, `${file} has the page without comments, too`);
  }
});

test('an Atom feed says how many comments an article has, and where', async (t) => {
  const { page } = await visit(t, 'about:blank');
  const feed = await parseXml(page, outputOf().read('feed.atom'));
  assert.equal(text(feed, 'title'), 'A & B <blog>');
  const entries = all(feed, 'entry').filter((entry) => all(entry, 'thr:total').length > 0);
  const counts = entries.map((entry) => [text(entry, 'id'), Number(text(entry, 'thr:total'))]);
  assert.deepEqual(postsOf(Object.fromEntries(counts)), COUNTS);
  for (const entry of entries) {
    const replies = all(entry, 'link').filter(({ attributes }) => attributes.rel === 'replies');
    assert.deepEqual(
      replies.map(({ attributes: { type, href } }) => [type, href]),
      [
        ['text/html', `${text(entry, 'id')}#comments`],
        ['application/atom+xml', `${text(entry, 'id')}comments.atom`],
      ],
    );
    for (const { attributes } of replies) assert.equal(attributes['thr:count'], text(entry, 'thr:total'));
  }
});

test('a JSON Feed says how many comments an article has, and where', () => {
  const feed = JSON.parse(outputOf().read('feed.json'));
  assert.equal(feed.version, 'https://jsonfeed.org/version/1.1');
  assert.equal(feed.feed_url, 'https://example.org/blog/feed.json');
  const items = /** @type {any[]} */ (feed.items).filter(({ _stacosys }) => _stacosys);
  assert.deepEqual(
    postsOf(Object.fromEntries(items.map(({ id, _stacosys }) => [id, _stacosys.comments]))),
    COUNTS,
  );
  for (const { id, url, title, content_text, _stacosys } of items) {
    assert.equal(url, id);
    assert.ok(title && content_text);
    assert.deepEqual([_stacosys.url, _stacosys.feed_url], [`${id}#comments`, `${id}comments.atom`]);
  }
});

test('a feed of comments holds whatever was written, as it was written', async (t) => {
  const { page } = await visit(t, 'about:blank');
  const feed = await parseXml(page, outputOf().read('post/hostile/comments.atom'));
  const entries = all(feed, 'entry').reverse(); // oldest first
  const newest = HOSTILE_COMMENTS.slice(-100);
  assert.equal(entries.length, newest.length);
  for (const [index, entry] of entries.entries()) {
    const { author = '', content = '', site } = newest[index] ?? {};
    const [person] = all(entry, 'author');
    assert.ok(person);
    assert.equal(text(person, 'name'), asXml(author));
    assert.equal(text(person, 'uri'), site && asXml(site));
    assert.equal(
      await safeHtml(page, text(entry, 'content')),
      await safeHtml(page, asXml(renderMarkdown(content))),
    );
    assert.match(text(entry, 'id') ?? '', /^https:\/\/example\.org\/blog\/post\/hostile\/#comment-\d+/);
  }
});

test('the feed of all comments is that of the pages that show them, newest first', async (t) => {
  const { page } = await visit(t, 'about:blank');
  const feed = await parseXml(page, outputOf().read('comments.atom'));
  assert.deepEqual(authors(feed).slice(0, 3), ['Bo', 'Ed', 'Ann']);
  assert.ok(!authors(feed).some((name) => /^(?:Cy|Di)$/.test(name)), 'of a hidden and of a gone page');
  const [newest] = all(feed, 'entry');
  assert.ok(newest);
  assert.equal(text(newest, 'published'), '2026-12-01T12:00:00+01:00'); // winter in Paris
  assert.equal(text(feed, 'updated'), '2026-12-01T12:00:00+01:00');
  assert.equal(
    all(newest, 'thr:in-reply-to')[0]?.attributes.ref,
    'https://example.org/blog/post/one/', // under whose alias it was written
  );
});

test('a section and an article have a feed of their own comments', async (t) => {
  const { page } = await visit(t, 'about:blank');
  assert.deepEqual(authors(await parseXml(page, outputOf().read('note/comments.atom'))), ['Ed']);
  const article = await parseXml(page, outputOf().read('post/one/comments.atom'));
  assert.deepEqual(authors(article), ['Bo', 'Ann', 'Fi']);
  const dates = all(article, 'entry').map((entry) => text(entry, 'published'));
  assert.equal(dates[2], '2024-01-02T00:00:00+01:00', 'without a date of its own, that of the article');
  assert.deepEqual(authors(await parseXml(page, outputOf().read('post/hidden/comments.atom'))), []);
});

test('search engines are told the count and the newest comments, whatever those hold', async (t) => {
  const { page } = await visit(t, 'about:blank');
  await page.setContent(outputOf().read('post/hostile/index.html'));
  const scripts = await page.locator('script').allTextContents();
  assert.equal(scripts.length, 1);
  const data = JSON.parse(scripts[0] ?? '');
  assert.equal(data['@id'], 'https://example.org/blog/post/hostile/');
  assert.equal(data['@type'], 'BlogPosting');
  assert.equal(data.commentCount, HOSTILE_COMMENTS.length);
  assert.equal(data.interactionStatistic.userInteractionCount, HOSTILE_COMMENTS.length);
  assert.equal(data.discussionUrl, 'https://example.org/blog/post/hostile/#comments');
  const newest = HOSTILE_COMMENTS.slice(-20);
  const words = (/** @type {string} */ string) => string.replace(/\s/g, '');
  assert.deepEqual(
    data.comment.map((/** @type {any} */ { author, text, dateCreated }) => [
      author.name,
      words(text),
      dateCreated,
    ]),
    await Promise.all(
      newest.map(async ({ author, content, date }) => [
        author,
        words(await textOf(page, renderMarkdown(content))),
        date.replace(' ', 'T'),
      ]),
    ),
  );
});

test('a page tells readers of its feeds, and those of the site', async (t) => {
  const { page } = await visit(t, 'about:blank');
  await page.setContent(outputOf().read('post/one/index.html'));
  const links = await page
    .locator('link[rel=alternate]')
    .evaluateAll((found) => found.map((link) => [link.getAttribute('type'), link.getAttribute('href')]));
  assert.deepEqual(links, [
    ['application/atom+xml', 'https://example.org/blog/feed.atom'],
    ['application/atom+xml', 'https://example.org/blog/comments.atom'],
    ['application/feed+json', 'https://example.org/blog/feed.json'],
    ['application/rss+xml', 'https://example.org/blog/feed.xml'],
    ['application/atom+xml', 'https://example.org/blog/post/one/comments.atom'],
  ]);
});

/** @param {string} [version] of Hugo */
function outputOf(version = HUGO_LATEST) {
  const output = built[version];
  assert.ok(output);
  return output;
}

/** @param {Record<string, number>} counts by address; the home page may have its own choice of sections */
function postsOf(counts) {
  return Object.fromEntries(Object.entries(counts).filter(([url]) => url.includes('/post/')));
}

/** @param {import('./xml.js').Element} feed */
function authors(feed) {
  return all(feed, 'entry').map((entry) => text(all(entry, 'author')[0] ?? entry, 'name') ?? '');
}

/** @param {unknown} string of a comment as the API answers it */
function clean(string) {
  return String(string).toWellFormed().replaceAll('\0', '');
}

/**
 * @param {string} string
 * @returns {string} what an XML parser can see of it
 */
function asXml(string) {
  return string.replace(/[\x01-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '').replace(/\r\n?/g, '\n');
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} html
 */
function textOf(page, html) {
  return page.evaluate(
    (source) => String(new DOMParser().parseFromString(source, 'text/html').body.textContent),
    html,
  );
}

/** What Markdown can come to. */
const SAFE =
  ':not(p, br, strong, em, code, pre, blockquote, ul, ol, li, hr, a[href^="http"], a[href^="mailto:"])';

/**
 * @param {import('playwright-core').Page} page
 * @param {string} [html]
 * @returns {Promise<string>} as the browser reads it
 */
function safeHtml(page, html = '') {
  return page.evaluate(
    ([source = '', unsafe = '']) => {
      const { body } = new DOMParser().parseFromString(source, 'text/html');
      if (body.querySelector(unsafe)) throw new Error(`More than text came of ${source}`);
      return body.innerHTML;
    },
    [html, SAFE],
  );
}
