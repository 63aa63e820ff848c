import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HUGO_LATEST, HUGO_VERSIONS, ROOT } from '../../scripts/tools.js';
import { STRICT, build, makeSite } from './hugo-site.js';

const HEADINGS = {
  papermod: 'PaperMod',
  congo: 'Congo',
  blowfish: 'Blowfish',
  stack: 'Stack',
  ananke: 'Ananke',
  hextra: 'Hextra',
};

const THEMES = /** @type {(keyof typeof HEADINGS)[]} */ (Object.keys(HEADINGS));

/** These have a file of their own under the name that the module takes. */
const ORDER_MATTERS = ['papermod', 'ananke', 'hextra'];

/** The lists of the fixtures are sorted by title. */
const BLOG = {
  'content/post/a.md': article('A', 'tags: [green]\n'),
  'content/post/b.md': article('B'),
  'content/post/c.md': article('C'),
  'content/post/silent.md': article('Silent', 'comments: false\n'),
  'data/stacosys/counts.json': '{"/post/a/": 3, "/post/b/": 1, "/post/silent/": 7}',
};

for (const theme of THEMES) {
  for (const version of HUGO_VERSIONS) {
    test(`${HEADINGS[theme]}: lists count, articles have comments, each once (Hugo ${version})`, (t) => {
      const { config, files } = instructions(theme);
      const { read, status, log } = build(blog(t, theme, { config, files }), version, STRICT);
      assert.equal(status, 0, log);
      for (const list of lists(theme)) {
        assert.deepEqual(counts(read(list)), ['3 comments', '1 comment', 'No comments yet'], list);
        assert.ok(!/<script|stacosys\.css/.test(read(list)), `${list} asks for more than itself`);
        assertNoLinkInALink(read(list));
      }
      const section = sections(read('post/a/index.html'));
      assert.equal(section.length, 1, 'a reader sees no comments: is hugo-stacosys before the theme?');
      assert.match(section[0] ?? '', /Comments <span class="stacosys-number">3</);
      assert.deepEqual(sections(read('post/silent/index.html')), []);
      assert.deepEqual(counts(read('post/silent/index.html')), []);
    });
  }

  test(`${HEADINGS[theme]}: nothing shows before the theme's own switch is on`, (t) => {
    const { files } = instructions(theme);
    const site = blog(t, theme, { config: OTHER_SERVICE[theme] ?? '', files });
    const { read, status, log } = build(site, HUGO_LATEST, STRICT);
    assert.equal(status, 0, log);
    assert.match(read('post/index.html'), /A/);
    for (const list of lists(theme)) assert.deepEqual(counts(read(list)), []);
    assert.deepEqual(sections(read('post/a/index.html')), []);
  });

  test(`${HEADINGS[theme]}: after the theme, ${
    ORDER_MATTERS.includes(theme) ? 'the module shows no comments' : 'the module works all the same'
  }`, (t) => {
    const { config, files } = instructions(theme);
    const site = blog(t, theme, { config, files, themes: [theme, 'hugo-stacosys'] });
    const { read, status, log } = build(site, HUGO_LATEST, STRICT);
    assert.equal(status, 0, log);
    assert.equal(sections(read('post/a/index.html')).length, ORDER_MATTERS.includes(theme) ? 0 : 1);
    assert.equal(counts(read('post/index.html')).length, 3);
  });
}

test('PaperMod: the line keeps what the theme has in it, and no author writes HTML into it', (t) => {
  const { config, files } = instructions('papermod');
  const matter = 'date: 2026-11-20\nauthor: "A & <b>B</b>"\nShowReadingTime: true\n';
  const site = blog(t, 'papermod', {
    config,
    files: { ...files, 'content/post/a.md': article('A', matter) },
  });
  const { read } = build(site, HUGO_LATEST, STRICT);
  const line = /<div class="post-meta">(.*?)<\/div>/s.exec(read('post/a/index.html'))?.[1] ?? '';
  const parts = line.split('&nbsp;·&nbsp;').map((part) => part.replace(/<\/?(?:span|a)\b[^>]*>|\n/g, ''));
  assert.deepEqual(parts, ['November 20, 2026', '1 min', 'A &amp; &lt;b&gt;B&lt;/b&gt;', '3 comments']);
});

test('PaperMod: the link to the comments lies above the one that covers an article', (t) => {
  const { config, files } = instructions('papermod');
  const own = { 'assets/css/extended/own.css': '/* Of the blog */' };
  const site = blog(t, 'papermod', { config, files: { ...files, ...own } });
  for (const version of HUGO_VERSIONS) {
    const { read } = build(site, version, STRICT);
    assert.match(read('post/index.html'), /href="[^"]*\/css\/all\.css"/);
    assert.match(read('css/all.css'), /\.stacosys-count \{[^}]*z-index: 1/);
    for (const other of ['Of the blog', 'For the site to fill']) {
      assert.ok(read('css/all.css').includes(other));
    }
  }
});

