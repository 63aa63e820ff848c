import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { HUGO_LATEST, HUGO_VERSIONS } from '../../scripts/tools.js';
import { fetchData } from '../../stacosys-hook/src/remote.js';
import { temporaryFolder } from '../../stacosys-hook/test/database.js';
import { article } from '../../stacosys-hook/test/hugo-site.js';
import { bakedFiles, countFiles } from './baked-comments.js';
import { STRICT, WHOLE_FILE, build, makeSite, textLines } from './hugo-site.js';

/** @typedef {import('./hugo-site.js').Built} Built */

const CONFIG = `baseURL = "https://example.org/blog/"
theme = "hugo-stacosys"
title = "Home"
timeZone = "Europe/Paris"
defaultContentLanguage = "en"
disableKinds = ["RSS", "404"]
[taxonomies]
tag = "tags"
[languages.en]
weight = 1
[languages.fr]
weight = 2
`;

/** The day of the build: 30 days before it is the 22nd of October. */
const TODAY = ['--clock', '2026-11-21T12:00:00Z'];

/** One list a line: what it is, then what a template made of it. */
const LISTS = {
  'most discussed': 'most-discussed.html" .',
  'two most discussed': 'most-discussed.html" (dict "limit" 2)',
  'most discussed in 30 days': 'most-discussed.html" (dict "days" 30 "page" .)',
  'most discussed notes': 'most-discussed.html" (dict "pages" (where site.RegularPages "Section" "note"))',
  recent: 'recent-comments.html" .',
  'two recent': 'recent-comments.html" (dict "limit" 2)',
  'recent in notes': 'recent-comments.html" (dict "pages" (where site.RegularPages "Section" "note"))',
  uncommented: 'uncommented.html" .',
  'one uncommented': 'uncommented.html" (dict "limit" 1)',
  'uncommented notes': 'uncommented.html" (dict "pages" (where site.RegularPages "Section" "note"))',
  'no limit': 'most-discussed.html" (dict "limit" 0)',
};

const SUMS = {
  section: '((site.GetPage "/post").RegularPagesRecursive)',
  tag: '((site.GetPage "/tags/x").Pages)',
  author: '(where site.RegularPages "Params.author" "Ada")',
  nothing: '(slice)',
};

