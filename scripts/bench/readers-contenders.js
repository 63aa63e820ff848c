import { join } from 'node:path';
import { benchGo, benchPython, benchRust } from './bench-tools.js';
import { pathOf } from './readers-database.js';
import { ARTICLES_PER_LIST } from './readers-site.js';
import { startFlask } from './servers/flask.js';
import { freePorts } from './servers/free-ports.js';
import { goVersions, startGoProxy } from './servers/go-proxy.js';
import { startIsso } from './servers/isso.js';
import { startFront } from './servers/nginx.js';
import { pythonVersions } from './servers/python.js';
import { rustVersions, startRust } from './servers/rust.js';
import { startSanic } from './servers/sanic.js';
import { startUvicorn } from './servers/uvicorn.js';

/**
 * @typedef {import('./load/page-view.js').Answer} Answer
 * @typedef {import('./readers-site.js').Variant} Variant
 * @typedef {import('./servers/server.js').Server} Server
 * @typedef {import('./servers/with-processes.js').Start} Start
 *
 * @typedef {object} Kind of contender
 * @property {string} name
 * @property {Variant} page
 * @property {'none' | 'each' | 'batch' | 'file'} counts how a page asks for them; file: it fetches those of all articles
 * @property {'Python' | 'Go' | 'Rust'} [language] that must be there
 * @property {boolean} [isCached] nginx remembers the answers of Flask
 * @property {(start: Start, where: Where) => Promise<Server>} [serve] starts what answers for the counts
 *
 * @typedef {object} Where
 * @property {string} database
 * @property {number} port
 * @property {number} cores
 * @property {string} backend origin of the server behind a proxy
 *
 * @typedef {object} Contender one that runs
 * @property {Kind} kind
 * @property {string} about
 * @property {number} port of its nginx, for HTTPS
 * @property {number[]} pids of nginx and of all that is behind it
 * @property {import('./load/page-view.js').Asked[]} view all requests of a page view
 */

export const BAKED = 'baked page';
export const BARE = 'page without counts';
export const GO_PROXY = 'Go cache proxy';

const COUNT = '/api/comments/count';
const ISSO = '/count';
const FILE = '/stacosys/counts.json'; // of endpoint.html

/** @type {Kind[]} */
export const KINDS = [
  {
    name: 'Flask',
    page: 'places',
    counts: 'each',
    language: 'Python',
    serve: (start, { cores, ...where }) => startFlask(start, { ...where, workers: 2 * cores + 1 }),
  },
  ...[1, 4].map((workers) => ({
    name: `Sanic, ${workers} ${workers === 1 ? 'worker' : 'workers'}`,
    page: /** @type {const} */ ('places'),
    counts: /** @type {const} */ ('each'),
    language: /** @type {const} */ ('Python'),
    serve: (/** @type {Start} */ start, /** @type {Where} */ where) =>
      startSanic(start, { ...where, workers }),
  })),
  {
    name: 'Sanic with a cache',
    page: 'places',
    counts: 'each',
    language: 'Python',
    serve: (start, { cores, ...where }) => startSanic(start, { ...where, workers: cores, cached: true }),
  },
  {
    name: 'uvicorn',
    page: 'places',
    counts: 'each',
    language: 'Python',
    serve: (start, { cores, ...where }) => startUvicorn(start, { ...where, workers: cores }),
  },
  {
    name: 'Rust',
    page: 'places',
    counts: 'each',
    language: 'Rust',
    serve: (start, { cores, ...where }) => startRust(start, { ...where, workers: cores }),
  },
  {
    name: 'Rust with a cache',
    page: 'places',
    counts: 'each',
    language: 'Rust',
    serve: (start, { cores, ...where }) => startRust(start, { ...where, workers: cores, cached: true }),
  },
  {
    name: 'Isso',
    page: 'places',
    counts: 'batch',
    language: 'Python',
    serve: (start, { cores, ...where }) => startIsso(start, { ...where, workers: 2 * cores + 1 }),
  },
  // Side by side with those that it is compared with: what else the machine does hits all three
  {
    name: GO_PROXY,
    page: 'places',
    counts: 'each',
    language: 'Go',
    serve: (start, { port, cores, backend }) =>
      startGoProxy(start, { port, workers: cores, upstream: backend }),
  },
  { name: 'nginx with a cache', page: 'places', counts: 'each', language: 'Python', isCached: true },
  { name: 'one request for counts.json', page: 'places', counts: 'file' },
  { name: BAKED, page: 'baked', counts: 'none' },
  { name: BARE, page: 'bare', counts: 'none' },
];

const LANGUAGES = { Python: benchPython, Go: benchGo, Rust: benchRust };

const PACKAGES = ['flask', 'gunicorn', 'sanic', 'cachetools', 'starlette', 'uvicorn', 'uvloop', 'isso'];

/** The slowest, behind which the proxy stands, the fastest, and ours. */
const QUICK = ['Flask', GO_PROXY, BAKED, BARE];