test('Hextra: a page says by itself whether it has comments', (t) => {
  const { config, files } = instructions('hextra');
  const off = config.replace('enable = true', 'enable = false');
  assert.notEqual(off, config);
  const own = { 'content/post/c.md': article('C', 'comments: true\n') };
  const { read } = build(
    blog(t, 'hextra', { config: off, files: { ...files, ...own } }),
    HUGO_LATEST,
    STRICT,
  );
  assert.deepEqual(counts(read('post/index.html')), ['No comments yet']);
  assert.equal(sections(read('post/c/index.html')).length, 1);
  assert.equal(sections(read('post/a/index.html')).length, 0);
});

for (const theme of /** @type {const} */ (['stack', 'hextra'])) {
  test(`${HEADINGS[theme]}: css = false leaves out the style sheet of the adapter, too`, (t) => {
    const { config, files } = instructions(theme);
    const sheets = (/** @type {string} */ more) => {
      const site = blog(t, theme, { config: `${config}${more}`, files });
      const article = build(site, HUGO_LATEST, STRICT).read('post/a/index.html');
      assert.equal(sections(article).length, 1);
      return [...article.matchAll(/href="([^"]*)\.min\.[0-9a-f]{64}\.css"/g)].map(([, file]) => file).sort();
    };
    assert.deepEqual(sheets(''), ['/stacosys/stacosys', `/stacosys/themes/${theme}/style`]);
    assert.deepEqual(sheets('\n[params.stacosys]\ncss = false\n'), []);
  });
}

/** A blog that had comments of another service, which need a switch of their own. @type {Record<string, string>} */
const OTHER_SERVICE = { stack: '[params.comments]\nenabled = true\nprovider = "disqus"\n' };

/**
 * What the page of instructions tells the owner of a blog to write, so that the page is tested, too.
 *
 * @param {keyof typeof HEADINGS} theme
 * @returns {{config: string, files: Record<string, string>}}
 */
function instructions(theme) {
  const page = readFileSync(join(ROOT, 'hugo-module/adapters/README.md'), 'utf8');
  const part = page.split(/^## /m).find((part) => part.startsWith(`${HEADINGS[theme]}\n`)) ?? '';
  const config = /```toml\n(.*?)```/s.exec(part)?.[1];
  assert.ok(config, `the page says nothing on ${theme}`);
  const template = /```go-html-template\n(.*?)```/s.exec(part)?.[1] ?? '';
  const paths = [...part.matchAll(/`(layouts\/\S+\.html)`/g)].map(([, path]) => path);
  assert.equal(paths.length > 0, template !== '');
  return { config, files: Object.fromEntries(paths.map((path) => [path, template])) };
}

/**
 * @param {import('node:test').TestContext} t
 * @param {string} theme
 * @param {{config: string, files: Record<string, string>, themes?: string[]}} site
 */
function blog(t, theme, { config, files, themes = ['hugo-stacosys', theme] }) {
  const top = `baseURL = "https://example.org/"\ntheme = ${JSON.stringify(themes)}\n`;
  const kinds = 'disableKinds = ["term", "RSS", "sitemap", "404"]\n';
  const folder = makeSite(
    t,
    { ...BLOG, ...files, 'hugo.toml': `${top}${kinds}${config}` },
    { layouts: false },
  );
  cpSync(join(import.meta.dirname, 'themes', theme), join(folder, 'themes', theme), { recursive: true });
  return folder;
}

/**
 * @param {string} title
 * @param {string} [matter]
 */
function article(title, matter = '') {
  return `---\ntitle: ${title}\n${matter}---\nText.\n`;
}

/** @param {string} theme */
function lists(theme) {
  return theme === 'ananke' ? ['index.html', 'post/index.html'] : ['post/index.html'];
}

/** @param {string} html */
function counts(html) {
  const pattern = /<(a|span) class="stacosys-count[^>]*>(.*?)<\/\1>/gs;
  return [...html.matchAll(pattern)].map(([, , text]) => text?.replace('&nbsp;', '').trim());
}

/** @param {string} html */
function sections(html) {
  return html.match(/<section class="stacosys".*?<\/section>/gs) ?? [];
}

/** @param {string} html a browser would end the outer link there */
function assertNoLinkInALink(html) {
  assert.ok(!/<a\b[^>]*>(?:(?!<\/a>).)*<a\b/s.test(html), html);
}