const HOME = `${Object.entries(LISTS)
  .map(([name, call]) => `<h2>${name}</h2>{{ partial "stacosys/${call} }}`)
  .join('\n')}
<pre>${Object.entries(SUMS)
  .map(([name, pages]) => `${name} {{ partial "stacosys/funcs/sum-of.html" ${pages} }}`)
  .join('\n')}</pre>
{{ partial "stacosys/endpoint.html" . }}`;

const HOSTILE = '</p><script>probe()</script>" onclick="probe()" {{ .Site }} {{< x >}} \u202e';

const COMMENTS = [
  ...['2020-01-01', '2020-01-02', '2020-01-03', '2026-10-22'].map((day) => comment('/blog/post/a/', day)),
  ...['2026-10-23', '2026-11-20', '2020-05-05'].map((day) => comment('/blog/post/b/', day)),
  comment('/blog/post/renamed/', '2026-11-10'),
  comment('blog/old/', '2026-11-12'),
  comment('blog/old/', '2019-11-12'),
  comment('/blog/note/n/', '2026-11-19', HOSTILE),
  comment('/blog/post/hidden/', '2026-11-21'),
  comment('/blog/gone/', '2026-11-21'),
  comment('/blog/fr/post/a/', '2026-11-21'),
  comment('/blog/', '2026-01-01'),
];

const PAGES = {
  'content/post/_index.md': article({ title: 'Posts' }),
  'content/post/a.en.md': article({ title: 'A <i>&', date: '2020-01-01', tags: ['x'], author: 'Ada' }),
  'content/post/a.fr.md': article({ title: 'A fr', date: '2020-01-01' }),
  'content/post/b.md': article({ title: 'B', date: '2020-01-02', tags: ['x', 'y'], author: 'Bo' }),
  'content/post/c.md': article({ title: 'C', date: '2020-01-03', author: 'Ada' }),
  'content/post/d.md': article({ title: 'D', date: '2020-01-04' }),
  'content/post/renamed.md': article({ title: 'Renamed', date: '2020-01-05', aliases: ['/old/'] }),
  'content/post/hidden.md': article({ title: 'Hidden', date: '2027-01-01', comments: false }),
  'content/note/n.md': article({ title: 'N', date: '2020-01-06', author: 'Ada' }),
  'content/note/o.md': article({ title: 'O', date: '2020-01-07' }),
};

/** @type {Record<string, Built>} */
const built = {};
let site = '';

before(() => {
  site = makeSite(WHOLE_FILE, {
    'hugo.toml': CONFIG,
    ...PAGES,
    'layouts/index.html': HOME,
    'layouts/_default/list.html': '',
    'layouts/_default/sitemap.xml': '{{ partial "stacosys/sitemap.html" . }}',
    ...bakedFiles(COMMENTS),
  });
  for (const version of HUGO_VERSIONS) {
    built[version] = build(site, version, [...STRICT, ...TODAY, '--buildFuture']);
    assert.equal(built[version].status, 0, built[version].log);
  }
});

test('two versions of Hugo make the same lists, sums, sitemap and endpoint', () => {
  const [oldest, latest] = HUGO_VERSIONS.map((version) => outputOf(version));
  const files = ['index.html', 'fr/index.html', 'en/sitemap.xml', 'fr/sitemap.xml'];
  const endpoint = ['counts', 'forms', 'spellings', 'total'].map((name) => `stacosys/${name}.json`);
  assert.deepEqual(
    latest?.files().filter((file) => file.startsWith('stacosys/')),
    endpoint.filter((file) => !file.includes('spellings')),
  );
  for (const file of [...files, 'stacosys/counts.json', 'stacosys/forms.json', 'stacosys/total.json']) {
    assert.equal(oldest?.read(file), latest?.read(file), file);
  }
});

test('the most discussed pages of a language come first, of two alike the newer one', () => {
  assert.deepEqual(list('most discussed'), [
    'A &lt;i&gt;&amp; 4 comments',
    'Renamed 3 comments',
    'B 3 comments',
    'Home 1 comment', // as new as its newest page
    'N 1 comment',
  ]);
  assert.deepEqual(list('two most discussed'), ['A &lt;i&gt;&amp; 4 comments', 'Renamed 3 comments']);
  assert.deepEqual(list('most discussed notes'), ['N 1 comment']);
  assert.deepEqual(list('no limit'), []);
  assert.deepEqual(list('most discussed', 'fr/index.html'), ['A fr 1 commentaire']);
});

test('the comments of the last days are those after as many days before the build', () => {
  assert.deepEqual(list('most discussed in 30 days'), ['Renamed 2 comments', 'B 2 comments', 'N 1 comment']);
});

test('a recent comment has its author, page, day and beginning, and leads to itself', () => {
  assert.equal(
    part('recent in notes').replace(/\s*\n\s*/g, ''),
    `<ol class="stacosys-recent" role="list"><li><p class="stacosys-about"><span class="stacosys-by" dir="auto">{}&lt;b&gt;</span> · <a class="stacosys-page" href="/blog/note/n/#comment-20261119120000">N</a> · <time class="stacosys-day" datetime="2026-11-19T12:00:00">November 19, 2026</time></p><p class="stacosys-excerpt" dir="auto">&lt;/p&gt;&lt;script&gt;probe()&lt;/script&gt;&#34; onclick=&#34;probe()&#34; {{ .Site }} {{&lt; x &gt;}} \u202e</p></li></ol>`,
  );
});

