/* What init advises is followed to the letter, as a newcomer would, and Hugo builds the blog. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HUGO_VERSIONS, ROOT } from '../../scripts/tools.js';
import { STRICT, build, textLines } from '../../hugo-module/test/hugo-site.js';
import { run } from './command-line.js';
import { comments, temporaryFolder, writeDatabase } from './database.js';
import { article, writeFiles } from './hugo-site.js';

const MODULE = 'github.com/hugo-stacosys/hugo-stacosys';

const BLOG = {
  'content/one.md': article(),
  'layouts/_default/list.html': '{{ range site.RegularPages }}\n<h2>{{ .Title }}</h2>\n{{ end }}\n',
  'layouts/_default/single.html': '<h1>{{ .Title }}</h1>\n',
};

/** A theme with a partial of the name of one of ours: the first one in Hugo's order shows. */
const THEME = { 'themes/mine/layouts/partials/stacosys/count.html': 'the theme was first' };

const KINDS = ['taxonomy', 'term', 'RSS', 'sitemap', '404'];
const toml = `baseURL = "https://blog.example/"\ndisableKinds = ${JSON.stringify(KINDS)}\n`;
const yaml = `baseURL: https://blog.example/\ndisableKinds: ${JSON.stringify(KINDS)}\n`;
const json = (/** @type {object} */ more) =>
  `${JSON.stringify({ baseURL: 'https://blog.example/', disableKinds: KINDS, ...more }, null, 2)}\n`;

/** @type {[what: string, files: Record<string, string>][]} */
const BLOGS = [
  ['hugo.toml with a theme', { 'hugo.toml': `${toml}theme = "mine"\n[params]\n  a = 1\n`, ...THEME }],
  ['hugo.yaml with a theme', { 'hugo.yaml': `theme: mine\n${yaml}`, ...THEME }],
  ['config.json with a list of themes', { 'config.json': json({ theme: ['mine'] }), ...THEME }],
  [
    'config/_default/hugo.toml with a theme',
    { 'config/_default/hugo.toml': `${toml}theme = ["mine"]\n`, ...THEME },
  ],
  ['hugo.toml and themes, but no theme', { 'hugo.toml': `${toml}[params]\n  a = 1\n`, 'themes/.keep': '' }],
  ['config.yml and themes, but no theme', { 'config.yml': yaml, 'themes/.keep': '' }],
  ['hugo.json and themes, but no theme', { 'hugo.json': json({}), 'themes/.keep': '' }],
  ['hugo.toml of a blog without themes', { 'hugo.toml': `${toml}[params]\n  a = 1\n` }],
  ['hugo.yaml of a blog without themes', { 'hugo.yaml': yaml }],
  ['hugo.json of a blog without themes', { 'hugo.json': json({}) }],
  ['hugo.yaml with a module', { 'hugo.yaml': `${yaml}module:\n  hugoVersion:\n    min: 0.100.0\n` }],
  ['hugo.json with a module', { 'hugo.json': json({ module: { proxy: 'direct' } }) }],
  [
    'config/_default/module.toml',
    { 'config/_default/hugo.toml': toml, 'config/_default/module.toml': 'proxy = "direct"\n' },
  ],
  [
    'config/_default/module.yaml',
    { 'config/_default/hugo.yaml': yaml, 'config/_default/module.yaml': 'proxy: direct\n' },
  ],
  [
    'config/_default/module.json',
    { 'config/_default/hugo.json': json({}), 'config/_default/module.json': '{\n  "proxy": "direct"\n}\n' },
  ],
  ['imports in hugo.toml', { 'hugo.toml': `${toml}[[module.imports]]\n  path = "mine"\n`, ...THEME }],
  ['imports in hugo.yaml', { 'hugo.yaml': `${yaml}module:\n  imports:\n    - path: mine\n`, ...THEME }],
  ['imports in hugo.json', { 'hugo.json': json({ module: { imports: [{ path: 'mine' }] } }), ...THEME }],
  [
    'imports in config/_default/module.toml',
    {
      'config/_default/hugo.toml': toml,
      'config/_default/module.toml': '[[imports]]\npath = "mine"\n',
      ...THEME,
    },
  ],
  ['our module after the theme', { 'hugo.toml': `${toml}theme = ["mine", "hugo-stacosys"]\n`, ...THEME }],
];

for (const [index, [what, files]] of BLOGS.entries()) {
  const version = String(HUGO_VERSIONS[index % HUGO_VERSIONS.length]);
  test(`whoever follows what init says gets counts on the list and comments: ${what} (Hugo ${version})`, (t) => {
    const blog = temporaryFolder(t);
    writeFiles(blog, { ...BLOG, ...files });
    writeDatabase(join(blog, 'db.sqlite'), comments('/one/', 2));
    const bin = join(blog, 'bin'); // a Go on the PATH: without it, all of them would be told of themes
    writeFiles(bin, { go: '' });
    if ('hugo.toml' in files && what.startsWith('our module')) clone(blog);
    const { status, stdout } = run(blog, ['init', '--yes'], { env: { PATH: bin } });
    assert.equal(status, 0);
    for (const { title, lines } of stepsIn(stdout)) follow(blog, title, lines);
    assertShows(blog, version);
    assert.doesNotMatch(run(blog, ['init'], { env: { PATH: bin } }).stdout, /→ (In |Write this|Show )/);
  });
}

