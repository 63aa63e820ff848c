import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HUGO_VERSIONS } from '../../scripts/tools.js';
import { CONFIG, STRICT, build, makeSite, textLines } from './hugo-site.js';

const page = (/** @type {string} */ title, /** @type {string} */ matter = '') =>
  `---\ntitle: ${title}\n${matter}---\nText.\n`;

const counts = (/** @type {Record<string, number>} */ entries) => ({
  'data/stacosys/counts.json': JSON.stringify(entries),
});

const forms = (/** @type {Record<string, string[]>} */ entries) => ({
  'data/stacosys/forms.json': JSON.stringify(entries),
});

/**
 * @param {import('node:test').TestContext} t
 * @param {string} version of Hugo
 * @param {Record<string, string>} files of a site whose pages have titles of their own
 * @returns {Record<string, string[]>} title → the urls to ask for
 */
function urlsByTitle(t, version, files) {
  const layouts = { 'layouts/index.html': URLS, 'layouts/_default/single.html': '' };
  const { read, log, status } = build(makeSite(t, { ...files, ...layouts }), version, STRICT);
  assert.equal(status, 0, log);
  return Object.fromEntries(textLines(read('index.html')).map((line) => JSON.parse(line)));
}

for (const version of HUGO_VERSIONS) {
  test(`a count in a list is the one of the article where links are canonified, in a folder that is named like a language (Hugo ${version})`, (t) => {
    const config = `baseURL = "https://example.org/fr/"
theme = "hugo-stacosys"
canonifyURLs = true
defaultContentLanguage = "en"
disableKinds = ["taxonomy", "term", "RSS", "sitemap", "404"]
[languages.en]
[languages.fr]
`;
    const files = {
      'hugo.toml': config,
      'content/a.en.md': page('A'),
      'content/a.fr.md': page('A'),
      ...counts({ '/fr/a/': 1, '/fr/fr/a/': 5 }),
    };
    const { read, log, status } = build(makeSite(t, files), version, STRICT);
    assert.equal(status, 0, log);
    assert.deepEqual(textLines(read('index.html')), ['1 comment']);
    assert.deepEqual(textLines(read('fr/index.html')), ['5 commentaires']);
  });

  test(`a count in a list is that of an address with a question mark (Hugo ${version})`, (t) => {
    const files = { 'content/a.md': page('A', 'url: /x/q?y=1/\n'), ...counts({ '/x/q/': 4, '/x/q': 0 }) };
    const site = makeSite(t, {
      ...files,
      'layouts/index.html': `{{ range site.RegularPages }}{{ partial "stacosys/count.html" . }}
{{ partial "stacosys/funcs/label.html" . }}{{ end }}`,
    });
    const { read, log, status } = build(site, version, STRICT);
    assert.equal(status, 0, log);
    assert.deepEqual(textLines(read('index.html')), ['4 comments', '4 comments']);
  });
}

/** JSON would print a word where a url is no string, and null where there is no slice. */
const URLS = `{{ range site.RegularPages }}{{ slice .Title (partial "stacosys/funcs/filed.html" .).urls | jsonify | safeHTML }}
{{ end }}`;

/** What anybody may have posted as a url. */
const HOSTILE = [
  '/one/"quotes"',
  "/one/'quotes'`",
  '/one/</script><script>alert(1)</script>',
  '/one/{{ partial "x" }}',
  '/one/{{',
  '/one/\nline\r\t\0',
  '/one/😀',
  '/one/\ufffd\u2028\u202e',
  '/one/\\u0041&amp;%zz',
  ' one/ ',
  'https://blog.example/One/?q=1#frag',
  '__proto__',
  '12',
  'true',
  '2024-01-01',
];

