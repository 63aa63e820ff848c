/*
 * One blog with every kind of page, in every place and shape that Hugo can give it: each page has to
 * find its own comments, and to file new ones where the live site looks for them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HUGO_LATEST, HUGO_VERSIONS } from '../../scripts/tools.js';
import { STRICT, build, makeSite, textLines } from './hugo-site.js';

/**
 * @typedef {import('node:test').TestContext} TestContext
 * @typedef {{path: string, count: number, link: string, urls: string[]}} Shown what a page says of itself
 */

const page = (/** @type {string} */ matter = '') => `---\ntitle: A page\n${matter}---\nText.\n`;

/** Hugo 0.168 ends the build at the old name, Hugo 0.111 knows no other. */
const buildOptions = (/** @type {string} */ version, /** @type {string} */ options) =>
  `${version.startsWith('0.111') ? '_build' : 'build'}:\n${options}`;

/** What each page that has an address is filed under, in a site without a folder. */
const KEYS = [
  '/',
  '/about/',
  '/posts/',
  '/posts/leaf/',
  '/posts/branch/',
  '/posts/branch/child/',
  '/posts/unlisted/',
  '/posts/linked/',
  '/posts/without-resources/',
  '/posts/UPPER/',
  '/posts/a-slug/',
  '/posts/moved/',
  '/odd/',
  '/odd/place/',
  '/odd/file.html',
  '/odd/%C3%A9t%C3%A9/',
  '/tags/',
  '/tags/two-words/',
];

/** Other comments, which nobody may show: these pages are not in the site, or have no address. */
const NOWHERE = [
  '/posts/draft/',
  '/posts/expired/',
  '/posts/future/',
  '/posts/hidden/',
  '/posts/leaf/part/',
  '/headless/',
];

/** Where a page was before, and the comments that it has there. */
const RENAMED = { key: '/posts/moved/', '/before/': 10_000, '/posts/beside/': 20_000 };

/** No two keys have the same number. */
const numberOf = (/** @type {string} */ key) => 101 + KEYS.indexOf(key);

/** @param {string} key of a page in the site */
const countOf = (key) => numberOf(key) + (key === RENAMED.key ? 30_000 : 0);

/**
 * @param {(key: string) => string} place where the site lies that the comments are from
 * @returns {Record<string, string>} the data file
 */
function counts(place) {
  const own = KEYS.map((key) => [place(key), numberOf(key)]);
  const before = ['/before/', '/posts/beside/'].map((key) => [
    place(key),
    RENAMED[/** @type {'/before/'} */ (key)],
  ]);
  const none = NOWHERE.map((key) => [place(key), 999_999]);
  return { 'data/stacosys/counts.json': JSON.stringify(Object.fromEntries([...own, ...before, ...none])) };
}

/** @param {string} version */
const contentOf = (version) => ({
  'content/about.md': page(),
  'content/headless/index.md': page('headless: true\n'),
  'content/posts/_index.md': page(),
  'content/posts/leaf/index.md': page('tags: ["two words"]\n'),
  'content/posts/leaf/part.md': page(),
  'content/posts/branch/_index.md': page(),
  'content/posts/branch/child.md': page(),
  'content/posts/draft.md': page('draft: true\n'),
  'content/posts/expired.md': page('expiryDate: 2020-01-01\n'),
  'content/posts/future.md': page('date: 2999-01-01\n'),
  'content/posts/hidden.md': page(buildOptions(version, '  render: never\n')),
  'content/posts/unlisted.md': page(buildOptions(version, '  list: never\n')),
  'content/posts/linked.md': page(buildOptions(version, '  render: link\n')),
  'content/posts/without-resources/index.md': page(buildOptions(version, '  publishResources: false\n')),
  'content/posts/upper.md': page('url: /posts/UPPER/\n'),
  'content/posts/sluggish.md': page('slug: a-slug\n'),
  'content/posts/moved.md': page('aliases: ["/before/", "beside"]\n'),
  'content/odd/place-of-its-own.md': page('url: /odd/place/\n'),
  'content/odd/file-of-its-own.md': page('url: /odd/file.html\n'),
  'content/odd/summer.md': page('slug: été\n'),
});

/** What a page says of itself; everything in it is escaped as JSON, so it stands in one line. */
const SHOWN = `{{ $shown := dict "path" (urls.Parse .Permalink).Path "count" (partial "stacosys/funcs/count.html" .) "link" (partial "stacosys/count.html" . | plainify) "urls" (partial "stacosys/funcs/filed.html" .).urls }}
{{- printf "page:%s" ($shown | jsonify) | safeHTML }}
`;

const CONFIG = `theme = "hugo-stacosys"
baseURL = "https://blog.example/"
disableKinds = ["RSS", "sitemap", "404"]
`;

const TAXONOMIES = '[taxonomies]\ntag = "tags"\n';

