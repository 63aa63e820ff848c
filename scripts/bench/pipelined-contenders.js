import { join } from 'node:path';
import { benchGo, benchRust } from './bench-tools.js';
import { commentsOn, pathOf } from './readers-database.js';
import { freePorts } from './servers/free-ports.js';
import { startGoProxy } from './servers/go-proxy.js';
import { startNginx } from './servers/nginx.js';
import { startRust } from './servers/rust.js';

/**
 * @typedef {import('./load/page-view.js').Answer} Answer
 * @typedef {import('./servers/with-processes.js').Start} Start
 *
 * @typedef {object} Common
 * @property {string} folder
 * @property {import('./readers-site.js').ReadersSite} site
 * @property {string} nginx
 *
 * @typedef {import('./load/measure-load.js').Target & {counts: number, ours: boolean}} Pipelined counts: in
 *   one answer
 */

export const ARTICLES = 10;
export const IN_FLIGHT = 24;

const ARTICLE = 3; // whose count the servers are asked for

/**
 * @param {Start} start
 * @param {Common} common
 * @returns {Promise<{contenders: Pipelined[], skipped: string[]}>} each with one worker
 */
export async function startPipelined(start, common) {
  const [plain = 0, cached = 0, go = 0, sqlite = 0, memory = 0, behind = 0] = await freePorts(6);
  const contenders = [
    await startFile(start, common, { port: plain, name: 'counts.json on nginx', ours: true }),
    await startFile(start, common, {
      port: cached,
      name: 'counts.json on nginx, open files cached',
      settings: 'open_file_cache max=1000; open_file_cache_valid 60s;',
    }),
  ];
  const skipped = [];
  if (benchGo() === null) skipped.push('Go: its server could not be built');
  else {
    const upstream = await startBackend(start, common, behind);
    const server = await startGoProxy(start, { port: go, workers: 1, upstream });
    contenders.push(countServer('Go, with a cache', go, server.pids));
  }
  if (benchRust() === null) skipped.push('Rust: its server could not be built');
  else {
    const asked = { database: common.site.database, workers: 1 };
    const asks = await startRust(start, { ...asked, port: sqlite });
    const remembers = await startRust(start, { ...asked, port: memory, cached: true });
    contenders.push(countServer('Rust, from SQLite', sqlite, asks.pids));
    contenders.push(countServer('Rust, with a cache', memory, remembers.pids));
  }
  return { contenders, skipped };
}

/**
 * @param {Start} start
 * @param {Common} common
 * @param {{port: number, name: string, ours?: boolean, settings?: string}} what
 * @returns {Promise<Pipelined>}
 */
async function startFile(start, { folder, site, nginx }, { port, name, ours = false, settings = '' }) {
  const root = join(site.pages.baked, 'current');
  const own = { binary: nginx, folder: join(folder, `nginx-${port}`), port, workers: 1 };
  const server = `server { listen 127.0.0.1:${port}; root ${root}; ${settings} }`;
  const pid = await startNginx(start, own, server);
  const check = (/** @type {Answer[]} */ answers) =>
    answers.forEach((answer) => refuseWrongFile(name, answer));
  return {
    name,
    port,
    pids: [pid],
    view: requests('/stacosys/counts.json'),
    check,
    counts: ARTICLES,
    ours,
  };
}

/**
 * What the proxy asks once, and then no more.
 *
 * @param {Start} start
 * @param {Common} common
 * @param {number} port
 * @returns {Promise<string>} its origin
 */
async function startBackend(start, { folder, nginx }, port) {
  const own = { binary: nginx, folder: join(folder, `nginx-${port}`), port, workers: 1 };
  const answer = `default_type application/json; return 200 '{"count":${commentsOn(ARTICLE)}}';`;
  await startNginx(start, own, `server { listen 127.0.0.1:${port}; ${answer} }`);
  return `http://127.0.0.1:${port}`;
}

/**
 * @param {string} name
 * @param {number} port
 * @param {number[]} pids
 * @returns {Pipelined}
 */
function countServer(name, port, pids) {
  const check = (/** @type {Answer[]} */ answers) =>
    answers.forEach((answer) => refuseWrongCount(name, answer));
  const view = requests(`/api/comments/count?url=${pathOf(ARTICLE)}`);
  return { name, port, pids, view, check, counts: 1, ours: false };
}

/**
 * @param {string} path
 * @returns {import('./load/page-view.js').Asked[]} as many of the same as are in flight
 */
function requests(path) {
  return Array.from({ length: IN_FLIGHT }, () => ({ method: 'GET', path }));
}

/**
 * @param {string} name
 * @param {Pick<Answer, 'status' | 'text'>} answer
 */
export function refuseWrongFile(name, { status, text }) {
  const wanted = Array.from({ length: ARTICLES }, (_, article) => [pathOf(article), commentsOn(article)]);
  const got = status === 200 ? JSON.parse(text) : {};
  const isRight = wanted.every(([path = '', count]) => got[path] === count);
  if (isRight && Object.keys(got).length === ARTICLES) return;
  throw new Error(`${name} answered ${status}: ${text}`);
}

/**
 * @param {string} name
 * @param {Pick<Answer, 'status' | 'text'>} answer
 */
export function refuseWrongCount(name, { status, text }) {
  if (status === 200 && JSON.parse(text).count === commentsOn(ARTICLE)) return;
  throw new Error(`${name} answered ${status}: ${text}`);
}