test('recent comments are those on pages of the language that show them, newest first', () => {
  const days = (/** @type {string} */ name, file = 'index.html') =>
    [...part(name, file).matchAll(/datetime="([\d-]+)T/g)].map(([, day]) => day);
  assert.deepEqual(days('recent'), ['2026-11-20', '2026-11-19', '2026-11-12', '2026-11-10', '2026-10-23']);
  assert.deepEqual(days('two recent'), ['2026-11-20', '2026-11-19']);
  assert.deepEqual(days('recent', 'fr/index.html'), ['2026-11-21']);
  assert.match(part('recent'), /href="\/blog\/post\/renamed\/#comment-20261112120000"/);
});

test('articles without a comment are those that could have one, the newest first', () => {
  assert.deepEqual(list('uncommented'), ['D', 'C']);
  assert.deepEqual(list('one uncommented'), ['D']);
  assert.deepEqual(list('uncommented notes'), ['O']);
});

test('comments are summed over a section, a tag, an author or nothing', () => {
  const [, sums = ''] = outputOf()
    .read('index.html')
    .split(/<\/?pre>/);
  // The function counts what a page hides, too
  assert.deepEqual(sums.split('\n'), ['section 11', 'tag 7', 'author 5', 'nothing 0']);
});

test('a sitemap takes the newest comment of a page as its change, by the clock of the site', () => {
  const entries = outputOf().read('en/sitemap.xml').split('<url>');
  const lastmod = Object.fromEntries(
    entries.map((entry) => [
      /<loc>(.*)<\/loc>/.exec(entry)?.[1],
      /<lastmod>(.*)<\/lastmod>/.exec(entry)?.[1],
    ]),
  );
  const url = (/** @type {string} */ path) => lastmod[`https://example.org/blog/${path}`];
  assert.equal(url('post/a/'), '2026-10-22T12:00:00&#43;02:00');
  assert.equal(url('post/renamed/'), '2026-11-12T12:00:00&#43;01:00');
  assert.equal(url('post/d/'), '2020-01-04T00:00:00&#43;01:00');
  assert.equal(url('post/hidden/'), '2027-01-01T00:00:00&#43;01:00');
});

test('the endpoint has the counts of all languages as the pages show them', () => {
  assert.deepEqual(JSON.parse(outputOf().read('stacosys/counts.json')), {
    '/blog/': 1,
    '/blog/fr/post/a/': 1,
    '/blog/note/n/': 1,
    '/blog/post/a/': 4,
    '/blog/post/b/': 3,
    '/blog/post/renamed/': 3,
  });
});

test('the total has every published comment, also of a page that is gone, and of one that shows none', () => {
  const { count } = JSON.parse(outputOf().read('stacosys/total.json'));
  assert.equal(count, COMMENTS.length);
  const shown = Object.values(JSON.parse(outputOf().read('stacosys/counts.json')));
  assert.equal(count - shown.reduce((sum, one) => sum + one), 2);
});

test('another machine bakes from the endpoint, and its pages ask for the same urls', async (t) => {
  const { data } = await fetchData('https://example.org/blog/stacosys/counts.json', temporaryFolder(t), {
    fetch: async (url) => served(String(url).replace('https://example.org/blog/', '')),
  });
  const urls =
    '{{ range site.RegularPages }}{{ partial "stacosys/funcs/count.html" . }} {{ delimit (partial "stacosys/funcs/filed.html" .).urls " " }}\n{{ end }}';
  const pages = {
    'hugo.toml': CONFIG,
    ...PAGES,
    'layouts/index.html': urls,
    'layouts/_default/list.html': '',
  };
  const [original, copy] = [countFiles(COMMENTS), filesOf(data)].map((files) => {
    const { read, log, status } = build(makeSite(t, { ...pages, ...files }), HUGO_LATEST, STRICT);
    assert.equal(status, 0, log);
    return textLines(read('index.html'));
  });
  const shown = (/** @type {string[] | undefined} */ lines) =>
    lines?.filter((line) => !line.includes('hidden'));
  assert.deepEqual(shown(copy), shown(original));
  assert.ok(shown(copy)?.includes('3 /blog/post/renamed/ blog/old/'), copy?.join('\n'));
});

for (const version of HUGO_VERSIONS) {
  test(`a list that needs baked comments names the command, once, where there are none (Hugo ${version})`, (t) => {
    const files = {
      'content/a.md': article(),
      'layouts/_default/single.html':
        '{{ partial "stacosys/recent-comments.html" . }}{{ partial "stacosys/most-discussed.html" (dict "days" 7) }}|{{ (partial "stacosys/funcs/lastmod.html" .).Year }}',
      'data/stacosys/counts.json': '{"/a/": 1}',
    };
    const { log, read } = build(makeSite(t, { ...files, 'content/b.md': article() }), version);
    assert.equal(read('a/index.html'), '|1');
    const warnings = log.match(/no data\/stacosys\/\w+\.json, .* run npx stacosys-hook bake --comments/g);
    assert.deepEqual(
      warnings?.map((text) => /\w+\.json/.exec(text)?.[0]).sort(),
      ['activity.json', 'recent.json'],
      log,
    );
  });

  test(`all that needs only counts is built without a warning where no comment is baked (Hugo ${version})`, (t) => {
    const partials = ['most-discussed', 'uncommented', 'endpoint', 'json-ld', 'feed/links', 'seen'];
    const { status, log } = build(
      makeSite(t, {
        'content/a.md': article({ date: '2024-01-01' }),
        'layouts/_default/single.html': partials
          .map((name) => `{{ partial "stacosys/${name}.html" . }}`)
          .join(''),
        'data/stacosys/counts.json': '{"/a/": 1}',
      }),
      version,
      STRICT,
    );
    assert.equal(status, 0, log);
  });

  test(`a wrong option ends the build and is named (Hugo ${version})`, (t) => {
    for (const [options, message] of /** @type {const} */ ([
      ['"limt" 3', /stacosys\/most-discussed\.html has no option "limt"/],
      ['"limit" "many"', /the option "limit" of stacosys\/most-discussed\.html is many: it must be a number/],
      ['"days" 500', /"days" of stacosys\/most-discussed\.html is 500: no more than 400/],
    ])) {
      const home = `{{ partial "stacosys/most-discussed.html" (dict ${options}) }}`;
      const { status, log } = build(makeSite(t, { 'layouts/index.html': home, ...countFiles([]) }), version);
      assert.notEqual(status, 0, options);
      assert.match(log, message);
    }
  });
}

/** @param {string} [version] of Hugo */
function outputOf(version = HUGO_LATEST) {
  const output = built[version];
  assert.ok(output);
  return output;
}

/**
 * @param {string} url
 * @param {string} day
 * @param {string} [content]
 * @returns {import('./baked-comments.js').Comment}
 */
function comment(url, day, content = 'Hello') {
  return { url, author: '{}<b>', content, date: `${day} 12:00:00` };
}

/**
 * @param {string} name of LISTS
 * @param {string} [file]
 * @returns {string} its HTML
 */
function part(name, file = 'index.html') {
  const [, html] = outputOf().read(file).split(`<h2>${name}</h2>`);
  assert.ok(html !== undefined, name);
  return html.split(/<h2>|<pre>/)[0]?.trim() ?? '';
}

/**
 * @param {string} name of LISTS
 * @param {string} [file]
 * @returns {string[]} the text of each item
 */
function list(name, file) {
  const items = part(name, file).match(/<li>.*?<\/li>/gs) ?? [];
  return items.map((item) => textLines(item).join(' ').replace(/\s+/g, ' '));
}

/** @param {string} file of the output */
function served(file) {
  return outputOf().files().includes(file)
    ? new Response(outputOf().read(file))
    : new Response('', { status: 404 });
}

/**
 * @param {import('../../stacosys-hook/src/data.js').Data} data
 * @returns {Record<string, string>}
 */
function filesOf(data) {
  const files = Object.entries(data).filter(([, bytes]) => bytes !== null);
  return Object.fromEntries(files.map(([name, bytes]) => [`data/stacosys/${name}.json`, String(bytes)]));
}
