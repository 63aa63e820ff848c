/*
 * Shared set-up of the browser tests: built sites on a port of this machine, with an API that a
 * test makes up, and a real Chromium that tells what happened. It holds no test itself.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after } from 'node:test';
import { chromium } from 'playwright-core';
import sirv from 'sirv';
import { demoComments } from '../../scripts/demo-comments.js';
import { writeDatabase } from '../../scripts/stacosys-database.js';
import { HUGO_LATEST, ROOT, pinnedHugo, usableChromium } from '../../scripts/tools.js';
import { readPages } from '../../stacosys-hook/src/site.js';
import { atEnd } from '../../stacosys-hook/test/at-end.js';
import { writeFiles } from '../../stacosys-hook/test/hugo-site.js';
import { bakedFiles, publishedOf } from './baked-comments.js';
import { STRICT, build, makeSite } from './hugo-site.js';

/**
 * @typedef {import('node:test').TestContext} TestContext
 * @typedef {import('playwright-core').Page} Page
 *
 * @typedef {(request: Request) => Response | Promise<Response>} Api Response.error() breaks the connection
 *
 * @typedef {object} Recorded a request, in the order of arrival
 * @property {string} method
 * @property {string} url path and query, as the browser sent them
 * @property {Record<string, string>} headers
 * @property {string} body
 *
 * @typedef {object} Site
 * @property {string} address without a slash at its end
 * @property {Recorded[]} requests a test may empty it
 * @property {Api} api a test may replace it at any time
 *
 * @typedef {object} Visit
 * @property {Page} page
 * @property {string[]} problems errors of scripts and of the console, and what the policy forbade
 */

export const PHONE = { width: 360, height: 740 };
export const DESKTOP = { width: 1280, height: 900 };

/** What a careful blog allows: nothing inline, nothing from elsewhere. */
const POLICY = "default-src 'self'";

/** The paths of Stacosys: what else is asked for is a file. */
const API = /^\/(?:api\/|newcomment\b)/;

const TIMEOUT = 10_000;
const SCREENSHOTS = join(ROOT, '.screenshots');
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** @type {Api} an API without comments */
const NO_COMMENTS = () => Response.json({ data: [] });

/**
 * The example site with the counts of the demo's comments, built once for all tests of a file.
 *
 * @returns {Promise<{output: string, database: string}>} its folder, and the comments behind it
 */
export function exampleSite() {
  example ??= buildExample();
  return example;
}

/** @type {ReturnType<typeof buildExample> | undefined} */
let example;

async function buildExample() {
  const folder = mkdtempSync(join(tmpdir(), 'hugo-stacosys-browser-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // The example site imports the module from two folders up
  cpSync(ROOT, folder, { recursive: true, filter: isSource });
  const site = join(folder, 'hugo-module', 'exampleSite');
  const database = join(folder, 'db.sqlite');
  const comments = demoComments((await readPages(site, pinnedHugo(HUGO_LATEST))) ?? []);
  writeDatabase(database, comments);
  const bin = join(ROOT, 'stacosys-hook', 'bin.js');
  execFileSync(process.execPath, [bin, 'bake', '--quiet', '--db', database, '--source', site]);
  writeFiles(site, bakedFiles(publishedOf(comments)));
  return { output: builtFolder(site, [...STRICT, '--minify']), database };
}

/** @param {string} path */
function isSource(path) {
  const isOurs = !['node_modules', 'public', 'resources'].includes(basename(path));
  return path === ROOT || (isOurs && !basename(path).startsWith('.') && !/exampleSite\/data/.test(path));
}

/**
 * A site of the test's own that uses the module.
 *
 * @param {TestContext} t
 * @param {Record<string, string>} files as for makeSite
 * @param {string} [version] of Hugo
 * @returns {string} the folder of its pages
 */
export function inlineSite(t, files, version) {
  const icon = { 'static/favicon.ico': '' }; // which Chromium asks for where a page names none
  return builtFolder(makeSite(t, { ...icon, ...files }), STRICT, version);
}

/**
 * @param {string} site
 * @param {string[]} args
 * @param {string} [version] of Hugo
 */
function builtFolder(site, args, version = HUGO_LATEST) {
  const { status, log } = build(site, version, args);
  assert.equal(status, 0, log);
  return join(site, `public-${version}`);
}

/**
 * Serves a site until the test ends. Pages and API have one origin, as behind a blog's proxy.
 *
 * @param {TestContext} t
 * @param {string} folder
 * @param {Api} [api]
 * @returns {Promise<Site>}
 */
export async function serve(t, folder, api = NO_COMMENTS) {
  const sendFile = sirv(folder, { etag: true });
  /** @type {Site} */
  const site = { address: '', requests: [], api };
  const server = createServer(async (message, response) => {
    const request = await received(message, site.address);
    site.requests.push(await recorded(request));
    if (API.test(message.url ?? '')) return sendAnswer(await site.api(request), response);
    response.setHeader('Content-Security-Policy', POLICY);
    sendFile(message, response, () => sendNotFound(folder, response));
  });
  site.address = await listening(server);
  atEnd(t, () => close(server));
  return site;
}

/**
 * @param {TestContext} t
 * @param {import('node:http').RequestListener} listener such as that of scripts/dev-stacosys.js
 * @returns {Promise<Api>}
 */
export async function answeredBy(t, listener) {
  const server = createServer(listener);
  const address = await listening(server);
  atEnd(t, () => close(server));
  return async (request) => {
    const { method, headers } = request;
    for (const name of ['connection', 'content-length', 'host']) headers.delete(name);
    const body = request.body && (await request.arrayBuffer());
    return fetch(address + pathOf(request), { method, headers, body, redirect: 'manual' });
  };
}

/**
 * @param {import('node:http').Server} server
 * @returns {Promise<string>} its address
 */
async function listening(server) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return `http://127.0.0.1:${port}`;
}

/** @param {import('node:http').Server} server */
async function close(server) {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections(); // also those for which a test holds back its answer
  await closed;
}

/**
 * @param {import('node:http').IncomingMessage} message
 * @param {string} address
 */
async function received(message, address) {
  const { method = 'GET', url = '/', headersDistinct } = message;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value) => /** @type {[string, string]} */ ([name, value])),
  );
  const body = await buffer(message);
  return new Request(address + url, { method, headers, body: body.length > 0 ? body : null });
}