for (const version of HUGO_VERSIONS) {
  test(`a page shows its count as a link to its comments (Hugo ${version})`, (t) => {
    const site = makeSite(t, { 'content/one.md': page('One'), ...counts({ '/one/': 3 }) });
    const { log, read } = build(site, version, STRICT);
    assert.equal(
      read('one/index.html').trim(),
      '<a class="stacosys-count" href="/one/#comments">3 comments</a>',
      log,
    );
  });

  test(`a page sums its own comments and those of its aliases, each once (Hugo ${version})`, (t) => {
    const aliases = 'aliases: ["/old/", "/old", "/older.html", "beside", "été (2)", "/one/"]\n';
    const site = makeSite(t, {
      'hugo.toml': CONFIG.replace('example.org/', 'example.org/blog/'),
      'content/post/one.md': page('One', aliases),
      ...counts({
        '/blog/post/one/': 1,
        '/blog/old/': 10,
        '/blog/older.html': 100,
        '/blog/post/beside/': 1000,
        '/blog/post/%C3%A9t%C3%A9%20%282%29/': 10000,
        '/old/': 500000,
      }),
    });
    assert.deepEqual(textLines(build(site, version).read('post/one/index.html')), ['11,111 comments']);
  });

  test(`an alias of a translation starts where Hugo puts it (Hugo ${version})`, (t) => {
    const languages = '[languages.en]\nweight = 1\n[languages.fr]\nweight = 2\n';
    const site = makeSite(t, {
      'hugo.toml': `${CONFIG}defaultContentLanguage = "en"\n${languages}`,
      'content/one.en.md': page('One', 'aliases: ["/old/"]\n'),
      'content/one.fr.md': page('Un', 'aliases: ["/vieux/"]\n'),
      ...counts({ '/old/': 1, '/fr/old/': 2, '/vieux/': 4, '/fr/vieux/': 8 }),
    });
    const { read, files } = build(site, version, STRICT);
    const isInLanguage = files().includes('fr/vieux/index.html');
    assert.notEqual(isInLanguage, files().includes('vieux/index.html'));
    assert.match(read('one/index.html'), />1 comment</);
    assert.match(read('fr/one/index.html'), isInLanguage ? />8 commentaires</ : />4 commentaires</);
  });

  test(`a page without an address shows no count, not even that of the home page (Hugo ${version})`, (t) => {
    const site = makeSite(t, {
      'content/hidden.md': page('Hidden', 'build:\n  render: never\n_build:\n  render: never\n'),
      'content/one.md': page('One'),
      ...counts({ '/': 7, '/one/': 1 }),
    });
    const { read, log } = build(site, version);
    assert.deepEqual(textLines(read('index.html')), ['1 comment'], log);
  });

  test(`with ugly urls the home page, sections and aliases keep their comments (Hugo ${version})`, (t) => {
    const site = makeSite(t, {
      'hugo.toml': `${CONFIG}uglyURLs = true\n`,
      'content/post/_index.md': page('Posts'),
      'content/post/a.md': page('A', 'aliases: ["/abs/", "beside", "../up"]\n'),
      'layouts/_default/list.html': '{{ partial "stacosys/funcs/count.html" . }}',
      ...counts({
        '/': 5,
        '/post/': 6,
        '/post.html': 6,
        '/post/a.html': 1,
        '/abs/': 10,
        '/post/beside.html': 100,
        '/up.html': 1000,
      }),
    });
    const { read, files } = build(site, version, STRICT);
    assert.equal(read('index.html'), '5');
    assert.equal(read(files().includes('post.html') ? 'post.html' : 'post/index.html'), '6');
    assert.deepEqual(textLines(read('post/a.html')), ['1,111 comments']);
  });

  test(`an alias in NFD counts the comments of its key (Hugo ${version})`, (t) => {
    const site = makeSite(t, {
      'content/one.md': page('One', `aliases: ["/${'été'.normalize('NFD')}/"]\n`),
      ...counts({ '/%C3%A9t%C3%A9/': 2 }),
      'data/stacosys/spellings.json': '{"/e%CC%81te%CC%81/": "/%C3%A9t%C3%A9/"}',
    });
    assert.deepEqual(textLines(build(site, version).read('one/index.html')), ['2 comments']);
  });

  test(`a data file of another shape ends the build and names the command (Hugo ${version})`, (t) => {
    const wrongForms = { ...counts({ '/a/': 1 }), 'data/stacosys/forms.json': '[1]' };
    const { log: formsLog } = build(makeSite(t, { 'content/a.md': page('A'), ...wrongForms }), version);
    assert.match(formsLog, /forms\.json is not what stacosys-hook writes: run/);
    for (const garbage of ['[1]', '[]', '"text"']) {
      const site = makeSite(t, { 'content/a.md': page('A'), 'data/stacosys/counts.json': garbage });
      const { status, log } = build(site, version);
      if (garbage !== '[]') assert.notEqual(status, 0, garbage);
      if (garbage === '[1]') assert.match(log, /counts\.json is not what stacosys-hook writes: run/);
    }
  });

  test(`an alias that is no url does not end the build (Hugo ${version})`, (t) => {
    const aliases = 'aliases: ["/100%/", "/a%zz", "http:x", "?", "/%"]\n';
    const site = makeSite(t, { 'content/one.md': page('One', aliases), ...counts({ '/100%25/': 4 }) });
    const { read, log } = build(site, version);
    assert.deepEqual(textLines(read('one/index.html')), ['4 comments'], log);
  });

  test(`a file name in NFD counts the comments of its key, which is NFC (Hugo ${version})`, (t) => {
    const site = makeSite(t, {
      [`content/${'été'.normalize('NFD')}.md`]: page('Summer'),
      ...counts({ '/%C3%A9t%C3%A9/': 2 }),
      'data/stacosys/spellings.json': '{"/e%CC%81te%CC%81/": "/%C3%A9t%C3%A9/"}',
    });
    assert.deepEqual(textLines(build(site, version, STRICT).read('index.html')), ['2 comments']);
  });

  test(`front matter hides the count, a parameter hides a zero (Hugo ${version})`, (t) => {
    const files = {
      'content/a.md': page('A', 'comments: false\n'),
      'content/b.md': page('B', 'comments: true\n'),
      'content/c.md': page('C'),
      ...counts({ '/a/': 1, '/b/': 2 }),
    };
    const shown = build(makeSite(t, files), version, STRICT);
    assert.deepEqual(textLines(shown.read('index.html')), ['2 comments', 'No comments yet']);
    const hiding = { ...files, 'hugo.toml': `${CONFIG}\n[params.stacosys]\nhideZero = true\n` };
    const hidden = build(makeSite(t, hiding), version, STRICT);
    assert.deepEqual(textLines(hidden.read('index.html')), ['2 comments']);
  });

  test(`a wrong parameter ends the build and says what is allowed (Hugo ${version})`, (t) => {
    for (const [params, message] of [
      ['[params.stacosys]\nhideZero = "yes"\n', /hideZero is yes: it must be true or false/],
      ['[params]\nstacosys = "on"\n', /params\.stacosys must be a table/],
    ]) {
      const site = makeSite(t, {
        'hugo.toml': `${CONFIG}\n${params}`,
        'content/a.md': page('A'),
        ...counts({}),
      });
      const { status, log } = build(site, version);
      assert.notEqual(status, 0);
      assert.match(log, /** @type {RegExp} */ (message));
    }
  });

  test(`without data a page counts 0, with one warning that names the command (Hugo ${version})`, (t) => {
    const site = makeSite(t, { 'content/a.md': page('A'), 'content/b.md': page('B') });
    const { status, log, read } = build(site, version);
    assert.equal(status, 0, log);
    assert.deepEqual(textLines(read('index.html')), ['No comments yet', 'No comments yet']);
    assert.deepEqual(log.match(/.*stacosys-hook bake.*/g)?.length, 1, log);
  });

  test(`an empty data file is no reason for a warning (Hugo ${version})`, (t) => {
    const site = makeSite(t, { 'content/a.md': page('A'), 'data/stacosys/counts.json': '{}\n' });
    assert.equal(build(site, version, STRICT).status, 0);
  });

  test(`the total is the sum of all counts, also of comments without a page (Hugo ${version})`, (t) => {
    const site = makeSite(t, {
      'layouts/index.html': '{{ partial "stacosys/funcs/total.html" . }}',
      ...counts({ '/a/': 1200, '/gone/': 34 }),
    });
    assert.equal(build(site, version, STRICT).read('index.html'), '1234');
  });

  test(`the partials can be cached by page and return the types they promise (Hugo ${version})`, (t) => {
    const site = makeSite(t, {
      'content/a.md': page('A'),
      'content/b.md': page('B'),
      'layouts/index.html': `{{ range site.RegularPages }}{{ partialCached "stacosys/count.html" . .RelPermalink }}
{{ end }}{{ range site.RegularPages }}{{ printf "%T" (partial "stacosys/funcs/count.html" .) }} {{ printf "%T" (partial "stacosys/funcs/label.html" .) }}
{{ end }}`,
      ...counts({ '/a/': 1, '/b/': 2 }),
    });
    assert.deepEqual(textLines(build(site, version, STRICT).read('index.html')), [
      '1 comment',
      '2 comments',
      'int string',
      'int string',
    ]);
  });

  test(`a page asks for its own key, with comments or without (Hugo ${version})`, (t) => {
    const files = {
      'content/one.md': page('One'),
      'content/none.md': page('None'),
      'content/été (2).md': page('Summer'),
      ...counts({ '/one/': 3 }),
    };
    assert.deepEqual(urlsByTitle(t, version, files), {
      One: ['/one/'],
      None: ['/none/'],
      Summer: ['/%C3%A9t%C3%A9-2/'],
    });
  });

  test(`a page asks for the other forms of its url too, after its own key (Hugo ${version})`, (t) => {
    const files = {
      'content/one.md': page('One'),
      'content/two.md': page('Two'),
      ...counts({ '/one/': 3, '/two/': 4 }),
      ...forms({ '/one/': ['/one/', '/one', 'one'], '/two/': ['two', '/two//'] }),
    };
    assert.deepEqual(urlsByTitle(t, version, files), {
      One: ['/one/', '/one', 'one'],
      Two: ['/two/', 'two', '/two//'],
    });
  });

  test(`a page asks for its aliases where they hold comments, in the forms they have (Hugo ${version})`, (t) => {
    const aliases = 'aliases: ["/plain/", "/odd/", "/none/", "/file.html"]\n';
    const files = {
      'content/one.md': page('One', aliases),
      ...counts({ '/one/': 1, '/plain/': 2, '/odd/': 4, '/file.html': 8, '/other/': 16 }),
      ...forms({ '/odd/': ['odd', '/odd'], '/file.html': ['/file.html', 'file.html'], '/other/': ['other'] }),
    };
    const { One = [] } = urlsByTitle(t, version, files);
    assert.equal(One[0], '/one/');
    assert.deepEqual(One.toSorted(), ['/file.html', '/odd', '/one/', '/plain/', 'file.html', 'odd']);
  });

  test(`a page in NFD asks for the forms of its key, which is NFC (Hugo ${version})`, (t) => {
    const files = {
      [`content/${'été'.normalize('NFD')}.md`]: page('Summer'),
      'data/stacosys/spellings.json': '{"/e%CC%81te%CC%81/": "/%C3%A9t%C3%A9/"}',
      ...counts({ '/%C3%A9t%C3%A9/': 2 }),
      ...forms({ '/%C3%A9t%C3%A9/': ['/été/'] }),
    };
    assert.deepEqual(urlsByTitle(t, version, files), { Summer: ['/%C3%A9t%C3%A9/', '/été/'] });
  });

  test(`urls in upper case keep their own forms (Hugo ${version})`, (t) => {
    const files = {
      'content/a.md': page('Lower', 'url: /a/\n'),
      'content/b.md': page('Upper', 'url: /A/\n'),
      ...counts({ '/a/': 1, '/A/': 1 }),
      ...forms({ '/A/': ['/A'] }),
    };
    assert.deepEqual(urlsByTitle(t, version, files), { Lower: ['/a/'], Upper: ['/A/', '/A'] });
  });

  test(`whatever was posted as a url comes through unchanged, as a string (Hugo ${version})`, (t) => {
    const files = {
      'content/one.md': page('One'),
      ...counts({ '/one/': HOSTILE.length }),
      ...forms({ '/one/': HOSTILE }),
    };
    assert.deepEqual(urlsByTitle(t, version, files), { One: ['/one/', ...HOSTILE] });
  });

  test(`a page without an address asks for nothing (Hugo ${version})`, (t) => {
    const site = makeSite(t, {
      'content/hidden/index.md': page('Hidden', 'build:\n  render: never\n_build:\n  render: never\n'),
      'layouts/index.html':
        '{{ (partial "stacosys/funcs/filed.html" (site.GetPage "/hidden")).urls | jsonify }}',
      ...counts({ '/': 7 }),
      ...forms({ '/': ['', ' '], '': ['/'] }),
    });
    const { read, log } = build(site, version, STRICT);
    assert.equal(read('index.html'), '[]', log);
  });

  test(`every language has its own plurals (Hugo ${version})`, (t) => {
    for (const [language, expected] of Object.entries(PLURALS)) {
      const site = makeSite(t, {
        'hugo.toml': `${CONFIG}defaultContentLanguage = "${language}"\n`,
        'layouts/index.html':
          '{{ range slice 0 1 2 5 11 22 1234 1000000 }}{{ partial "stacosys/funcs/text.html" . }}\n{{ end }}',
        ...counts({}),
      });
      const lines = textLines(build(site, version, STRICT).read('index.html'));
      // Hugo 0.111 writes Arabic numbers with the Arabic separator, 0.168 with a comma
      assert.deepEqual(
        lines.map((line) => line.replaceAll('٬', ',').replace(/[\u00a0\u202f]/g, ' ')),
        expected,
        language,
      );
    }
  });

  test(`a language without a translation gets English (Hugo ${version})`, (t) => {
    const site = makeSite(t, {
      'hugo.toml': `${CONFIG}defaultContentLanguage = "eo"\n`,
      'layouts/index.html': '{{ range slice 0 1 2 }}{{ partial "stacosys/funcs/text.html" . }}\n{{ end }}',
      ...counts({}),
    });
    assert.deepEqual(textLines(build(site, version).read('index.html')), [
      'No comments yet',
      '1 comment',
      '2 comments',
    ]);
  });
}

