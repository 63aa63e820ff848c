import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { HUGO_VERSIONS } from '../../scripts/tools.js';
import { CONFIG, STRICT, build, makeSite, textLines } from './hugo-site.js';

/**
 * @typedef {import('node:test').TestContext} TestContext
 * @typedef {import('./hugo-site.js').Built} Built
 */

const page = (/** @type {string} */ title, /** @type {string} */ matter = '') =>
  `---\ntitle: ${title}\n${matter}---\nText.\n`;

const FILES = {
  'content/one.md': page('One'),
  'layouts/_default/single.html': '{{ partial "stacosys/comments.html" . }}',
  'data/stacosys/counts.json': '{"/one/": 3}',
};

const LANGUAGES = 'defaultContentLanguage = "en"\n[languages.en]\nweight = 1\n[languages.fr]\nweight = 2\n';

const NEVER_RENDERED = 'build:\n  render: never\n_build:\n  render: never\n';

/** Hugo 0.168 ends the build at the old name, Hugo 0.111 knows no other. */
const unlisted = (/** @type {string} */ version) =>
  version.startsWith('0.111') ? '_build:\n  list: never\n' : 'build:\n  list: never\n';

const withParams = (/** @type {string} */ params) => ({
  'hugo.toml': `${CONFIG}[params.stacosys]\n${params}\n`,
});

/**
 * @param {TestContext} t
 * @param {string} version of Hugo
 * @param {Record<string, string>} files
 * @param {string[]} [args]
 * @returns {Built} of a build that went well
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
 * @returns {string} what the build that failed said
 */
function failure(t, version, files) {
  const { status, log } = build(makeSite(t, { ...FILES, ...files }), version);
  assert.ok(status, `The build did not end with an error: ${JSON.stringify(files)}\n${log}`);
  return log;
}

/**
 * @param {TestContext} t
 * @param {string} version of Hugo
 * @param {string} params
 */
function pageWith(t, version, params) {
  return built(t, version, withParams(params)).read('one/index.html');
}

/**
 * @param {string} html
 * @param {string} start of an element's tag
 * @returns {Record<string, string>} its attributes
 */
