import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { demoComments } from '../../scripts/demo-comments.js';
import { HUGO_LATEST, HUGO_VERSIONS, ROOT, pinnedHugo } from '../../scripts/tools.js';
import { bake, countsByKey } from '../../stacosys-hook/src/bake.js';
import { readPages } from '../../stacosys-hook/src/site.js';
import { writeFiles } from '../../stacosys-hook/test/hugo-site.js';
import { rows } from '../../stacosys-hook/test/rows.js';
import { bakedFiles, publishedOf } from './baked-comments.js';
import { STRICT, build } from './hugo-site.js';

const EXAMPLE = join(ROOT, 'hugo-module', 'exampleSite');
const GOLDEN = join(import.meta.dirname, 'golden');

/** One page of each kind. Renew them with UPDATE_GOLDEN=1, and read the difference. */
const GOLDEN_PAGES = {
  'home.html': 'index.html',
  'accueil.html': 'fr/index.html',
  'article.html': '2021/an-address-is-a-promise/index.html',
  'article-accent.html': 'fr/2019/bilan-hébergement-2018/index.html',
  'article-ugly-url.html': 'migration-du-blog-sous-pelican.html',
  'about.html': 'about/index.html',
  'tags.html': 'tags/index.html',
};

/** What search engines are told: data, which no browser runs. */
const JSON_LD = /^<script type=application\/ld\+json>\{[^<]*\}<\/script>$/;

/** The script of the comments, as `--minify` leaves it. */
const OWN_SCRIPT =
  /^<script type=module src=\/stacosys\/comments\.[0-9a-f]{64}\.js integrity="sha256-[^"]+"><\/script>$/;

/** "+2 since your last visit": where it is remembered, and on the one list that shows it. */
const SEEN_SCRIPT =
  /^<script defer src=\/stacosys\/seen\.[0-9a-f]{64}\.js integrity="sha256-[^"]+" data-since="[^"]+"(?: data-seen=\d+)?><\/script>$/;

/** The lists that say what is new: a script is on no other list. */
const DISCUSSIONS = ['discussion/index.html', 'fr/discussion/index.html'];

/** The search of the documentation, which is the example site's own: on its pages, and on no other. */
const SEARCH_SCRIPT =
  /^<script type=module src=\/docs\/search\.[0-9a-f]{64}\.js integrity="sha256-[^"]+"><\/script>$/;

/** @param {string} file */
const isOfDocs = (file) => file.startsWith('docs/');

/** What a site gets from the module. */
const MODULE = ['layouts', 'assets', 'hugo.toml', 'go.mod', 'hugo-module/i18n', 'hugo-module/npm'];

/** The article with an alias, under which it has comments from before. */
const RENAMED = { key: '/2021/an-address-is-a-promise/', alias: '/2021/old-name/' };

/** @type {Record<string, import('./hugo-site.js').Built>} */
const built = {};
/** @type {import('../../stacosys-hook/src/bake.js').Baked} */
let baked;

before(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hugo-stacosys-example-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const site = join(folder, 'hugo-module', 'exampleSite');
  copyRepository(folder);
  const comments = publishedOf(demoComments((await readPages(site, pinnedHugo(HUGO_LATEST))) ?? []));
  baked = bake(rows(comments.map(({ url }) => [url, 1])));
  writeFiles(site, bakedFiles(comments));
  for (const version of HUGO_VERSIONS) {
    built[version] = build(site, version, [...STRICT, '--minify']);
    assert.equal(built[version].status, 0, built[version].log);
  }
});

test('two versions of Hugo build the same bytes', () => {
  const [oldest, latest] = HUGO_VERSIONS.map((version) => outputOf(version));
  assert.deepEqual(oldest?.files(), latest?.files());
  for (const file of latest?.files() ?? []) assert.equal(oldest?.read(file), latest?.read(file), file);
});

test('the pages look as they were reviewed', () => {
  for (const [name, file] of Object.entries(GOLDEN_PAGES)) {
    const html = onePerLine(outputOf(HUGO_LATEST).read(file));
    if (process.env.UPDATE_GOLDEN) writeFileSync(join(GOLDEN, name), html);
    assert.equal(html, readFileSync(join(GOLDEN, name), 'utf8'), name);
  }
});