/** What 0, 1, 2, 5, 11, 22, 1234 and 1000000 comments are called. */
const PLURALS = {
  en: [
    'No comments yet',
    '1 comment',
    ...['2', '5', '11', '22', '1,234', '1,000,000'].map((n) => `${n} comments`),
  ],
  fr: [
    'Aucun commentaire',
    '1 commentaire',
    ...['2', '5', '11', '22', '1 234', '1 000 000'].map((n) => `${n} commentaires`),
  ],
  de: [
    'Noch keine Kommentare',
    '1 Kommentar',
    ...['2', '5', '11', '22', '1.234', '1.000.000'].map((n) => `${n} Kommentare`),
  ],
  es: [
    'Aún no hay comentarios',
    '1 comentario',
    ...['2', '5', '11', '22', '1.234', '1.000.000'].map((n) => `${n} comentarios`),
  ],
  pl: [
    'Brak komentarzy',
    '1 komentarz',
    '2 komentarze',
    '5 komentarzy',
    '11 komentarzy',
    '22 komentarze',
    '1 234 komentarze',
    '1 000 000 komentarzy',
  ],
  ar: [
    'لا توجد تعليقات بعد',
    'تعليق واحد',
    'تعليقان',
    '5 تعليقات',
    '11 تعليقًا',
    '22 تعليقًا',
    '1,234 تعليقًا',
    '1,000,000 تعليق',
  ],
};