/** @param {boolean} quick */
export function kindsOf(quick) {
  return quick ? KINDS.filter(({ name }) => QUICK.includes(name)) : KINDS;
}

/**
 * @param {boolean} quick
 * @returns {{kinds: Kind[], skipped: string[], versions: Record<string, string>}} what can run here
 */
export function usableKinds(quick) {
  const missing = Object.entries(LANGUAGES).flatMap(([language, find]) =>
    find() === null ? [language] : [],
  );
  const { kinds, skipped } = runnable(missing, kindsOf(quick));
  const left = KINDS.filter((kind) => !kindsOf(quick).includes(kind));
  const versions = {
    ...(missing.includes('Python') ? {} : pythonVersions(PACKAGES)),
    ...(missing.includes('Go') ? {} : goVersions()),
    ...(missing.includes('Rust') ? {} : rustVersions()),
  };
  return {
    kinds,
    skipped: [...skipped, ...left.map(({ name }) => `${name}: not in a quick run.`)],
    versions,
  };
}

/**
 * @param {string[]} missing languages whose servers could not be installed
 * @param {Kind[]} wanted
 * @returns {{kinds: Kind[], skipped: string[]}} what can run without them, and what cannot, and why
 */
export function runnable(missing, wanted = KINDS) {
  // Behind the proxy in Go stands a server in Python
  const needs = (/** @type {Kind} */ { language }) =>
    language === 'Go' ? ['Go', 'Python'] : language === undefined ? [] : [language];
  const lacking = (/** @type {Kind} */ kind) => needs(kind).filter((language) => missing.includes(language));
  return {
    kinds: wanted.filter((kind) => lacking(kind).length === 0),
    skipped: wanted
      .filter((kind) => lacking(kind).length > 0)
      .map((kind) => `${kind.name}: ${unbuilt(lacking(kind))}`),
  };
}

/** @param {string[]} languages */
function unbuilt(languages) {
  const tellWhy = languages.map((language) => `node scripts/setup.js bench-${language.toLowerCase()}`);
  return `the servers in ${languages.join(' and ')} could not be installed (${tellWhy.join(', ')} says why)`;
}

/**
 * Starts all of them, each behind an nginx of its own that has the configuration of the others: which CPU
 * time is whose is plain, and those that are not measured sleep.
 *
 * @param {Start} start
 * @param {Kind[]} kinds
 * @param {{folder: string, site: import('./readers-site.js').ReadersSite, nginx: string,
 *   certificate: import('./make-certificate.js').Certificate, cores: number}} common cores: of the servers
 * @returns {Promise<Contender[]>}
 */
export async function startContenders(start, kinds, { folder, site, nginx, certificate, cores }) {
  const ports = await freePorts(2 * kinds.length);
  /** @type {Contender[]} */
  const contenders = [];
  let backend = { origin: '', port: 0, pids: /** @type {number[]} */ ([]) };
  for (const [index, kind] of kinds.entries()) {
    const [behind = 0, port = 0] = ports.slice(2 * index, 2 * index + 2);
    const where = { database: site.database, port: behind, cores, backend: backend.origin };
    const server = kind.isCached
      ? { pids: backend.pids, about: 'proxy_cache, in front of Flask' }
      : await kind.serve?.(start, where);
    const counts = server && {
      location: kind.counts === 'batch' ? ISSO : COUNT,
      port: kind.isCached ? backend.port : behind,
      isCached: kind.isCached ?? false,
    };
    const front = await startFront(start, {
      binary: nginx,
      folder: join(folder, `nginx-${index}`),
      port,
      workers: cores,
      pages: site.pages[kind.page],
      certificate,
      counts,
    });
    const behindProxy = kind.name === GO_PROXY ? backend.pids : [];
    const pids = [front, ...(server?.pids ?? []), ...behindProxy];
    contenders.push({ kind, about: server?.about ?? 'static files', port, pids, view: viewOf(kind) });
    if (kind.name === 'Flask') {
      backend = { origin: `http://127.0.0.1:${behind}`, port: behind, pids: server?.pids ?? [] };
    }
  }
  return contenders;
}

/**
 * @param {Pick<Kind, 'counts'>} kind
 * @returns {import('./load/page-view.js').Asked[]} the page, and what it asks for its ten counts
 */
export function viewOf({ counts }) {
  const paths = Array.from({ length: ARTICLES_PER_LIST }, (_, article) => pathOf(article));
  const get = (/** @type {string} */ path) => ({ method: /** @type {const} */ ('GET'), path });
  if (counts === 'each') return [get('/'), ...paths.map((path) => get(`${COUNT}?url=${path}`))];
  if (counts === 'batch') return [get('/'), { method: 'POST', path: ISSO, body: JSON.stringify(paths) }];
  if (counts === 'file') return [get('/'), get(FILE)];
  return [get('/')];
}