const LAYOUTS = {
  'layouts/partials/shown.html': SHOWN,
  'layouts/_default/single.html': '{{ partial "shown.html" . }}{{ partial "stacosys/comments.html" . }}',
  'layouts/_default/list.html': `{{ partial "shown.html" . }}
{{ range (.Paginate .Pages 4).Pages }}{{ partial "shown.html" . }}{{ partial "stacosys/count.html" . }}
{{ end }}`,
  'layouts/index.html': `{{ partial "shown.html" . }}{{ partial "stacosys/comments.html" . }}
{{ range slice "/headless" "/posts/hidden" }}{{ with site.GetPage . }}nowhere:{{ partial "shown.html" . }}{{ end }}{{ end }}
{{ with site.GetPage "/posts/leaf" }}{{ range .Resources }}nowhere:{{ partial "shown.html" . }}{{ end }}{{ end }}
total:{{ partial "stacosys/funcs/total.html" . }}`,
};

/**
 * @param {TestContext} t
 * @param {string} version of Hugo
 * @param {{config?: string, baseURL?: string, files: Record<string, string>, args?: string[]}} shape
 */
function built(t, version, { config = '', baseURL = 'https://blog.example/', files, args = [] }) {
  const site = {
    'hugo.toml': `${CONFIG}${config}${TAXONOMIES}`,
    ...LAYOUTS,
    ...contentOf(version),
    ...files,
  };
  const output = build(makeSite(t, site), version, ['--baseURL', baseURL, ...STRICT, ...args]);
  assert.equal(output.status, 0, output.log);
  return output;
}

/**
 * @param {import('./hugo-site.js').Built} output
 * @returns {Shown[]} what each page says of itself, wherever it is shown
 */
function shownIn({ files, read }) {
  const lines = files()
    .filter((file) => file.endsWith('.html'))
    .flatMap((file) => textLines(read(file)));
  return lines
    .filter((line) => line.startsWith('page:'))
    .map((line) => JSON.parse(line.slice('page:'.length)));
}

/**
 * Every page of the site has to be there, each with its own number, and to file new comments under its key.
 *
 * @param {import('./hugo-site.js').Built} output
 * @param {(key: string) => string} pathOf what Hugo prints for the page of a key
 * @param {(key: string) => string} keyOf under which its comments are filed
 */
function assertEachFindsItsOwn(output, pathOf, keyOf = pathOf) {
  /** @type {Map<string, string>} */
  const keys = new Map(KEYS.map((key) => [decodeURI(pathOf(key)), key]));
  const seen = new Set();
  for (const { path, count, link, urls } of shownIn(output)) {
    if (path === '') {
      assert.deepEqual(
        { count, link, urls },
        { count: 0, link: '', urls: [] },
        'a list has a page without an address',
      );
      continue;
    }
    const key = keys.get(path);
    assert.ok(key, `${path} is no page of this site`);
    assert.equal(count, countOf(key), path);
    assert.equal(link, `${countOf(key).toLocaleString('en')} comments`, path);
    assert.equal(urls[0], keyOf(key), path);
    seen.add(key);
  }
  // Hugo has only the address of a page with `render: link`, and lists it
  assert.deepEqual([...seen].sort(), KEYS.filter((key) => key !== '/posts/linked/' || seen.has(key)).sort());
}

/** @param {string} folder with a slash at both ends */
const inFolder = (folder) => (/** @type {string} */ key) => folder + key.slice(1);

const asIs = inFolder('/');

