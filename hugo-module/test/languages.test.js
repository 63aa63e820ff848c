/* Sites in several languages: whose comments a page shows, and under which url it files new ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HUGO_VERSIONS } from '../../scripts/tools.js';
import { STRICT, build, makeSite, textLines } from './hugo-site.js';

/** @typedef {import('node:test').TestContext} TestContext */

const page = (/** @type {string} */ title, /** @type {string} */ matter = '') =>
  `---\ntitle: ${title}\n${matter}---\nText.\n`;

/** "One" is there in three languages, each with an address of its own; "Alone" in one. */
const CONTENT = {
  'content/one.en.md': page('One', 'aliases: ["/before/"]\n'),
  'content/one.fr.md': page('Un', 'slug: un\n'),
  'content/one.de.md': page('Eins', 'slug: eins\n'),
  'content/alone.en.md': page('Alone'),
  'content/posts/_index.en.md': page('Posts'),
  'content/posts/_index.fr.md': page('Billets'),
  'content/posts/hidden.en.md': page('Hidden'),
  'content/posts/hidden.fr.md': page('Caché', 'draft: true\n'),
};

/** What each page counts: title, number, and the urls that its script asks for. */
const LAYOUTS = {
  'layouts/index.html': `{{ range site.Pages }}{{ if or .File .IsHome }}
{{- slice (cond .IsHome "Home" .Title) (partial "stacosys/funcs/count.html" .) (partial "stacosys/funcs/filed.html" .).urls (partial "stacosys/funcs/label.html" .) | jsonify | safeHTML }}
{{ end }}{{ end }}total {{ partial "stacosys/funcs/total.html" . }}`,
  'layouts/_default/single.html': '{{ partial "stacosys/comments.html" . }}',
  'layouts/_default/list.html': '{{ range .Pages }}{{ partial "stacosys/count.html" . }}\n{{ end }}',
};

const COUNTS = {
  '/': 1,
  '/fr/': 2,
  '/de/': 4,
  '/one/': 10,
  '/before/': 20,
  '/fr/un/': 40,
  '/de/eins/': 80,
  '/alone/': 5,
  '/posts/': 100,
  '/fr/posts/': 200,
  '/posts/hidden/': 3,
  '/fr/posts/hidden/': 6,
};

const TOTAL = Object.values(COUNTS).reduce((sum, count) => sum + count);

const LANGUAGES = `[languages.en]
weight = 1
[languages.fr]
weight = 2
[languages.de]
weight = 3
`;

/**
 * @param {TestContext} t
 * @param {string} version of Hugo
 * @param {{config: string, counts?: Record<string, number>, args?: string[]}} site
 */
function built(t, version, { config, counts = COUNTS, args = STRICT }) {
  const files = {
    'hugo.toml': `theme = "hugo-stacosys"
baseURL = "https://example.org/"
defaultContentLanguage = "en"
disableKinds = ["taxonomy", "term", "RSS", "sitemap", "404"]
${config}`,
    'data/stacosys/counts.json': JSON.stringify(counts),
  };
  const output = build(makeSite(t, { ...CONTENT, ...LAYOUTS, ...files }), version, args);
  assert.equal(output.status, 0, output.log);
  return output;
}

/**
 * @param {import('./hugo-site.js').Built} output
 * @param {string} home of a language
 * @returns {Record<string, {count: number, urls: string[], label: string}>} by title
 */
function shownAt(output, home) {
  const lines = textLines(output.read(home)).filter((line) => line.startsWith('['));
  return Object.fromEntries(
    lines
      .map((line) => JSON.parse(line))
      .map(([title, count, urls, label]) => [title, { count, urls, label }]),
  );
}

/** @param {ReturnType<typeof shownAt>} shown */
function numbersIn(shown) {
  return Object.fromEntries(Object.entries(shown).map(([title, { count }]) => [title, count]));
}