/**
 * @param {Request} request
 * @returns {Promise<Recorded>}
 */
async function recorded(request) {
  const { method, headers } = request;
  const body = await request.clone().text();
  return { method, url: pathOf(request), headers: Object.fromEntries(headers), body };
}

/** @param {Request} request */
function pathOf({ url }) {
  return url.slice(new URL(url).origin.length);
}

/**
 * @param {Response} answer
 * @param {import('node:http').ServerResponse} response
 */
async function sendAnswer(answer, response) {
  if (answer.type === 'error') return response.destroy();
  response.setHeaders(answer.headers);
  response.writeHead(answer.status);
  return response.end(Buffer.from(await answer.arrayBuffer()));
}

/**
 * @param {string} folder
 * @param {import('node:http').ServerResponse} response
 */
function sendNotFound(folder, response) {
  const page = join(folder, '404.html');
  response.writeHead(404, { 'Content-Type': 'text/html; charset=utf-8' });
  response.end(existsSync(page) ? readFileSync(page) : 'Not found');
}

/**
 * Opens a page as a new reader, who has been nowhere before.
 *
 * @param {TestContext} t
 * @param {string} url
 * @param {import('playwright-core').BrowserContextOptions} [options]
 * @returns {Promise<Visit>}
 */
export async function visit(t, url, options = {}) {
  const context = await (await browser()).newContext({ viewport: DESKTOP, ...options });
  atEnd(t, () => context.close());
  context.setDefaultTimeout(TIMEOUT);
  const page = await context.newPage();
  const problems = await problemsOf(page);
  await page.goto(url);
  return { page, problems };
}

/** One Chromium for all tests of a file. */
function browser() {
  chromiumOfFile ??= launch();
  return chromiumOfFile;
}

/** @type {ReturnType<typeof launch> | undefined} */
let chromiumOfFile;

after(async () => {
  if (chromiumOfFile) await (await chromiumOfFile).close();
});

async function launch() {
  const executablePath = usableChromium();
  assert.ok(executablePath, 'There is no Chromium: run node scripts/setup.js chromium');
  const isRoot = process.getuid?.() === 0; // for whom Chromium has no sandbox
  return chromium.launch({ executablePath, chromiumSandbox: !isRoot, timeout: 60_000 });
}

/** @param {Page} page */
async function problemsOf(page) {
  /** @type {string[]} */
  const problems = [];
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  await page.exposeFunction('reportViolation', (/** @type {string} */ text) =>
    problems.push(`policy: ${text}`),
  );
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      Object(window).reportViolation(`${violatedDirective} forbids ${blockedURI}`);
    });
  });
  return problems;
}

/**
 * @param {Page} page
 * @returns {Promise<string[]>} what axe-core finds, `rule: element`
 */
export async function violations(page) {
  await page.evaluate(readFileSync(AXE, 'utf8'));
  const { violations } = await page.evaluate(() => Object(window).axe.run());
  return /** @type {import('axe-core').Result[]} */ (violations).flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
  );
}

/**
 * @param {Page} page
 * @returns {Promise<number>} the pixels by which the page is wider than its window
 */
export function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/**
 * Writes `.screenshots/<name>.png`, for people to look at.
 *
 * @param {Page} page
 * @param {string} name
 */
export async function screenshot(page, name) {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}
