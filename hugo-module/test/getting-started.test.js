/*
 * The page "Getting started", followed to the letter in a blog that has never heard of comments: its commands are run
 * and its lines are pasted. Only what would fetch something from elsewhere is put in place by the test.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { writeDatabase } from '../../scripts/stacosys-database.js';
import { HUGO_VERSIONS, ROOT, hugoFolder } from '../../scripts/tools.js';
import { temporaryFolder } from '../../stacosys-hook/test/database.js';
import { writeFiles } from '../../stacosys-hook/test/hugo-site.js';

const PAGE = readFileSync(
  join(ROOT, 'hugo-module', 'exampleSite', 'content', 'en', 'docs', 'getting-started.md'),
  'utf8',
);

/** The steps of the page → what stands in its blocks. */
const STEPS = Object.fromEntries(PAGE.split(/^## /m).map((part) => [part.split('\n')[0], blocksIn(part)]));

const POST = '---\ntitle: Hello\ndate: 2024-01-02\n---\nText.\n';

/** A blog with a theme, which calls no comments. */
const BLOG = {
  'hugo.toml': 'baseURL = "https://blog.example/"\ntitle = "A blog"\ntheme = "your-theme"\n',
  'content/posts/hello.md': POST,
  'content/posts/quiet.md': POST.replace('Hello', 'Quiet'),
  'themes/your-theme/layouts/_default/list.html':
    '<!doctype html><title>{{ .Title }}</title>\n{{ range site.RegularPages }}\n<p>{{ .Title }}</p>\n{{ end }}\n',
  'themes/your-theme/layouts/_default/single.html':
    '<!doctype html><title>{{ .Title }}</title>\n{{ .Content }}\n',
};

for (const version of HUGO_VERSIONS) {
  test(`whoever follows the page has counts in the list, then comments under the article (Hugo ${version})`, (t) => {
    const { folder, sh } = blog(t, version);
    sh(one('1. Install the command', 'sh'));
    const said = sh(
      one('2. Let it look around', 'sh').replace('/path/to/stacosys', '..').replace(' init', ' init --yes'),
    );
    assert.match(said, /Written: stacosys\.toml and \.gitignore/);
    sh(one('3. Add the module', 'sh'));
    const [config = ''] = STEPS['3. Add the module']?.toml ?? [];
    assert.ok(said.includes(config.trim()), said);
    const toml = join(folder, 'hugo.toml');
    writeFileSync(toml, config + readFileSync(toml, 'utf8').replace(/^theme = .*\n/m, ''));
    const count = one('4. One line in the list', 'go-html-template');
    assert.ok(said.includes(count.trim()), said);
    addToTemplate(folder, 'list.html', /(?<=<p>\{\{ \.Title \}\})/, count);
    sh(one('5. Bake and build', 'sh'));
    const list = readFileSync(join(folder, 'public', 'index.html'), 'utf8');
    assert.match(list, /Hello\s*<a class=stacosys-count href=\/posts\/hello\/#comments>2 comments<\/a>/);
    assert.match(list, /Quiet\s*<a class=stacosys-count href=\/posts\/quiet\/#comments>No comments yet<\/a>/);
    assert.doesNotMatch(list, /<script/);
    addToTemplate(folder, 'single.html', /$/, one('The comments under an article', 'go-html-template'));
    sh(one('5. Bake and build', 'sh'));
    const article = readFileSync(join(folder, 'public', 'posts', 'hello', 'index.html'), 'utf8');
    assert.match(article, /<section class=stacosys id=comments .*<span class=stacosys-number>2<\/span>/s);
    const ignored = readFileSync(join(folder, '.gitignore'), 'utf8').split('\n');
    for (const line of ['/data/stacosys/', '/published/', 'node_modules/']) {
      assert.ok(ignored.includes(line), line);
    }
  });
}

/**
 * @param {import('node:test').TestContext} t
 * @param {string} version of Hugo
 */
function blog(t, version) {
  const home = temporaryFolder(t);
  const folder = join(home, 'blog');
  writeFiles(folder, BLOG);
  const comments = ['2024-02-01 10:00:00', '2024-02-02 10:00:00', null].map((published) => {
    const words = { url: '/posts/hello/', author: 'Ann', content: 'Hi **you**' };
    return { ...words, created: '2024-02-01 09:00:00', published };
  });
  writeDatabase(join(home, 'db.sqlite'), comments);
  const bin = standIns(home);
  const path = [bin, hugoFolder(version), dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH: path, HOME: home };
  /** @param {string} command */
  const sh = (command) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-ec', command], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    assert.equal(status, 0, `${command}\n${stdout}${stderr}`);
    return stdout;
  };
  return { folder, sh };
}

/**
 * npm and git would fetch this repository: here it is.
 *
 * @param {string} home
 * @returns {string} a folder for the PATH
 */
function standIns(home) {
  const hook = join(ROOT, 'stacosys-hook', 'bin.js');
  const scripts = {
    npm: '[ "$*" = "install github:hugo-stacosys/hugo-stacosys" ]',
    npx: `[ "$1" = stacosys-hook ] && shift && exec "${process.execPath}" "${hook}" "$@"`,
    git: `[ "$1 $2" = "submodule add" ] && ln -s "${ROOT}" "$4"`,
  };
  const bin = join(home, 'bin');
  for (const [name, script] of Object.entries(scripts)) {
    writeFiles(bin, { [name]: `#!/bin/sh\n${script}\n` });
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

/**
 * As the page says: the theme's own template is copied first.
 *
 * @param {string} folder
 * @param {string} name
 * @param {RegExp} place
 * @param {string} line
 */
function addToTemplate(folder, name, place, line) {
  const template = readFileSync(join(folder, 'themes', 'your-theme', 'layouts', '_default', name), 'utf8');
  const changed = template.replace(place, line);
  assert.notEqual(changed, template);
  writeFiles(folder, { [`layouts/_default/${name}`]: changed });
}

/**
 * @param {string} step
 * @param {string} language
 */
function one(step, language) {
  const [block] = STEPS[step]?.[language] ?? [];
  assert.ok(block, `"${step}" has no ${language}`);
  return block;
}

/**
 * @param {string} markdown
 * @returns {Record<string, string[]>} language → blocks
 */
function blocksIn(markdown) {
  /** @type {Record<string, string[]>} */
  const blocks = {};
  for (const [, language = '', text = ''] of markdown.matchAll(/^```([\w-]+)\n(.*?)^```$/gms)) {
    (blocks[language] ??= []).push(text);
  }
  return blocks;
}