for (const version of HUGO_VERSIONS) {
  test(`every kind of page finds its own comments (Hugo ${version})`, (t) => {
    const output = built(t, version, { files: counts(asIs) });
    assertEachFindsItsOwn(output, asIs);
    const home = textLines(output.read('index.html'));
    const nowhere = home
      .filter((line) => line.startsWith('nowhere:'))
      .map((line) => JSON.parse(line.slice('nowhere:page:'.length)));
    assert.deepEqual(
      nowhere,
      Array.from({ length: 3 }, () => ({ count: 0, link: '', path: '', urls: [] })),
    );
    assert.match(output.read('posts/page/2/index.html'), /class="stacosys-count"/);
    assert.match(output.read('index.html'), /name="url" value="\/"/);
  });

  test(`a blog in a folder has keys with that folder, however Hugo writes its links (Hugo ${version})`, (t) => {
    const place = inFolder('/my%20blog/');
    const baseURL = 'https://example.org/my%20blog/';
    for (const config of [
      '',
      'canonifyURLs = true\n',
      'relativeURLs = true\n',
      'disablePathToLower = true\n',
    ]) {
      assertEachFindsItsOwn(built(t, version, { config, baseURL, files: counts(place) }), place);
    }
  });

  test(`with ugly urls, every kind of page finds its own comments (Hugo ${version})`, (t) => {
    const config = 'uglyURLs = true\n';
    const printed = shownIn(built(t, version, { config, files: counts(asIs) })).map(({ path }) => path);
    const ugly = (/** @type {string} */ key) => key.replace(/(.)\/$/, '$1.html');
    const isPretty = (/** @type {string} */ key) => !printed.includes(decodeURI(ugly(key)));
    const place = (/** @type {string} */ key) => (isPretty(key) ? key : ugly(key));
    assert.ok(place('/about/') === '/about.html' && place('/') === '/');
    const output = built(t, version, { config, files: counts(place) });
    const indexOf = (/** @type {string} */ key) =>
      printed.find((path) => path === `${decodeURI(key)}index.html`);
    assertEachFindsItsOwn(output, (key) => encodeURI(indexOf(key) ?? '') || place(key), place);
  });

  test(`a preview under another path shows the live comments, and files new ones there (Hugo ${version})`, (t) => {
    for (const [live, preview] of /** @type {const} */ ([
      ['/', '/pr-12/'],
      ['/blog/', '/'],
      ['/blog/', '/pr-12/blog/'],
      ['/my%20blog/', '/%C3%A9t%C3%A9/'],
    ])) {
      const config = `[params.stacosys]\nbasePath = "${live}"\n`;
      const keyOf = inFolder(live);
      for (const folder of [live, preview]) {
        const baseURL = `https://preview.example${folder}`;
        const output = built(t, version, { config, baseURL, files: counts(keyOf) });
        assertEachFindsItsOwn(output, inFolder(folder), keyOf);
        const home = output.read('index.html');
        assert.match(home, new RegExp(`name="url" value="${live}"`));
        assert.ok(home.includes(`data-requests="/api/comments?${new URLSearchParams({ url: live })}"`), home);
        assert.match(
          output.read('posts/index.html'),
          new RegExp(`href="${folder}posts/leaf/#comments"`, 'i'),
        );
      }
    }
  });

  test(`without basePath a preview shows no comment of another page (Hugo ${version})`, (t) => {
    const output = built(t, version, { baseURL: 'https://preview.example/posts/', files: counts(asIs) });
    const seen = shownIn(output);
    assert.ok(seen.length >= KEYS.length);
    // Its home page is at the address of the live list: nobody can tell these apart
    for (const { path, count } of seen.filter(({ path }) => path !== '/posts/')) {
      assert.equal(count, 0, path);
    }
  });

  test(`the redirect page of the live site may be named in a preview (Hugo ${version})`, (t) => {
    for (const [live, redirect] of /** @type {const} */ ([
      ['/', '/about/'],
      ['/blog/', '/blog/about/'],
      ['/', '/pr-12/about/'],
      ['/', '/thanks/'],
    ])) {
      const config = `[params.stacosys]\nbasePath = "${live}"\nredirect = "${redirect}"\n`;
      const files = { ...counts(asIs), 'static/thanks/index.html': '' };
      built(t, version, { config, baseURL: 'https://preview.example/pr-12/', files });
    }
  });

  test(`a page counts as soon as it is in the site: a draft, a future one (Hugo ${version})`, (t) => {
    const args = ['--buildDrafts', '--buildFuture', '--buildExpired'];
    const seen = shownIn(built(t, version, { files: counts(asIs), args }));
    for (const key of ['/posts/draft/', '/posts/future/', '/posts/expired/']) {
      assert.equal(seen.find(({ path }) => path === key)?.count, 999_999, key);
    }
  });

  test(`data in a folder of another name is found by a mount (Hugo ${version})`, (t) => {
    const mounts = `[module]
[[module.mounts]]
source = "data"
target = "data"
[[module.mounts]]
source = "daten"
target = "data"
`;
    const files = { ...counts(asIs), 'daten/people.json': '{"ann": 1}' };
    assertEachFindsItsOwn(built(t, version, { config: mounts, files }), asIs);
    const wrong = { 'hugo.toml': `dataDir = "daten"\n${CONFIG}`, ...LAYOUTS, ...files };
    const { log } = build(makeSite(t, wrong), version);
    assert.match(log, /there is no data\/stacosys\/counts\.json/);
  });
}

test('a page of a content adapter finds its own comments', (t) => {
  const adapter = '{{ range slice "one" "two" }}{{ $.AddPage (dict "path" . "title" .) }}{{ end }}';
  const site = makeSite(t, {
    'content/adapted/_content.gotmpl': adapter,
    ...LAYOUTS,
    'data/stacosys/counts.json': '{"/adapted/one/": 1, "/adapted/two/": 2, "/adapted/": 3}',
  });
  const { read, log, status } = build(site, HUGO_LATEST, STRICT);
  assert.equal(status, 0, log);
  for (const [path, count] of Object.entries({ 'adapted/one': 1, 'adapted/two': 2, adapted: 3 })) {
    assert.match(
      read(`${path}/index.html`),
      new RegExp(`^page:{"count":${count},"link":"${count} comments?","path":"/${path}/"`),
      path,
    );
  }
});
