import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sizesOf } from '../../../scripts/bundle.js';
import { HUGO_LATEST, HUGO_VERSIONS } from '../../../scripts/tools.js';
import { article } from '../../../stacosys-hook/test/hugo-site.js';
import { serve, violations, visit } from '../browser.js';
import { CONFIG, STRICT, WHOLE_FILE, build, makeSite } from '../hugo-site.js';

/** What the script may cost the readers of a list: bytes, brotli. */
const BUDGET = 200;

const PAGE = `<!doctype html><html lang="en"><head><title>Blog</title>
{{ partial "stacosys/seen.html" . }}</head><body><main><h1>Blog</h1>`;

const FILES = {
  'hugo.toml': `${CONFIG}[params.stacosys]\nnewSince = true\n`,
  'static/favicon.ico': '', // which Chromium asks for where a page names none
  'content/a.md': article({ title: 'A' }),
  'content/été.md': article({ title: 'Summer' }),
  'content/quiet.md': article({ title: 'Quiet', comments: false }),
  'layouts/index.html': `${PAGE}<ul>{{ range site.RegularPages }}<li>{{ partial "stacosys/count.html" . }}</li>{{ end }}</ul></main>`,
  'layouts/_default/single.html': `${PAGE}{{ partial "stacosys/count.html" . }}</main>`,
};

const SUMMER = '/%C3%A9t%C3%A9/';

const counts = (/** @type {number} */ a, /** @type {number} */ summer) => ({
  'data/stacosys/counts.json': JSON.stringify({ '/a/': a, [SUMMER]: summer }),
});

test('a list says how many comments came since the reader opened the article', async (t) => {
  const { page, problems, go } = await blogOver(t, [counts(1200, 0), counts(1202, 1), counts(1100, 1)]);
  await go(0, '/');
  assert.deepEqual(await links(page), ['1,200 comments', 'No comments yet']);
  await go(0, '/a/#comments');
  await go(0, SUMMER);
  await go(0, '/');
  assert.deepEqual(await links(page), ['1,200 comments', 'No comments yet'], 'nothing is new');

  await go(1, '/');
  assert.deepEqual(await links(page), [
    '1,202 comments +2 since your last visit',
    '1 comment +1 since your last visit',
  ]);
  assert.equal(await page.locator('.stacosys-count > .stacosys-new').count(), 2);
  assert.deepEqual(await violations(page), []);
  await go(1, '/a/?from=mail');
  assert.deepEqual(await links(page), ['1,202 comments +2 since your last visit'], 'while it is read');
  await go(1, '/');
  assert.deepEqual(await links(page), ['1,202 comments', '1 comment +1 since your last visit']);

  await go(2, '/');
  assert.deepEqual(await links(page), ['1,100 comments', '1 comment +1 since your last visit'], 'some went');
  assert.deepEqual(problems, []);
});

test('what is new costs a list no request but that of its script', async (t) => {
  const site = await serve(t, small());
  const { page } = await visit(t, `${site.address}/`);
  await page.waitForLoadState('networkidle');
  assert.deepEqual(
    site.requests.map(({ url }) => url.replace(/\.[0-9a-f]{64}/, '')).filter((url) => url !== '/favicon.ico'),
    ['/', '/stacosys/seen.js'],
  );
});

test('a browser that keeps nothing shows the counts alone, and has no error', async (t) => {
  const site = await serve(t, small());
  const { page, problems } = await visit(t, 'about:blank');
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('Storage is switched off', 'SecurityError');
      },
    });
  });
  for (const path of ['/a/', '/']) await page.goto(site.address + path);
  assert.deepEqual(await links(page), ['1 comment', '2 comments']);
  assert.deepEqual(problems, []);
});

test('without JavaScript the counts stand alone', async (t) => {
  const site = await serve(t, small());
  const { page } = await visit(t, `${site.address}/`, { javaScriptEnabled: false });
  assert.deepEqual(await links(page), ['1 comment', '2 comments']);
});

test('what is new is said in the language of the page', async (t) => {
  const config = FILES['hugo.toml'].replace('[params', 'defaultContentLanguage = "fr"\n[params');
  const site = await serve(t, built({ ...counts(3, 0), 'hugo.toml': config }));
  const { page } = await visit(t, `${site.address}/`);
  await page.evaluate(() => localStorage.setItem('stacosys-/a/', '1'));
  await page.reload();
  assert.equal((await links(page))[0], '3 commentaires +2 depuis votre dernière visite');
});

for (const version of HUGO_VERSIONS) {
  test(`the script costs at most ${BUDGET} bytes (Hugo ${version})`, () => {
    const folder = built(counts(1, 2), version);
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    const scripts = [...html.matchAll(/<script [^>]*src="?([^"\s>]+)/g)];
    assert.equal(scripts.length, 1);
    const { brotli } = sizesOf(readFileSync(join(folder, String(scripts[0]?.[1]))));
    assert.ok(brotli > 50 && brotli <= BUDGET, `${brotli} bytes`);
  });

  test(`without newSince a page has no script, and a count no number of its own (Hugo ${version})`, () => {
    const folder = built({ ...counts(1, 2), 'hugo.toml': CONFIG }, version);
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    assert.match(html, /<a class="?stacosys-count"? href="?\/a\/#comments"?>1 comment</);
    assert.doesNotMatch(html, /<script|data-/);
  });
}

/**
 * A blog that is built again and again, on one origin, which storage belongs to.
 *
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>[]} builds the data of each
 */
async function blogOver(t, builds) {
  const folders = builds.map((data) => built(data));
  const sites = await Promise.all(folders.map((folder) => serve(t, folder)));
  const { page, problems } = await visit(t, 'about:blank');
  const origin = sites[0]?.address ?? '';
  let address = origin;
  await page.route(`${origin}/**`, async (route) => {
    const url = route.request().url().replace(origin, address);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  const go = async (/** @type {number} */ build, /** @type {string} */ path) => {
    address = sites[build]?.address ?? '';
    await page.goto('about:blank'); // from /a/ to /a/#comments is no visit
    await page.goto(origin + path);
  };
  return { page, problems, go };
}

/**
 * A browser may ask for its icon when a test is over, so the files stay.
 *
 * @param {Record<string, string>} files
 * @param {string} [version] of Hugo
 * @returns {string} the folder of its pages
 */
function built(files, version = HUGO_LATEST) {
  const blog = makeSite(WHOLE_FILE, { ...FILES, ...files });
  const { status, log } = build(blog, version, STRICT);
  assert.equal(status, 0, log);
  return join(blog, `public-${version}`);
}

/** A blog that is built once for all tests. */
function small() {
  smallBlog ??= built(counts(1, 2));
  return smallBlog;
}

/** @type {string | undefined} */
let smallBlog;

/**
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>} the words of each count
 */
function links(page) {
  return page.locator('.stacosys-count').allInnerTexts();
}