test('no page has anything inline, and none names another host', () => {
  const output = outputOf(HUGO_LATEST);
  for (const file of pagesOf(output)) {
    const html = output.read(file);
    assert.doesNotMatch(html, /<style|<iframe|<[^>]*\s(?:on[a-z]+|style|srcdoc)=|javascript:/i, file);
    const scripts = scriptsOf(html).map(([script]) => script);
    const known = isOfDocs(file) ? [SEARCH_SCRIPT, OWN_SCRIPT, SEEN_SCRIPT] : [OWN_SCRIPT, SEEN_SCRIPT];
    for (const script of scripts) {
      assert.ok(
        known.some((shape) => shape.test(script)),
        `${file}: ${script}`,
      );
    }
    for (const [, url] of html.matchAll(
      /<(?:link|img|source|form)[^>]*?(?:href|src|action)=["']?([^"'\s>]+)/g,
    )) {
      assert.match(String(url), /^(?:\/|https:\/\/example\.org\/)/, file);
    }
  }
});

test('a page with comments has one script and one style sheet for them, and one for what is new; a list has none', () => {
  const output = outputOf(HUGO_LATEST);
  const articles = new Set();
  for (const file of pagesOf(output)) {
    const html = output.read(file);
    const sections = html.match(/<section class=stacosys /g)?.length ?? 0;
    assert.ok(sections <= 1, file);
    const scripts = scriptsOf(html).map(([script]) => script);
    const seen = scripts.filter((script) => SEEN_SCRIPT.test(script));
    assert.equal(seen.length, sections || Number(DISCUSSIONS.includes(file)), file);
    assert.equal(/ data-seen=/.test(String(seen)), sections > 0, `${file}: an article is remembered`);
    assert.equal(scripts.length, seen.length + sections + Number(isOfDocs(file)), file);
    assert.equal(html.match(/href=\S*stacosys\.min\.\S*\.css/g)?.length ?? 0, sections, file);
    if (sections) articles.add(file);
  }
  assert.ok(articles.has(GOLDEN_PAGES['article.html']));
  for (const name of /** @type {const} */ (['home.html', 'accueil.html', 'tags.html'])) {
    assert.ok(!articles.has(GOLDEN_PAGES[name]), name);
  }
});

test('every article shows the count that was baked for it, and the footer their total', () => {
  const output = outputOf(HUGO_LATEST);
  let total = 0;
  const counts = countsByKey(baked.counts);
  const old = counts.get(RENAMED.alias) ?? 0;
  assert.ok(old > 0);
  counts.delete(RENAMED.alias);
  counts.set(RENAMED.key, (counts.get(RENAMED.key) ?? 0) + old);
  for (const [key, count] of counts) {
    const file = decodeURI(key.endsWith('/') ? `${key}index.html` : key).slice(1);
    const words = key.startsWith('/fr/') || key.endsWith('.html') ? 'commentaire' : 'comment';
    assert.match(output.read(file), new RegExp(`#comments data-count=${count}>${count} ${words}s?</a>`), key);
    total += count;
  }
  assert.match(output.read('index.html'), new RegExp(`\\b${total} comments on this site`));
});

test('every link of the documentation, and of its search, leads to a page and a part of it', () => {
  const output = outputOf(HUGO_LATEST);
  const files = output.files();
  const index = JSON.parse(output.read('docs/index.json'));
  assert.ok(index.length > 60, String(index.length));
  const found = index.map((/** @type {{url: string}} */ { url }) => ['docs/index.json', url]);
  const pages = pagesOf(output).filter(isOfDocs);
  assert.ok(pages.length > 10);
  const links = pages.flatMap((file) =>
    [...output.read(file).matchAll(/<a\b[^>]*? href=["']?([^"'\s>]+)/g)].map(([, url = '']) => [file, url]),
  );
  for (const [file, url] of [...found, ...links]) {
    const { origin, pathname, hash } = new URL(url, `https://example.org/${file.replace(/index\.\w+$/, '')}`);
    if (origin !== 'https://example.org') continue;
    const target = decodeURI(pathname.endsWith('/') ? `${pathname}index.html` : pathname).slice(1);
    assert.ok(files.includes(target), `${file}: ${url}`);
    if (hash) {
      assert.match(
        output.read(target),
        new RegExp(` id=["']?${hash.slice(1)}["']?[\\s>]`),
        `${file}: ${url}`,
      );
    }
  }
});

test('each page of the documentation is reachable from the next, and in the list of all', () => {
  const output = outputOf(HUGO_LATEST);
  const listed = [...output.read('docs/index.html').matchAll(/<li><a href=(\/docs\/[^ >]+)/g)];
  const pages = new Set(listed.map(([, url = '']) => url));
  assert.equal(pages.size, pagesOf(output).filter(isOfDocs).length - 1);
  const walked = ['/docs/getting-started/'];
  for (const url of walked) {
    const [, next] = /<a href=([^ >]+) rel=next>/.exec(output.read(`${url.slice(1)}index.html`)) ?? [];
    if (next) walked.push(next);
  }
  assert.deepEqual(new Set(walked), pages);
});

test('a count costs a list page less than 9 bytes of brotli, and with newSince less than 12', async () => {
  const page = outputOf(HUGO_LATEST).read('notes/index.html');
  const plain = page.replace(/(<a class=stacosys-count [^>]*?) data-count=\d+/g, '$1');
  assert.notEqual(plain, page);
  await assertCountsCost(plain, 9);
  await assertCountsCost(page, 12);
});

/**
 * @param {string} page
 * @param {number} limit bytes of brotli for each of its counts
 */
async function assertCountsCost(page, limit) {
  const { brotliCompressSync } = await import('node:zlib');
  const bare = page.replace(/<a class=stacosys-count .*?<\/a>/g, '');
  const counts = page.match(/stacosys-count/g)?.length ?? 0;
  assert.ok(counts >= 15, String(counts));
  const cost = brotliCompressSync(page).length - brotliCompressSync(bare).length;
  assert.ok(cost / counts < limit, `${cost} bytes for ${counts} counts`);
}

/** @param {string} version */
function outputOf(version) {
  const output = built[version];
  assert.ok(output);
  return output;
}

/** @param {import('./hugo-site.js').Built} output */
function pagesOf(output) {
  return output.files().filter((name) => name.endsWith('.html'));
}

/** @param {string} html */
function scriptsOf(html) {
  return [...html.matchAll(/<script.*?<\/script>/gs)].filter(([script]) => !JSON_LD.test(script));
}

/** @param {string} folder the example site imports the module from two folders up */
function copyRepository(folder) {
  mkdirSync(join(folder, 'hugo-module'));
  for (const part of MODULE) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  }
  cpSync(EXAMPLE, join(folder, 'hugo-module', 'exampleSite'), {
    recursive: true,
    filter: (path) => !/exampleSite\/(?:data|public|resources)/.test(path),
  });
}

/** @param {string} html minified; a golden file is read by people, and hashes tell them nothing */
function onePerLine(html) {
  const lines = html.replace(/></g, '>\n<');
  return `${lines.replace(/\.[0-9a-f]{64}\./g, '.').replace(/ integrity="[^"]*"/g, ' integrity')}\n`;
}
