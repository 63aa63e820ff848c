import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blogOf } from '../src/blog.js';
import { templateCalls } from '../src/template-calls.js';
import { templateSteps } from '../src/template-steps.js';

const COUNT = '{{ partial "stacosys/count.html" . }}';
const COMMENTS = '{{ partial "stacosys/comments.html" . }}';

/**
 * @param {string} text of a template
 * @returns {string[]} what it calls
 */
function called(text) {
  const calls = templateCalls([{ file: 'a.html', text }]);
  return Object.entries(calls).flatMap(([name, files]) => (files.length > 0 ? [name] : []));
}

/**
 * @param {Record<string, string>} templates path → text
 * @param {string[]} [theme]
 */
function stepsFor(templates, theme = []) {
  const files = Object.entries(templates).map(([file, text]) => ({ file, text }));
  return templateSteps({
    ...blogOf([{ file: 'hugo.toml', values: { theme } }]),
    hasGoMod: false,
    hasThemesFolder: true,
    hasGo: false,
    hasModule: false,
    hasHook: false,
    isInGit: false,
    missingThemes: [],
    templates: Object.keys(templates),
    calls: templateCalls(files),
  });
}

/** @type {[text: string, calls: string[]][]} */
const TEXTS = [
  [COUNT, ['count']],
  [COMMENTS, ['comments']],
  ['{{ partial "comments.html" . }}', ['forwarded']],
  ['{{- partial "comments" $ -}}', ['forwarded']],
  ['{{ partialCached `stacosys/count` . }}', ['count']],
  ['{{ $n := (partial ("stacosys/count.html") .) }}', ['count']],
  [`<p>${COUNT}</p>\n${COMMENTS}`, ['count', 'comments']],
  ['{{ partial "stacosys/themes/stack.html" . }}', ['count']],
  [`{{/* ${COUNT} */}}`, []],
  [`{{- /*\n${COUNT}\n*/ -}}`, []],
  [`<!-- ${COUNT} -->`, []],
  ['{{ partial "my/comments.html" . }}', []],
  ['{{ partial "stacosys/funcs/count.html" . }}', []],
  ['stacosys/count.html', []],
];

for (const [text, calls] of TEXTS) {
  test(`${JSON.stringify(text)} calls ${calls.join(' and ') || 'nothing of ours'}`, () => {
    assert.deepEqual(called(text), calls);
  });
}

test('a blog that shows both has nothing left to do', () => {
  assert.deepEqual(
    stepsFor({ 'layouts/_default/list.html': COUNT, 'layouts/_default/single.html': COMMENTS }),
    [],
  );
});

test('a template of the theme is to be copied first', () => {
  const [count, section] = stepsFor(
    { 'themes/mine/layouts/_default/summary.html': '', 'themes/mine/layouts/_default/single.html': '' },
    ['mine'],
  );
  const copy = 'which you copy to layouts/_default/summary.html first';
  assert.ok(
    count?.title.includes(`perhaps themes/mine/layouts/_default/summary.html, ${copy}`),
    count?.title,
  );
  assert.ok(section?.title.includes('to layouts/_default/single.html first'), section?.title);
});

test('a template of the blog comes before one of the theme', () => {
  const [count] = stepsFor({ 'layouts/index.html': '', 'themes/mine/layouts/_default/summary.html': '' }, [
    'mine',
  ]);
  assert.match(count?.title ?? '', /\(perhaps layouts\/index\.html\)$/);
});

test('a theme that calls comments.html has its comments, unless the blog has its own comments.html', () => {
  const theme = { 'themes/mine/layouts/_default/single.html': '{{ partial "comments.html" . }}' };
  const [, section] = stepsFor(theme, ['mine']);
  assert.match(section?.title ?? '', /single\.html calls comments\.html, which is ours now/);
  assert.deepEqual(section?.lines, []);
  const [, own] = stepsFor({ ...theme, 'layouts/partials/comments.html': 'Disqus' }, ['mine']);
  assert.match(own?.title ?? '', /into your layouts\/partials\/comments\.html$/);
  assert.deepEqual(own?.lines, [COMMENTS]);
});

/** @type {[name: string, theme: string][]} */
const THEMES = [
  ['PaperMod', 'PaperMod'],
  ['PaperMod', 'github.com/adityatelange/hugo-PaperMod'],
  ['Congo', 'github.com/jpanther/congo/v2'],
  ['Blowfish', 'blowfish'],
  ['Stack', 'github.com/CaiJimmy/hugo-theme-stack/v3'],
  ['Ananke', 'gohugo-theme-ananke'],
  ['Hextra', 'github.com/imfing/hextra'],
];

for (const [name, theme] of THEMES) {
  test(`${theme} is known as ${name}, for which there are instructions`, () => {
    const [step, ...more] = stepsFor({}, [theme]);
    const page = new RegExp(`for ${name}, do as .*/adapters/README\\.md#${name.toLowerCase()} says$`);
    assert.match(step?.title ?? '', page);
    assert.deepEqual(more, []);
    const done = {
      'layouts/partials/a.html': `{{ partial "stacosys/themes/${name.toLowerCase()}.html" . }}`,
    };
    assert.deepEqual(stepsFor(done, [theme]), []);
  });
}

test('a theme of a similar name is not known', () => {
  const [count] = stepsFor({}, ['congolese', 'full-stack', 'not/papermodern']);
  assert.doesNotMatch(count?.title ?? '', /adapters/);
});
