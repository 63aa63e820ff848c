import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bake, toJson } from '../../stacosys-hook/src/bake.js';
import { canonicalKey, otherSpellings } from '../../stacosys-hook/src/key.js';
import { rows } from '../../stacosys-hook/test/rows.js';
import { HUGO_VERSIONS } from '../../scripts/tools.js';
import { CONFIG, build, makeSite, textLines } from './hugo-site.js';

/** File names as people have them. Hugo itself drops or changes some of these letters. */
const NAMES = [
  'plain',
  'hébergement',
  'décomposé'.normalize('NFD'),
  '日本語',
  'مرحبا',
  'ガギグ'.normalize('NFD'),
  'a b c',
  'f(x)',
  'f(é)',
  'c++',
  'q&a',
  "l'été",
  'UpperCase',
  'v1.2.3',
  'a~b_c@d',
  '100%',
  'comma,semicolon;equals=',
  'smile😀',
  'wow!',
  'brackets[1]',
  'page.html',
];

/** `url:` in front matter, which Hugo takes as it is. */
const URLS = [
  '/foo(bar)/',
  '/été(x)/',
  "/l'été/",
  '/Upper/Case.html',
  '/a b/',
  '/q&a/',
  '/c++/',
  '/x//y/',
  '/100%25/',
  '/a;b,c=d@e$f!g*h/',
  '/nofinal',
  '/x[1]/',
  '/~me/',
  '/a|b/',
  '/old.html',
  '/page.php',
  '/sub/index.html',
  '/escaped%28in-front-matter%29/',
];

const CONFIGS = {
  'plain urls': CONFIG,
  'ugly urls': `${CONFIG}uglyURLs = true\n`,
  'a sub-folder': CONFIG.replace('example.org/', 'example.org/my%20blog/'),
  'canonical urls': `${CONFIG}canonifyURLs = true\n`,
  'upper case': `${CONFIG}disablePathToLower = true\n`,
  'no baseURL': CONFIG.replace('https://example.org/', '/'),
  'two languages': `${CONFIG}defaultContentLanguageInSubdir = true
[languages.en]
contentDir = "content"
weight = 1
[languages.fr]
contentDir = "content"
weight = 2
`,
};

const content = Object.fromEntries([
  ...NAMES.map((name, index) => [`content/post/${name}.md`, `---\ntitle: name ${index}\n---\n`]),
  ...URLS.map((url, index) => [
    `content/url/${index}.md`,
    `---\ntitle: url ${index}\nurl: ${JSON.stringify(url)}\n---\n`,
  ]),
]);

for (const version of HUGO_VERSIONS) {
  for (const [description, config] of Object.entries(CONFIGS)) {
    test(`what Hugo ${version} prints with ${description} is a canonical key`, (t) => {
      for (const path of printedPaths(makeSite(t, siteWith(config)), version)) {
        const key = canonicalKey(path);
        assert.ok(key !== null);
        if (path === key) continue;
        // A name in NFD stays so in Hugo: the spellings lead from there to the key
        assert.equal(decodeURI(path).normalize('NFC'), decodeURI(key));
        assert.ok(otherSpellings(key, key).includes(path), path);
      }
    });

    test(`every page finds the comments of all its url forms (Hugo ${version}, ${description})`, (t) => {
      const site = siteWith(config);
      const paths = printedPaths(makeSite(t, site), version);
      const { counts, spellings } = bake(rows(paths.flatMap(formsOf)));
      const data = {
        'data/stacosys/counts.json': counts.toString(),
        'data/stacosys/spellings.json': toJson(spellings),
        'layouts/index.html':
          '{{ range site.RegularPages }}{{ partial "stacosys/funcs/count.html" . }} {{ partial "stacosys/count.html" . }}\n{{ end }}',
      };
      const shown = shownLines(makeSite(t, { ...site, ...data }), version);
      assert.deepEqual(
        shown.map((line) => line.replace(/ comm\w+$/, '')),
        paths.map((path) => `${formsOf(path).length} ${formsOf(path).length}`),
      );
    });
  }
}

/** @param {string} config */
function siteWith(config) {
  return {
    'hugo.toml': config,
    ...content,
    'layouts/index.html':
      '{{ range site.RegularPages }}{{ (urls.Parse .Permalink).EscapedPath | printf "key:%s" | safeHTML }}\n{{ end }}',
  };
}

/**
 * @param {string} folder
 * @param {string} version
 */
function printedPaths(folder, version) {
  const paths = shownLines(folder, version);
  assert.ok(paths.length >= NAMES.length + URLS.length, paths.join('\n'));
  assert.equal(new Set(paths).size, paths.length, 'two pages with one path prove nothing');
  return paths;
}

/**
 * @param {string} folder
 * @param {string} version
 */
function shownLines(folder, version) {
  const { read, files, log, status } = build(folder, version);
  assert.equal(status, 0, log);
  const homes = files().filter(
    (file) => /^(?:(?:en|fr)\/)?index\.html$/.test(file) && !/http-equiv/.test(read(file)),
  );
  return homes.flatMap((file) => textLines(read(file))).map((line) => line.replace(/^key:/, ''));
}

/**
 * The forms in which Stacosys may hold the url of a page: see the README of stacosys-hook.
 *
 * @param {string} path
 * @returns {[url: string, published: number][]}
 */
function formsOf(path) {
  const decoded = decodeURI(path);
  const forms = new Set([
    path,
    path.slice(1),
    `https://blog.example${path}?utm_source=feed#comments`,
    ...(path.includes('%25') ? [] : [decoded.normalize('NFC'), decoded.normalize('NFD')]),
    ...(path.endsWith('/') && !/\.(html|php)\/$/.test(path) ? [path.slice(0, -1), `${path}/`] : []),
  ]);
  return [...forms].map((form) => [form, 1]);
}
