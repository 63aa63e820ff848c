import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../tools.js';
import { writeDatabase } from '../stacosys-database.js';

/**
 * @typedef {object} GeneratedSite
 * @property {string} folder of the Hugo site
 * @property {string} database
 * @property {string} published the folder of `current`
 */

const COMMENTS_PER_PAGE = 5;
const WORDS_PER_PAGE = 300;
const PAGES_PER_LIST = 20;

const CONFIG = `baseURL = "https://blog.example/"
title = "A generated blog"

[module]
  replacements = "github.com/hugo-stacosys/hugo-stacosys -> ${ROOT.replace(/\/$/, '')}"
  [[module.imports]]
    path = "github.com/hugo-stacosys/hugo-stacosys"
`;

const BASE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{{ .Title }}</title></head>
<body>
<header><a href="{{ "/" | relURL }}">{{ site.Title }}</a></header>
<main>{{ block "main" . }}{{ end }}</main>
</body>
</html>
`;

const ROW = `<article><h2><a href="{{ .RelPermalink }}">{{ .Title }}</a></h2>
<p>{{ .Summary }}</p>{{ partial "stacosys/count.html" . }}</article>`;

/** @type {Record<string, string>} */
const LAYOUTS = {
  '_default/baseof.html': BASE,
  'index.html': `{{ define "main" }}{{ range first ${PAGES_PER_LIST} site.RegularPages }}${ROW}{{ end }}{{ end }}\n`,
  '_default/list.html': `{{ define "main" }}{{ range (.Paginate .Pages ${PAGES_PER_LIST}).Pages }}${ROW}{{ end }}{{ end }}\n`,
  '_default/single.html': `{{ define "main" }}<h1>{{ .Title }}</h1>{{ partial "stacosys/count.html" . }}{{ .Content }}{{ end }}\n`,
};

/**
 * Writes a blog with as many articles, lists of them, and a database with comments on each.
 *
 * @param {string} folder that is made anew
 * @param {number} pages articles; the first one is /posts/article-0/
 * @returns {GeneratedSite}
 */
export function generateSite(folder, pages) {
  rmSync(folder, { recursive: true, force: true });
  const site = join(folder, 'site');
  writeFile(join(site, 'hugo.toml'), CONFIG);
  for (const [name, text] of Object.entries(LAYOUTS)) writeFile(join(site, 'layouts', name), text);
  for (let page = 0; page < pages; page += 1) {
    writeFile(join(site, 'content', 'posts', `article-${page}.md`), article(page));
  }
  const database = join(folder, 'db.sqlite');
  writeDatabase(database, commentsOn(pages));
  return { folder: site, database, published: join(site, 'published') };
}

/** @param {number} page */
function article(page) {
  const date = new Date(Date.UTC(2024, 0, 1) - page * 3_600_000).toISOString();
  const words = Array.from({ length: WORDS_PER_PAGE }, (_, index) => `word${(page * 7 + index * 13) % 997}`);
  const paragraphs = [0, 1, 2].map((part) => words.slice(part * 100, part * 100 + 100).join(' '));
  return `---\ntitle: "Article ${page}"\ndate: ${date}\n---\n${paragraphs.join('\n\n')}\n`;
}

/**
 * @param {number} pages
 * @returns {Generator<import('../stacosys-database.js').Comment>}
 */
function* commentsOn(pages) {
  const created = '2024-01-02 12:00:00';
  for (let comment = 0; comment < pages * COMMENTS_PER_PAGE; comment += 1) {
    const url = `/posts/article-${comment % pages}/`;
    yield { url, author: 'Alice', content: 'Well said. '.repeat(20), created, published: created };
  }
}

/**
 * @param {string} file
 * @param {string} text
 */
function writeFile(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
