import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HUGO_VERSIONS } from '../../scripts/tools.js';
import { baked, bakedFiles, fileOf, filesOf, wordsOf } from './baked-files.js';
import { CONFIG, STRICT, build, makeSite } from './hugo-site.js';

/**
 * @typedef {import('node:test').TestContext} TestContext
 * @typedef {import('./baked-files.js').Answered} Answered
 */

const page = (/** @type {string} */ title, /** @type {string} */ matter = '') =>
  `---\ntitle: ${title}\n${matter}---\nText.\n`;

const params = (/** @type {string} */ lines, /** @type {string} */ top = '') => ({
  'hugo.toml': `${CONFIG}${top}[params.stacosys]\n${lines}\n`,
});

const FILES = {
  ...params('comments = "baked"'),
  'content/one.md': page('One'),
  'layouts/_default/single.html': '{{ partial "stacosys/comments.html" . }}',
};

/**
 * @param {string} content
 * @param {Partial<Answered>} [fields]
 * @returns {Answered}
 */
const comment = (content, fields) => ({ author: 'Alice', content, date: '2024-05-06 07:08:09', ...fields });

const TWO = [
  comment('First **of all**', { site: 'https://alice.example/', avatar: 'a'.repeat(32) }),
  comment('Second', { author: 'Bob', date: '2024-05-06 19:08:09' }),
];

/**
 * @param {TestContext} t
 * @param {string} version of Hugo
 * @param {Record<string, string>} files
 * @param {string[]} [args]
 * @returns a build that went well
 */
function built(t, version, files, args = STRICT) {
  const output = build(makeSite(t, { ...FILES, ...files }), version, args);
  assert.equal(output.status, 0, output.log);
  return output;
}

/**
 * @param {TestContext} t
 * @param {string} version of Hugo
 * @param {Record<string, string>} files
 * @returns {string} the article
 */
function article(t, version, files) {
  return built(t, version, files).read('one/index.html');
}

/**
 * @param {string} html
 * @returns {string[]} its comments, without the template of one
 */
const items = (html) => html.match(/<li class="stacosys-comment" .*?<\/li>/gs) ?? [];

/** @param {string} html */
const ids = (html) => items(html).map((item) => /id="([^"]*)"/.exec(item)?.[1]);

/** @param {string} html */
const dates = (html) => items(html).map((item) => /<time [^>]*>(.*?)<\/time>/.exec(item)?.[1]);