function attributes(html, start) {
  const tag = new RegExp(`<${start}\\b[^>]*>`).exec(html)?.[0];
  assert.ok(tag, `There is no <${start}> in ${html}`);
  const pairs = [...tag.matchAll(/\s([a-z-]+)(?:="([^"]*)")?/g)];
  return Object.fromEntries(pairs.map(([, name, value = '']) => [name, value.replaceAll('&#43;', '+')]));
}

/** @param {string} html */
const requests = (html) => attributes(html, 'section')['data-requests'];

/** What each parameter does: line of the configuration → what the page then has. */
const EFFECTS = {
  '': [
    /data-requests="\/api\/comments\?url=%2Fone%2F"/,
    /<form class="stacosys-form" action="\/newcomment" method="post"/,
    /<input name="remarque" tabindex="-1"/,
    /<textarea name="message" required maxlength="10000"/,
    /<span class="stacosys-avatar" aria-hidden="true" hidden>/,
    /<link rel="stylesheet"/,
  ],
  'api = ""': [/data-requests="\/comments\?url=%2Fone%2F"/],
  'api = "/stacosys/api"': [/data-requests="\/stacosys\/api\/comments\?url=/],
  'api = "https://comments.example.org"': [/data-requests="https:\/\/comments\.example\.org\/comments\?url=/],
  'api = "http://127.0.0.1:8100/api"': [/data-requests="http:\/\/127\.0\.0\.1:8100\/api\/comments\?url=/],
  'action = "/blog/newcomment"': [/<form [^>]*action="\/blog\/newcomment"/],
  'action = "https://comments.example.org/newcomment"': [
    /<form [^>]*action="https:\/\/comments\.example\.org\/newcomment"/,
  ],
  'honeypot = "captcha"': [/<input name="captcha" tabindex="-1"/],
  'avatars = "none"': [/<span class="stacosys-avatar" aria-hidden="true" hidden>/],
  'avatars = "initials"': [/<span class="stacosys-avatar" aria-hidden="true">/],
  'avatars = "gravatar"': [
    /<img class="stacosys-avatar" src="https:\/\/www\.gravatar\.com\/avatar\/" alt=""/,
    /<template>\s*<label class="stacosys-field stacosys-email">[^<]*\s*<input name="email" type="email"/,
  ],
  'maxLength = 1': [/<textarea [^>]*maxlength="1"/],
  'maxLength = 999999': [/<textarea [^>]*maxlength="999999"/],
  'maxLength = "500"': [/<textarea [^>]*maxlength="500"/],
  'comments = "live"': [/data-requests="\/api\/comments\?url=%2Fone%2F"/, /stacosys-preview/],
  'load = "visible"': [
    /<section class="stacosys" id="comments" lang="en" data-requests="[^"]*" aria-labelledby/,
  ],
  'load = "click"': [/<section [^>]* data-load="click" aria-labelledby/],
  'css = true': [/<link rel="stylesheet"/],
  'redirect = ""': [/<form /],
};

/** What a page must not have. */
const ABSENT = {
  '': [/gravatar/, /name="email"/, /data-load/],
  'avatars = "initials"': [/gravatar/, /name="email"/],
  'avatars = "gravatar"': [/<span class="stacosys-avatar"/],
  'honeypot = "captcha"': [/remarque/],
  'css = false': [/<link/, /stylesheet/],
};

/** Wrong values: name, value as in TOML, value as in the message, and a part of what is allowed. */
const WRONG = /** @type {const} */ ([
  ['hideZero', '"yes"', 'yes', 'true or false'],
  ['hideZero', '1', '1', 'true or false'],
  ['css', '"off"', 'off', 'true or false'],
  ['css', '""', '', 'true or false'],
  ['api', '"api"', 'api', 'a path such as /api,'],
  ['api', '"/"', '/', 'without a slash at its end'],
  ['api', '"/api/"', '/api/', 'without a slash at its end'],
  ['api', '"//comments.example.org"', '//comments.example.org', 'the address of another server'],
  ['api', '"/a b"', '/a b', 'a path such as /api,'],
  ['api', '"javascript:alert(1)"', 'javascript:alert(1)', 'a path such as /api,'],
  ['api', '"https://example.org?x"', 'https://example.org?x', 'a path such as /api,'],
  ['api', 'true', 'true', 'a path such as /api,'],
  ['action', '""', '', 'a path such as /newcomment,'],
  ['action', '"/"', '/', 'a path such as /newcomment,'],
  ['action', '"https://comments.example.org"', 'https://comments.example.org', 'org/newcomment'],
  ['action', '"/newcomment?x=1"', '/newcomment?x=1', 'a path such as /newcomment,'],
  ['redirect', '"thanks"', 'thanks', 'the path of a page, such as /thanks/'],
  ['redirect', '"//example.org/"', '//example.org/', 'the path of a page, such as /thanks/'],
  ['redirect', '"/100%/"', '/100%/', 'the path of a page, such as /thanks/'],
  ['redirect', '"/a b/"', '/a b/', 'the path of a page, such as /thanks/'],
  ['redirect', '5', '5', 'the path of a page, such as /thanks/'],
  ['honeypot', '""', '', 'the name of a field'],
  ['honeypot', '"a b"', 'a b', 'the name of a field'],
  ['honeypot', '"1"', '1', 'the name of a field'],
  ['honeypot', '"message"', 'message', 'the form does not have yet'],
  ['avatars', '"Gravatar"', 'Gravatar', '"none", "gravatar" or "initials"'],
  ['avatars', 'false', 'false', '"none", "gravatar" or "initials"'],
  ['maxLength', '0', '0', 'between 1 and 999999'],
  ['maxLength', '-1', '-1', 'between 1 and 999999'],
  ['maxLength', '1.5', '1.5', 'between 1 and 999999'],
  ['maxLength', '1000000', '1000000', 'between 1 and 999999'],
  ['maxLength', '"many"', 'many', 'between 1 and 999999'],
  ['comments', '"static"', 'static', '"live" or "baked"'],
  ['comments', 'true', 'true', '"live" or "baked"'],
  ['load', '"scroll"', 'scroll', '"visible" or "click"'],
  ['load', '["click"]', '[click]', '"visible" or "click"'],
]);

for (const version of HUGO_VERSIONS) {
  test(`an article has a section with its baked count and its own url (Hugo ${version})`, (t) => {
    const html = built(t, version, {}).read('one/index.html');
    assert.deepEqual(attributes(html, 'section'), {
      class: 'stacosys',
      id: 'comments',
      lang: 'en',
      'data-requests': '/api/comments?url=%2Fone%2F',
      'aria-labelledby': 'stacosys-title',
    });
    assert.match(
      html,
      /<h2 class="stacosys-title" id="stacosys-title">Comments <span class="stacosys-number">3<\/span><\/h2>/,
    );
    assert.match(html, /<input type="hidden" name="url" value="\/one\/">/);
    assert.equal(new Set(html.match(/\sid="[^"]*"/g)).size, html.match(/\sid="/g)?.length);
    assert.equal(html.match(/<script/g)?.length, 1);
  });

  test(`a form without JavaScript has the fields that Stacosys takes, and no e-mail (Hugo ${version})`, (t) => {
    for (const avatars of ['none', 'gravatar']) {
      const html = pageWith(t, version, `avatars = "${avatars}"`);
      const withoutScript = html.replace(/<template.*?<\/template>/gs, '');
      const names = [...withoutScript.matchAll(/\sname="([^"]*)"/g)].map(([, name]) => name);
      assert.deepEqual(names, ['url', 'author', 'site', 'message', 'remarque']);
      assert.match(withoutScript, /<noscript><p class="stacosys-note">JavaScript is needed/);
    }
  });

  test(`an article asks for its own key, then for every other form and alias, escaped (Hugo ${version})`, (t) => {
    const html = built(t, version, {
      'content/été.md': page('Summer', 'aliases: ["/old/", "/unused/"]\n'),
      'data/stacosys/counts.json': '{"/%C3%A9t%C3%A9/": 4, "/old/": 1}',
      'data/stacosys/forms.json': JSON.stringify({ '/%C3%A9t%C3%A9/': ['/été/', 'a b&c="d"'] }),
    }).read('été/index.html');
    assert.deepEqual(requests(html)?.split(' '), [
      '/api/comments?url=%2F%25C3%25A9t%25C3%25A9%2F',
      '/api/comments?url=%2F%C3%A9t%C3%A9%2F',
      '/api/comments?url=a+b%26c%3D%22d%22',
      '/api/comments?url=%2Fold%2F',
    ]);
    assert.match(html, /<span class="stacosys-number">5</);
    assert.match(html, /name="url" value="\/%C3%A9t%C3%A9\/"/);
  });

  test(`a page that opted out prints nothing, nor does one without an address (Hugo ${version})`, (t) => {
    const { read } = built(t, version, {
      'layouts/_default/single.html': '[{{ partial "stacosys/comments.html" . }}]',
      'content/out.md': page('Out', 'comments: false\n'),
      'content/in.md': page('In', 'comments: true\n'),
    });
    assert.equal(read('out/index.html'), '[]');
    assert.match(read('in/index.html'), /<section class="stacosys"/);
    const off = built(t, version, {
      'hugo.toml': `${CONFIG}[params]\ncomments = false\n`,
      'layouts/_default/single.html':
        '[{{ partial "stacosys/comments.html" . }}{{ partial "stacosys/count.html" . }}]',
      'content/in.md': page('In', 'comments: true\n'),
    });
    assert.equal(off.read('one/index.html'), '[]', 'the whole site opted out');
    assert.match(
      off.read('in/index.html'),
      /<section class="stacosys".*stacosys-count/s,
      'but for this page',
    );
    const hidden = build(
      makeSite(t, {
        ...FILES,
        'content/hidden.md': page('Hidden', NEVER_RENDERED),
        'layouts/index.html': '[{{ partial "stacosys/comments.html" (site.GetPage "/hidden") }}]',
      }),
      version,
    );
    assert.equal(hidden.read('index.html'), '[]', hidden.log);
  });

  test(`partials/comments.html, which themes call, is the same section (Hugo ${version})`, (t) => {
    const files = { 'layouts/_default/single.html': '{{ partial "comments.html" . }}' };
    assert.equal(
      built(t, version, files).read('one/index.html'),
      built(t, version, {}).read('one/index.html'),
    );
  });

  test(`a theme replaces a part of the section by a partial of that name (Hugo ${version})`, (t) => {
    for (const part of ['status', 'comment', 'form', 'fields', 'outcome', 'assets']) {
      const files = { [`layouts/partials/stacosys/${part}.html`]: '<b>mine</b>' };
      assert.match(built(t, version, files).read('one/index.html'), /<b>mine<\/b>/, part);
    }
  });

  for (const [params, expected] of Object.entries(EFFECTS)) {
    test(`${params || 'no parameter'} shows in the page (Hugo ${version})`, (t) => {
      const html = pageWith(t, version, params);
      for (const pattern of expected) assert.match(html, pattern);
    });
  }

  for (const [params, unexpected] of Object.entries(ABSENT)) {
    test(`${params || 'no parameter'} leaves out what does not belong to it (Hugo ${version})`, (t) => {
      const html = pageWith(t, version, params);
      for (const pattern of unexpected) assert.doesNotMatch(html, pattern);
    });
  }

  for (const [name, value, shown, allowed] of WRONG) {
    test(`${name} = ${value} ends the build and says what is allowed (Hugo ${version})`, (t) => {
      const log = failure(t, version, withParams(`${name} = ${value}`));
      const line = log
        .split('\n')
        .find((text) => text.includes(`params.stacosys.${name} is ${shown}: it must be `));
      assert.ok(line?.includes(allowed), log);
    });
  }

  test(`an unknown parameter is a warning that names it (Hugo ${version})`, (t) => {
    const { log } = built(t, version, withParams('avatar = "none"'), []);
    assert.match(log, /WARN.*there is no params\.stacosys\.avatar$/m);
  });

  test(`parameters may stand in YAML and in JSON, where numbers are floats (Hugo ${version})`, (t) => {
    const base = { baseURL: 'https://example.org/', theme: 'hugo-stacosys' };
    for (const [file, maxLength] of /** @type {const} */ ([
      ['hugo.yaml', '10000'],
      ['hugo.yaml', '1.0e+4'], // without the dot it is text
      ['hugo.json', '10000.0'],
      ['hugo.json', '1e4'],
    ])) {
      const text = `${JSON.stringify(base).slice(0, -1)}, "params": {"stacosys": {"maxLength": ${maxLength}, "css": false, "load": "click"}}}`;
      const site = makeSite(t, { ...FILES, [file]: text, 'hugo.toml': '' });
      const { status, log, read } = build(site, version, [...STRICT, '--config', file]);
      assert.equal(status, 0, log);
      assert.match(read('one/index.html'), / maxlength="10000"/, `${file} ${maxLength}`);
      assert.match(read('one/index.html'), / data-load="click"/);
      assert.doesNotMatch(read('one/index.html'), /<link/);
    }
  });

  test(`the redirect page may be a page, in any language, or a file (Hugo ${version})`, (t) => {
    const thanks = page('Thanks', 'comments: false\n');
    const hidden = page('Thanks', `comments: false\n${unlisted(version)}`);
    for (const [redirect, files, config = ''] of /** @type {const} */ ([
      ['/thanks/', { 'content/thanks.md': thanks }],
      ['/thanks/', { 'content/thanks.md': hidden }],
      ['/thanks/', { 'content/thanks/_index.md': thanks }],
      ['/été/', { 'content/été.md': thanks }],
      ['/%C3%A9t%C3%A9/', { 'content/été.md': thanks }],
      ['/', {}],
      ['/thanks.html', { 'content/thanks.md': thanks }, 'uglyURLs = true\n'],
      ['/thanks.html', { 'content/thanks.md': hidden }, 'uglyURLs = true\n'],
      ['/thanks.html', { 'static/thanks.html': '' }],
      ['/thanks/', { 'static/thanks/index.html': '' }],
      ['/fr/merci/', { 'content/merci.fr.md': thanks }, LANGUAGES],
      ['/fr/merci/', { 'content/merci.fr.md': hidden }, LANGUAGES],
      ['/en/thanks/', { 'content/thanks.md': thanks }, `defaultContentLanguageInSubdir = true\n${LANGUAGES}`],
      ['https://elsewhere.example/thanks', {}],
      ['https://elsewhere.example/?thanks#top', {}],
    ])) {
      const text = `${CONFIG}${config}[params.stacosys]\nredirect = "${redirect}"\n`;
      built(t, version, { 'hugo.toml': text, ...files }, []);
    }
  });

  test(`the redirect page is looked for where the site lies (Hugo ${version})`, (t) => {
    for (const [baseURL, more] of [
      ['https://example.org/blog/', ''],
      ['https://example.org/blog/', 'canonifyURLs = true\n'],
      ['https://example.org/blog/', 'relativeURLs = true\n'],
      ['/blog/', ''],
      ['https://example.org:8080/blog', ''],
    ]) {
      const config = `${CONFIG.replace('https://example.org/', baseURL ?? '')}${more}`;
      for (const file of ['content/thanks.md', 'static/thanks/index.html']) {
        const files = { [file]: page('Thanks') };
        const redirect = (/** @type {string} */ path) => `[params.stacosys]\nredirect = "${path}"\n`;
        built(t, version, { 'hugo.toml': config + redirect('/blog/thanks/'), ...files });
        failure(t, version, { 'hugo.toml': config + redirect('/thanks/'), ...files });
      }
    }
  });

  test(`a redirect page that is not there ends the build (Hugo ${version})`, (t) => {
    for (const [file, text] of /** @type {const} */ ([
      ['content/other.md', page('Thanks')],
      ['static/thanks/picture.svg', ''], // a folder is no page
      ['content/thanks.md', page('Thanks', 'draft: true\n')],
    ])) {
      const log = failure(t, version, { ...withParams('redirect = "/thanks/"'), [file]: text });
      assert.match(log, /redirect is \/thanks\/, but the site has no such page/);
    }
  });

  test(`script and style are published as the page says: minified, under their hashes (Hugo ${version})`, (t) => {
    const { read, files } = built(t, version, {});
    const html = read('one/index.html');
    const script = attributes(html, 'script');
    const style = attributes(html, 'link');
    assert.equal(script.type, 'module');
    for (const [address, integrity] of [
      [script.src, script.integrity],
      [style.href, style.integrity],
    ]) {
      const text = read(String(address).slice(1));
      assert.equal(integrity, `sha256-${createHash('sha256').update(text).digest('base64')}`);
      assert.ok(address?.includes(createHash('sha256').update(text).digest('hex')), address);
      const lines = text.split('\n');
      assert.ok(text.length > 100 * lines.length, address); // a few, of template literals
      assert.doesNotMatch(text, /\/\*|sourceMappingURL/);
    }
    assert.deepEqual(
      files().filter((file) => file.startsWith('stacosys/')),
      [script.src, style.href].map((address) => String(address).slice(1)).sort(),
    );
  });

  test(`script and style have the right address wherever the site lies (Hugo ${version})`, (t) => {
    for (const [config, start] of [
      ['baseURL = "https://example.org/"\nuglyURLs = true\n', '/stacosys/'],
      ['baseURL = "https://example.org/blog/"\n', '/blog/stacosys/'],
      ['baseURL = "https://example.org/"\ncanonifyURLs = true\n', 'https://example.org/stacosys/'],
      ['baseURL = "https://example.org/blog/"\ncanonifyURLs = true\n', 'https://example.org/blog/stacosys/'],
      ['baseURL = "https://example.org/"\nrelativeURLs = true\n', '../stacosys/'],
    ]) {
      const { read, files } = built(t, version, { 'hugo.toml': `theme = "hugo-stacosys"\n${config}` });
      const html = read(config?.includes('ugly') ? 'one.html' : 'one/index.html');
      for (const address of [attributes(html, 'script').src, attributes(html, 'link').href]) {
        assert.ok(address?.startsWith(start ?? ''), `${config} ${address}`);
        assert.ok(files().includes(`stacosys/${address?.slice(start?.length)}`), address);
      }
    }
  });

  test(`languages with hosts of their own have script and style on each (Hugo ${version})`, (t) => {
    const hosts = LANGUAGES.replace(
      '[languages.en]',
      '[languages.en]\nbaseURL = "https://en.example/"',
    ).replace('[languages.fr]', '[languages.fr]\nbaseURL = "https://fr.example/blog/"');
    const { read, files } = built(t, version, {
      'hugo.toml': `${CONFIG}${hosts}[params.stacosys]\nredirect = "/blog/merci/"\n`,
      'content/one.fr.md': page('Un'),
      'content/merci.fr.md': page('Merci', 'comments: false\n'),
    });
    for (const language of ['en', 'fr']) {
      const html = read(`${language}/one/index.html`);
      assert.equal(attributes(html, 'section').lang, language);
      for (const address of [attributes(html, 'script').src, attributes(html, 'link').href]) {
        assert.ok(files().includes(`${language}${address}`), address);
      }
    }
  });

  test(`each page has the texts of its language (Hugo ${version})`, (t) => {
    const { read } = built(t, version, {
      'hugo.toml': CONFIG + LANGUAGES,
      'content/one.fr.md': page('Un'),
    });
    for (const [file, title, write, sent] of /** @type {const} */ ([
      ['one/index.html', 'Comments', 'Write a comment', 'Thank you.'],
      ['fr/one/index.html', 'Commentaires', 'Écrire un commentaire', 'Merci.'],
    ])) {
      const html = read(file);
      assert.match(html, new RegExp(`id="stacosys-title">${title} <`));
      assert.match(html, new RegExp(`id="stacosys-form-title">${write}<`));
      assert.match(html, new RegExp(`class="on-sent">${sent}`));
    }
  });

  test(`a language without a translation gets English (Hugo ${version})`, (t) => {
    const config = `${CONFIG}defaultContentLanguage = "eo"\n`;
    const language = (/** @type {Built} */ { read }) => textLines(read('one/index.html'));
    assert.deepEqual(
      language(built(t, version, { 'hugo.toml': config }, [])),
      language(built(t, version, {}, [])),
    );
  });

  test(`whatever a language is called, the section has one that a browser knows (Hugo ${version})`, (t) => {
    const keys = {
      'zh-hant-tw': 'zh-hant-tw',
      'pt-br': 'pt-br',
      pt_br: 'pt-br',
      'es-419': 'es-419',
      'x-klingon': 'en',
      'i-klingon': 'en',
      klingon: 'en',
      'de-1996': 'en',
    };
    for (const [key, expected] of Object.entries(keys)) {
      const config = `${CONFIG}defaultContentLanguage = "${key}"\n[languages.${key}]\nweight = 1\n`;
      const { lang = '' } = attributes(
        built(t, version, { 'hugo.toml': config }, []).read('one/index.html'),
        'section',
      );
      assert.equal(lang, expected);
      assert.doesNotThrow(() => new Intl.PluralRules(lang));
      assert.doesNotThrow(() => new Date(0).toLocaleString(lang));
    }
  });

  test(`a list page carries neither script nor style (Hugo ${version})`, (t) => {
    assert.doesNotMatch(built(t, version, {}).read('index.html'), /<script|<link|<section/);
  });

  test(`a theme that calls the partial twice gets one script, which runs once (Hugo ${version})`, (t) => {
    const twice = '{{ partial "stacosys/comments.html" . }}{{ partial "comments.html" . }}';
    const html = built(t, version, { 'layouts/_default/single.html': twice }).read('one/index.html');
    const scripts = html.match(/<script [^>]*>/g) ?? [];
    assert.equal(new Set(scripts).size, 1);
    assert.match(scripts[0] ?? '', /type="module"/); // a module runs once, however often a page names it
  });
}

test('two versions of Hugo build the same section', (t) => {
  for (const params of ['', 'avatars = "gravatar"\nload = "click"', 'avatars = "initials"\ncss = false']) {
    const [oldest, latest] = HUGO_VERSIONS.map((version) => built(t, version, withParams(params)));
    assert.ok(oldest && latest);
    assert.deepEqual(oldest.files(), latest.files());
    for (const file of latest.files()) assert.equal(oldest.read(file), latest.read(file), file);
  }
});