/**
 * @param {string} text what init printed
 * @returns {{title: string, lines: string}[]} its steps; lines: as they stand there, to be copied
 */
function stepsIn(text) {
  const [, list = ''] = text.split(
    'What is left to do, one after the other, in the folder of your blog:\n\n',
  );
  const steps = list.split(/^(?=→ )/m).map((step) => /^→ (.*)[:.]\n(?:\n(.*?\n)\n?)?$/s.exec(step));
  assert.ok(steps.length > 1);
  return steps.map((step) => ({ title: String(step?.[1]), lines: step?.[2]?.replace(/\n*$/, '\n') ?? '' }));
}

/** @type {[title: RegExp, follow: (blog: string, lines: string, ...named: string[]) => void][]} */
const HANDS = [
  [/^In (\S+), write this in place of the setting "theme"/, replaceTheme],
  [/^In (\S+), put hugo-stacosys first/, replaceTheme],
  [/^Write this at the top of (\S+)$/, (blog, lines, file = '') => edit(blog, file, (text) => lines + text)],
  [/^Write this at the end of (\S+)$/, (blog, lines, file = '') => edit(blog, file, (text) => text + lines)],
  [
    /^(?:Write this right after the first \{ of (\S+))$/,
    (blog, lines, file = '') => edit(blog, file, (text) => text.replace('{', `{\n${lines}`)),
  ],
  [
    /^In (\S+), inside of [`"]module/,
    (blog, lines, file = '') => edit(blog, file, (text) => text.replace(/^.*module"?:.*\n/m, `$&${lines}`)),
  ],
  [
    /^In (\S+), before the first (?:\[\[|entry)/,
    (blog, lines, file = '') =>
      edit(blog, file, (text) =>
        text.replace(/^( *)(\[\[|- |\{\s*"path)/m, (found, indent) => `${indent}${lines}${found}`),
      ),
  ],
  [/^Get the module$/, (blog, lines) => (lines.includes('git ') ? clone(blog) : undefined)],
  [
    /^Show the counts: add this line .* \(perhaps (\S+)\)$/,
    (blog, lines, file = '') => edit(blog, file, (text) => text.replace('{{ end }}', `${lines}{{ end }}`)),
  ],
  [
    /^Show the comments: add this line .* \(perhaps (\S+)\)$/,
    (blog, lines, file = '') => edit(blog, file, (text) => text + lines),
  ],
  [/^Install the command in the blog$/, () => {}],
  [
    /^Bake the counts and build$/,
    (blog, lines) => {
      assert.equal(lines, 'npx stacosys-hook bake && hugo --minify\n');
      assert.equal(run(blog, ['bake']).status, 0);
    },
  ],
];

/**
 * @param {string} blog
 * @param {string} title
 * @param {string} lines
 */
function follow(blog, title, lines) {
  const hand = HANDS.find(([pattern]) => pattern.test(title));
  assert.ok(hand, `nobody knows what to do: ${title}`);
  const [pattern, act] = hand;
  act(blog, lines, ...(pattern.exec(title) ?? []).slice(1));
}

/**
 * @param {string} blog
 * @param {string} file
 * @param {(text: string) => string} change
 */
function edit(blog, file, change) {
  const before = readFileSync(join(blog, file), 'utf8');
  const after = change(before);
  assert.notEqual(after, before, file);
  writeFileSync(join(blog, file), after);
}

/**
 * @param {string} blog
 * @param {string} lines
 * @param {string} [file]
 */
function replaceTheme(blog, lines, file = '') {
  edit(blog, file, (text) => text.replace(/^ *"?theme"? ?[=:] ?("\w+"|\w+|\[[^\]]*\])/m, lines.trimEnd()));
}

/**
 * What `git clone` makes.
 *
 * @param {string} blog
 */
function clone(blog) {
  mkdirSync(join(blog, 'themes'), { recursive: true });
  symlinkSync(ROOT, join(blog, 'themes', 'hugo-stacosys'));
}

/**
 * @param {string} blog
 * @param {string} version
 */
function assertShows(blog, version) {
  // Stands for `hugo mod get`, which needs the network
  const env = { HUGO_MODULE_REPLACEMENTS: `${MODULE} -> ${ROOT}`, PATH: '' };
  const { status, log, read } = build(blog, version, STRICT, env);
  assert.equal(status, 0, log);
  assert.deepEqual(textLines(read('index.html')), ['An article', '2 comments']);
  assert.match(
    read('one/index.html'),
    /<section class="stacosys" .*Comments <span class="stacosys-number">2</s,
  );
}