for (const version of HUGO_VERSIONS) {
  test(`baked comments stand in the page: nothing is fetched, nothing waits for a script (Hugo ${version})`, (t) => {
    const html = article(t, version, bakedFiles({ '/one/': TWO }));
    assert.deepEqual(items(html), [
      `<li class="stacosys-comment" id="comment-20240506070809"><span class="stacosys-avatar" aria-hidden="true" hidden>A</span><p class="stacosys-meta"><span class="stacosys-author" dir="auto"><a href="https://alice.example/" rel="nofollow ugc noopener">Alice</a></span>&nbsp;·&nbsp;<a class="stacosys-permalink" href="#comment-20240506070809"><time class="stacosys-date" datetime="2024-05-06 07:08:09">May 6, 2024 at 7:08 AM</time></a></p><div class="stacosys-content" dir="auto"><p>First <strong>of all</strong></p>\n</div></li>`,
      `<li class="stacosys-comment" id="comment-20240506190809"><span class="stacosys-avatar" aria-hidden="true" hidden>B</span><p class="stacosys-meta"><span class="stacosys-author" dir="auto">Bob</span>&nbsp;·&nbsp;<a class="stacosys-permalink" href="#comment-20240506190809"><time class="stacosys-date" datetime="2024-05-06 19:08:09">May 6, 2024 at 7:08 PM</time></a></p><div class="stacosys-content" dir="auto"><p>Second</p>\n</div></li>`,
    ]);
    assert.match(html, /<span class="stacosys-number">2<\/span>/);
    assert.match(html, /<script type="module" src="\/stacosys\/baked\.[0-9a-f]{64}\.js"/);
    assert.doesNotMatch(html, /data-requests|data-load|stacosys-status|noscript|stacosys-preview/);
    assert.match(html, /<input type="hidden" name="url" value="\/one\/">/);
    assert.ok(html.includes(`data-known="${TWO.map((c) => wordsOf(`${c.author}${c.content}`)).join(' ')}"`));
  });

  test(`a page with many comments names the newest to the script, not all (Hugo ${version})`, (t) => {
    const many = Array.from({ length: 130 }, (_, index) =>
      comment(`Number ${index}`, {
        date: `2024-05-06 07:08:${10 + (index % 50)}`,
      }),
    );
    const html = article(t, version, bakedFiles({ '/one/': many }));
    const known = /data-known="([^"]*)"/.exec(html)?.[1]?.trim().split(' ');
    assert.deepEqual(
      known,
      many.slice(-50).map(({ author, content }) => wordsOf(`${author}${content}`)),
    );
    assert.equal(items(html).length, 130);
  });

  test(`a page without a comment has an empty list and its form (Hugo ${version})`, (t) => {
    const { read, files } = built(t, version, bakedFiles({ '/elsewhere/': TWO }));
    const html = read('one/index.html');
    assert.match(html, /<ol class="stacosys-list" role="list">\s*<\/ol>/);
    assert.match(html, /<span class="stacosys-number">0<\/span>/);
    assert.match(html, /<form class="stacosys-form"/);
    assert.deepEqual(
      files().filter((file) => file.endsWith('.json')),
      [],
      'what the hook wrote is no file of the site',
    );
  });

  test(`comments under the old addresses of a page are among them, by date, each with its own id (Hugo ${version})`, (t) => {
    const at = (/** @type {string} */ second) => `2024-05-06 07:08:${second}`;
    // As many that a sort which is not stable would show
    const sameSecond = (/** @type {string} */ from) =>
      Array.from({ length: 15 }, (_, index) => comment(`${from} ${index}`, { date: at('20') }));
    const html = article(t, version, {
      'content/one.md': page('One', 'aliases: [/old/]\n'),
      ...bakedFiles({
        '/one/': [comment('b', { date: at('10') }), ...sameSecond('new'), comment('d', { date: at('40') })],
        '/old/': [comment('a', { date: at('05') }), ...sameSecond('old'), comment('c', { date: at('30') })],
      }),
    });
    const texts = items(html).map((item) => /<p>([^<]*)<\/p>\n<\/div>/.exec(item)?.[1]);
    const numbered = (/** @type {string} */ from) => sameSecond(from).map(({ content }) => content);
    assert.deepEqual(texts, ['a', 'b', ...numbered('new'), ...numbered('old'), 'c', 'd']);
    assert.deepEqual(
      ids(html).slice(1, 5),
      ['10', '20', '20-2', '20-2-2'].map((end) => `comment-202405060708${end}`),
    );
    assert.equal(new Set(ids(html)).size, texts.length);
    assert.deepEqual(
      items(html).map((item) => /href="#([^"]*)"/.exec(item)?.[1]),
      ids(html),
    );
    assert.match(html, /<span class="stacosys-number">34<\/span>/);
    const known = /data-known="([^"]*)"/.exec(html)?.[1]?.split(' ') ?? [];
    assert.deepEqual(known.toSorted(), texts.map((text) => wordsOf(`Alice${text}`)).toSorted());
  });

  test(`the functions of a theme get the comments of a page, also where they are fetched (Hugo ${version})`, (t) => {
    const { read } = built(t, version, {
      ...params('comments = "live"'),
      'layouts/_default/single.html':
        '{{ range partial "stacosys/funcs/comments.html" . }}[{{ .author }} {{ .date }}]{{ end }}.',
      'content/two.md': page('Two'),
      ...bakedFiles({ '/one/': TWO }),
    });
    assert.equal(read('one/index.html'), '[Alice 2024-05-06 07:08:09][Bob 2024-05-06 19:08:09].');
    assert.equal(read('two/index.html'), '.');
  });

  test(`a time is the server's, whatever the time zone of the site (Hugo ${version})`, (t) => {
    // A clock in New York never shows 02:30 on that day
    const comments = ['2024-03-10 02:30:00', '2024-12-31 23:59:59', '2024-01-01 00:00:00'];
    const html = article(t, version, {
      ...params('comments = "baked"', 'timeZone = "America/New_York"\n'),
      ...bakedFiles({ '/one/': comments.map((date) => comment('x', { date })) }),
    });
    assert.deepEqual(dates(html), [
      'March 10, 2024 at 2:30 AM',
      'December 31, 2024 at 11:59 PM',
      'January 1, 2024 at 12:00 AM',
    ]);
  });

  test(`a comment without a date has no link that shows nothing (Hugo ${version})`, (t) => {
    const html = article(t, version, bakedFiles({ '/one/': [comment('No date', { date: '' })] }));
    assert.match(html, /<li class="stacosys-comment" id="comment-">.*Alice<\/span><\/p>/);
    assert.doesNotMatch(items(html)[0] ?? '', /<time|permalink|·/);
  });

  test(`a picture is that of the hash, or the one for everybody (Hugo ${version})`, (t) => {
    const html = article(t, version, {
      ...params('comments = "baked"\navatars = "gravatar"'),
      ...bakedFiles({ '/one/': TWO }),
    });
    const pictures = items(html).map((item) => /<img class="stacosys-avatar" src="([^"]*)"/.exec(item)?.[1]);
    const gravatar = 'https://www.gravatar.com/avatar/';
    assert.deepEqual(pictures, [`${gravatar}${'a'.repeat(32)}?d=mp`, `${gravatar}?d=mp`]);
  });

  test(`a page whose comments were not baked fetches them, and the build says so once (Hugo ${version})`, (t) => {
    const files = bakedFiles({ '/one/': TWO, '/third/': TWO });
    const { log, read } = built(
      t,
      version,
      {
        ...files,
        'content/one.md': page('One'),
        'content/two.md': page('Two'),
        'content/three.md': page('Three', 'aliases: [/third/]\n'), // of which a part is there
        'content/four.md': page('Four'),
        'data/stacosys/counts.json': '{"/one/": 2, "/two/": 1, "/third/": 2, "/three/": 4}',
      },
      [],
    );
    assert.equal(log.match(/WARN/g)?.length, 1, log);
    assert.match(log, /run npx stacosys-hook bake --comments$/m);
    const live = [...read('two/index.html').matchAll(/data-(?:requests|known)="[^"]*"/g)].map(String);
    assert.deepEqual(live, ['data-requests="/api/comments?url=%2Ftwo%2F"']);
    for (const name of ['two', 'three']) {
      const html = read(`${name}/index.html`);
      assert.match(html, /<ol class="stacosys-list" role="list"><\/ol>/);
      assert.match(html, /<script type="module" src="\/stacosys\/comments\./);
      assert.match(html, /stacosys-preview/);
      assert.match(html, /stacosys-status/);
    }
    assert.match(read('two/index.html'), /<span class="stacosys-number">1</);
    assert.match(read('three/index.html'), /<span class="stacosys-number">6</);
    for (const name of ['one', 'four']) {
      assert.match(read(`${name}/index.html`), /data-known/);
      assert.match(read(`${name}/index.html`), /src="\/stacosys\/baked\./);
      assert.doesNotMatch(read(`${name}/index.html`), /data-requests|stacosys-preview|stacosys-status/);
    }
  });

  test(`all but the rendered HTML is escaped, even what the hook never writes (Hugo ${version})`, (t) => {
    const bad = (/** @type {string} */ field) =>
      `"'><script>probe('${field}')</script><img onerror=probe() x='`;
    for (const avatars of ['none', 'initials', 'gravatar']) {
      const hostile = {
        ...Object.fromEntries(['id', 'author', 'initial', 'avatar'].map((field) => [field, bad(field)])),
        date: '2024-05-06 07:08:09',
        html: '<p>Rendered</p>',
      };
      const sites = [
        bad('site'),
        'javascript:probe()',
        'data:text/html,x',
        `https://x.example/${bad('site')}`,
      ];
      const html = article(t, version, {
        ...params(`comments = "baked"\navatars = "${avatars}"`),
        ...filesOf({ '/one/': sites.map((site) => ({ ...hostile, site })) }, { '/one/': bad('known') }),
      });
      assert.equal(html.match(/<p>Rendered<\/p>/g)?.length, sites.length);
      assert.equal(html.match(/<script/g)?.length, 1, 'that of the page');
      assert.doesNotMatch(html, /onerror=probe\(\) x='|href="(?:javascript|data):/);
      assert.equal(html.match(/<img /g)?.length ?? 0, avatars === 'gravatar' ? sites.length + 1 : 0);
    }
  });

  test(`comments of a hook without the field "at" have their dates (Hugo ${version})`, (t) => {
    const [first, second] = baked(TWO).map(({ at, ...rest }) => ({ ...rest, was: at }));
    const dates = (/** @type {string} */ html) => html.match(/<time class="stacosys-date" [^]*?<\/time>/g);
    const now = dates(article(t, version, bakedFiles({ '/one/': TWO })));
    assert.equal(now?.length, 2);
    assert.deepEqual(dates(article(t, version, filesOf({ '/one/': [first ?? {}, second ?? {}] }))), now);
  });

  test(`what is no date ends the build: it is not published unread (Hugo ${version})`, (t) => {
    const at = '"><script>probe()</script>';
    const files = filesOf({ '/one/': [{ ...baked(TWO)[0], at }] });
    const { status } = build(makeSite(t, { ...FILES, ...files }), version);
    assert.notEqual(status, 0);
  });

  test(`what looks like a template or a shortcode is text, everywhere (Hugo ${version})`, (t) => {
    const syntax = '{{ .Site.Params }}{{< figure src="x" >}}{{% x %}}{{- "x" | safeHTML -}}{{';
    const html = article(
      t,
      version,
      bakedFiles({ '/one/': [comment(syntax, { author: syntax, site: `https://x.example/${syntax}` })] }),
    );
    const text = '{{ .Site.Params }}{{&lt; figure src=&#34;x&#34; &gt;}}';
    assert.ok(html.includes(`>${text}`), html);
    assert.ok(html.includes(`<p>${text.replaceAll('&#34;', '&quot;')}`), html);
  });

  test(`a theme replaces the list by a partial of its own (Hugo ${version})`, (t) => {
    const files = { 'layouts/partials/stacosys/list.html': '{{ len .comments }} of {{ .params.avatars }}' };
    assert.match(article(t, version, { ...files, ...bakedFiles({ '/one/': TWO }) }), / 2 of none\s/);
  });

  test(`a language that the module does not know has its own dates (Hugo ${version})`, (t) => {
    const top = 'defaultContentLanguage = "zh"\n';
    const files = { ...params('comments = "baked"', top), ...bakedFiles({ '/one/': TWO }) };
    assert.deepEqual(dates(built(t, version, files, []).read('one/index.html')), [
      '2024年5月6日 07:08',
      '2024年5月6日 19:08',
    ]);
  });
}

test('two versions of Hugo bake the same pages, minified or not', (t) => {
  const languages = 'defaultContentLanguage = "en"\n[languages.en]\nweight = 1\n[languages.ar]\nweight = 2\n';
  for (const [avatars, args] of /** @type {const} */ ([
    ['gravatar', []],
    ['initials', ['--minify']],
  ])) {
    const [oldest, latest] = HUGO_VERSIONS.map((version) =>
      built(
        t,
        version,
        {
          ...params(`comments = "baked"\navatars = "${avatars}"`, languages),
          'content/one.ar.md': page('One'),
          ...bakedFiles({ '/one/': TWO, '/ar/one/': TWO }),
        },
        [...STRICT, ...args],
      ),
    );
    assert.ok(oldest && latest);
    assert.deepEqual(oldest.files(), latest.files());
    const ours = latest.files().filter((file) => file !== 'en/index.html'); // a redirect
    for (const file of ours) assert.equal(oldest.read(file), latest.read(file), file);
    assert.match(latest.read('ar/one/index.html'), /6 مايو 2024 في 7:08 ص/);
  }
});

test('the list of a page is in one file, under the hash of its key', (t) => {
  const { read } = built(t, HUGO_VERSIONS[0] ?? '', {
    'content/été.md': page('Summer'),
    ...bakedFiles({ '/%C3%A9t%C3%A9/': TWO }),
  });
  assert.match(fileOf('/%C3%A9t%C3%A9/'), /^assets\/stacosys\/comments\/[0-9a-f]{64}\.json$/);
  assert.equal(items(read('été/index.html')).length, 2);
});