for (const version of HUGO_VERSIONS) {
  test(`each translation has its own comments, and the words of its language (Hugo ${version})`, (t) => {
    const output = built(t, version, { config: LANGUAGES });
    const english = shownAt(output, 'index.html');
    assert.deepEqual(numbersIn(english), { Home: 1, One: 30, Alone: 5, Posts: 100, Hidden: 3 });
    const french = shownAt(output, 'fr/index.html');
    assert.deepEqual(numbersIn(french), { Home: 2, Un: 40, Billets: 200 });
    assert.deepEqual(numbersIn(shownAt(output, 'de/index.html')), { Home: 4, Eins: 80 });
    assert.deepEqual(french.Un?.urls, ['/fr/un/']);
    assert.deepEqual([english.Posts?.label, french.Billets?.label], ['100 comments', '200 commentaires']);
  });

  test(`the same number is in each language's own words in a list (Hugo ${version})`, (t) => {
    const counts = { '/posts/hidden/': 3, '/fr/posts/hidden/': 3 };
    const { read } = built(t, version, { config: LANGUAGES, counts, args: [...STRICT, '--buildDrafts'] });
    assert.deepEqual(textLines(read('posts/index.html')), ['3 comments']);
    assert.deepEqual(textLines(read('fr/posts/index.html')), ['3 commentaires']);
  });

  test(`with shared = true translations count together, and the total counts each once (Hugo ${version})`, (t) => {
    const output = built(t, version, { config: `[params.stacosys]\nshared = true\n${LANGUAGES}` });
    const homes = ['index.html', 'fr/index.html', 'de/index.html'];
    const [english, french, german] = homes.map((home) => numbersIn(shownAt(output, home)));
    // The French draft is no page of the site: its comments are those of nobody
    assert.deepEqual(english, { Home: 7, One: 150, Alone: 5, Posts: 300, Hidden: 3 });
    assert.deepEqual(french, { Home: 7, Un: 150, Billets: 300 });
    assert.deepEqual(german, { Home: 7, Eins: 150 });
    for (const home of homes) assert.ok(output.read(home).endsWith(`total ${TOTAL}`), home);
  });

  test(`with shared = true a page lists all, and files new comments under its own key (Hugo ${version})`, (t) => {
    const output = built(t, version, { config: `[params.stacosys]\nshared = true\n${LANGUAGES}` });
    for (const [file, own] of Object.entries({
      'one/index.html': '/one/',
      'fr/un/index.html': '/fr/un/',
      'de/eins/index.html': '/de/eins/',
    })) {
      const html = output.read(file);
      assert.ok(html.includes(`name="url" value="${own}"`), html);
      const [, requests = ''] = /data-requests="([^"]*)"/.exec(html) ?? [];
      const urls = requests
        .split(' ')
        .map((request) => new URL(request, 'https://x').searchParams.get('url'));
      assert.equal(urls[0], own);
      assert.deepEqual(urls.toSorted(), ['/before/', '/de/eins/', '/fr/un/', '/one/']);
    }
  });

  test(`shared = true needs no translations, nor a second language (Hugo ${version})`, (t) => {
    const output = built(t, version, {
      config: '[params.stacosys]\nshared = true\n',
      counts: { '/alone/': 5 },
    });
    const { Alone } = shownAt(output, 'index.html');
    assert.deepEqual(Alone, { count: 5, urls: ['/alone/'], label: '5 comments' });
  });

  test(`in a preview a translation finds the live comments, shared or not (Hugo ${version})`, (t) => {
    const args = [...STRICT, '--baseURL', 'https://preview.example/pr-12/'];
    const config = `[params.stacosys]\nbasePath = "/"\n${LANGUAGES}`;
    const own = shownAt(built(t, version, { config, args }), 'fr/index.html');
    assert.deepEqual([own.Un?.count, own.Un?.urls], [40, ['/fr/un/']]);
    const shared = config.replace('basePath', 'shared = true\nbasePath');
    const all = shownAt(built(t, version, { config: shared, args }), 'fr/index.html');
    assert.equal(all.Un?.count, 150);
    assert.deepEqual(all.Un?.urls[0], '/fr/un/');
  });

  test(`languages on hosts of their own share paths, which is a warning that says what to do (Hugo ${version})`, (t) => {
    const { log } = built(t, version, { config: hosts(''), args: [] });
    const advice = 'basePath = "/fr/" under [languages.fr.params.stacosys]';
    const warnings = log.split('\n').filter((line) => line.includes('Stacosys stores no host'));
    assert.equal(warnings.length, 2, log); // one a language
    assert.ok(
      warnings.some((line) => line.includes(advice)),
      log,
    );
  });

  test(`languages on hosts of their own have comments of their own by their basePath (Hugo ${version})`, (t) => {
    const counts = { '/one/': 1, '/before/': 2, '/fr/one/': 4, '/fr/before/': 8, '/fr/un/': 16, '/un/': 32 };
    const output = built(t, version, { config: hosts('basePath = "/fr/"'), counts });
    const english = shownAt(output, 'en/index.html');
    const french = shownAt(output, 'fr/index.html');
    assert.deepEqual([english.One?.count, english.One?.urls.toSorted()], [3, ['/before/', '/one/']]);
    assert.deepEqual([french.Un?.count, french.Un?.urls], [16, ['/fr/un/']]);
    assert.match(output.read('fr/un/index.html'), /name="url" value="\/fr\/un\/"/);
  });

  test(`languages on hosts of their own may share their comments (Hugo ${version})`, (t) => {
    const counts = { '/one/': 1, '/before/': 2, '/fr/un/': 4 };
    const french = 'shared = true\nbasePath = "/fr/"';
    const config = hosts(french, '[languages.en.params.stacosys]\nshared = true');
    const output = built(t, version, { config, counts });
    assert.equal(shownAt(output, 'en/index.html').One?.count, 7);
    const { Un } = shownAt(output, 'fr/index.html');
    assert.equal(Un?.count, 7);
    assert.equal(Un?.urls[0], '/fr/un/');
  });
}

/**
 * @param {string} french parameters of that language
 * @param {string} [more]
 */
function hosts(french, more = '') {
  return `[languages.en]
weight = 1
baseURL = "https://example.org/"
[languages.fr]
weight = 2
baseURL = "https://example.fr/"
[languages.fr.params.stacosys]
${french}
${more}
`;
}
