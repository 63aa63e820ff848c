/*
 * The blog that every contender shows its counts and comments in: ten articles, their comments, and
 * the templates, with three places that a contender fills.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @typedef {object} Article
 * @property {string} path `/posts/article-0/`
 * @property {string} title
 * @property {Note[]} notes its comments, oldest first
 *
 * @typedef {object} Note
 * @property {string} mark the words by which it is known on a page; no other holds them
 * @property {string} author
 * @property {string} text Markdown
 * @property {string} date `YYYY-MM-DD HH:MM:SS`
 *
 * @typedef {object} Slots what a contender puts into the templates of the blog
 * @property {string} count the number of comments of a page; the context is the page
 * @property {string} list below a list of articles
 * @property {string} comments the comments of an article; the context is the article
 */

const COUNTS = [12, 7, 3, 11, 5, 2, 9, 4, 6, 8];

const AUTHORS = ['Mireille', 'Tom', 'Agnes K.', 'Zoé', 'Wren', 'Paulo', 'L. Novak'];

const SENTENCES = [
  'The part about patience is the part that everybody skips.',
  'Mine lasted **eleven** winters before I had to touch it again.',
  'I would only add: write the date on it, with a pencil.',
  'What helped me was to stop after step two and sleep over it.',
  'It took me two evenings and one trip to the shop for `M5` washers.',
  'The cheap version is fine for a year, not for three.',
  'Would you do it the same way today?',
];

/** @type {Article[]} the first one is the article that is measured */
export const ARTICLES = COUNTS.map((count, article) => ({
  path: `/posts/article-${article}/`,
  title: `Notes from the workshop, part ${COUNTS.length - article}`,
  notes: Array.from({ length: count }, (_, index) => noteOf(article, index, count)),
}));

export const LIST_PATH = '/';
export const ARTICLE_PATH = String(ARTICLES[0]?.path);

/**
 * @param {number} article
 * @param {number} index
 * @param {number} count
 * @returns {Note}
 */
function noteOf(article, index, count) {
  const mark = `Note ${index + 1} of ${count}.`;
  const sentences = [0, 1, 2].map((part) => SENTENCES[(article + index * 3 + part * 2) % SENTENCES.length]);
  return {
    mark,
    author: String(AUTHORS[(article + index) % AUTHORS.length]),
    text: [mark, ...sentences].join(' '),
    date: new Date(Date.UTC(2026, 0, 10 + index, 9, article)).toISOString().slice(0, 19).replace('T', ' '),
  };
}

/** @param {string} path */
export function articleAt(path) {
  return ARTICLES.find((article) => article.path === path);
}

const CONFIG = `baseURL = "https://blog.example/"
title = "The workshop"
disableKinds = ["taxonomy", "term", "RSS", "sitemap", "section", "404"]
disableHugoGeneratorInject = true
`;

// The icon is empty, lest Chromium asks for one. What a count or a comment stands in is the same for all.
const BASE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Notes from a workshop against the back wall: small computers, bicycles and bread.">
<title>{{ .Title }}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/blog.css">
</head>
<body>
<header><a href="/">{{ site.Title }}</a></header>
<main>{{ block "main" . }}{{ end }}</main>
<footer>Written in the workshop</footer>
{{ block "end" . }}{{ end }}
</body>
</html>
`;

const STYLE = `:root { color-scheme: light; font: 1.0625rem/1.6 system-ui, sans-serif; }
body { max-width: 42rem; margin: 0 auto; padding: 0 1rem; color: #222; background: #fff; }
header, footer { padding: 1rem 0; }
h1, h2 { line-height: 1.25; }
a { color: #0a5aa5; }
`;

/**
 * @param {Slots} slots
 * @returns {Record<string, string>}
 */
function layouts({ count, list, comments }) {
  const row = `<article><h2><a href="{{ .RelPermalink }}">{{ .Title }}</a></h2><p>{{ .Description }}</p>
<p><span data-count-of="{{ .RelPermalink }}">${count}</span></p></article>`;
  return {
    '_default/baseof.html': BASE,
    'index.html': `{{ define "main" }}<h1>{{ .Title }}</h1>{{ range site.RegularPages }}${row}
{{ end }}{{ end }}{{ define "end" }}${list}{{ end }}`,
    '_default/single.html': `{{ define "main" }}<article><h1>{{ .Title }}</h1>{{ .Content }}</article>
<div id="discussion">${comments}</div>{{ end }}`,
  };
}

/**
 * Writes the blog with what a contender puts into its pages.
 *
 * @param {string} folder of the site
 * @param {Slots} slots
 * @param {string} [config] more of hugo.toml
 */
export function writeBlog(folder, slots, config = '') {
  write(join(folder, 'hugo.toml'), CONFIG + config);
  write(join(folder, 'static', 'blog.css'), STYLE);
  for (const [name, text] of Object.entries(layouts(slots))) write(join(folder, 'layouts', name), text);
  for (const [index, { title, path }] of ARTICLES.entries()) {
    write(join(folder, 'content', `${path.slice(1, -1)}.md`), content(index, title));
  }
}

/**
 * An article is short, so that its comments begin on the first screen of a phone, and nobody has to scroll
 * to have them fetched.
 *
 * @param {number} index
 * @param {string} title
 */
function content(index, title) {
  const date = new Date(Date.UTC(2026, 0, 9) - index * 86_400_000).toISOString();
  const sentences = SENTENCES.map((_, place) => SENTENCES[(index + place) % SENTENCES.length]);
  const front = { title, date, description: sentences.slice(0, 2).join(' ').replace(/[*`]/g, '') };
  return `${JSON.stringify(front)}\n\n${sentences.slice(0, 4).join(' ')}\n`;
}

/**
 * @param {string} hugo
 * @param {string} folder of the site
 * @returns {string} the folder of its pages
 */
export function buildBlog(hugo, folder) {
  const output = join(folder, 'public');
  const args = ['--minify', '--quiet', '--source', folder, '--destination', output];
  execFileSync(hugo, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 60_000 });
  return output;
}

/**
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
