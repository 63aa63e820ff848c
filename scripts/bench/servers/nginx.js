import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../tools.js';

/**
 * @typedef {import('./with-processes.js').Start} Start
 *
 * @typedef {object} Front an nginx as a blog has it
 * @property {string} binary
 * @property {string} folder of its own, which is made
 * @property {number} port for HTTPS
 * @property {number} workers
 * @property {string} pages the folder of the blog, which holds `current`
 * @property {import('../make-certificate.js').Certificate} certificate
 * @property {Counts} [counts] where it leads to a server of counts
 *
 * @typedef {{location: string, port: number, isCached?: boolean}} Counts isCached: nginx remembers the answers
 */

const KIT = join(ROOT, 'hugo-module', 'deploy', 'nginx.conf');
const NOWHERE = '127.0.0.1:1';
const FOREVER = 1_000_000_000; // requests on one connection

/**
 * Starts an nginx with the configuration of our deployment kit.
 *
 * @param {Start} start
 * @param {Front} front
 * @returns {Promise<number>} process id
 */
export async function startFront(start, front) {
  const site = kitFor(readFileSync(KIT, 'utf8'), front);
  const upstream = front.counts === undefined ? '' : upstreamOf(front.counts, front.folder);
  return startNginx(start, front, `${upstream}\n${site}`);
}

/**
 * @param {string} kit the text of nginx.conf
 * @param {Front} front
 * @returns {string} it, for this machine, with one location more where there are counts to ask for
 */
export function kitFor(kit, { port, pages, certificate, counts }) {
  /** @type {[RegExp, string][]} */
  const changes = [
    [/server \{\n {4}listen 80;[^]*?\n\}\n/g, ''], // the redirect to https
    [/\n *listen \[::\]:443.*/g, ''],
    // Shares connections evenly among the workers
    [/listen 443 ssl http2;/g, `listen 127.0.0.1:${port} ssl reuseport;`],
    [/\/etc\/letsencrypt\/live\/example\.org\/fullchain\.pem/g, certificate.cert],
    [/\/etc\/letsencrypt\/live\/example\.org\/privkey\.pem/g, certificate.key],
    [/\/var\/www\/blog\//g, `${pages}/`],
    [/127\.0\.0\.1:8100/g, NOWHERE],
  ];
  if (counts !== undefined) changes.push([/\n\}\s*$/g, `\n${locationOf(counts)}}\n`]);
  return changes.reduce((before, [find, replacement]) => {
    const after = before.replace(find, () => replacement);
    if (after === before) throw new Error(`hugo-module/deploy/nginx.conf no longer holds ${find}`);
    return after;
  }, kit);
}

/** @param {Counts} counts */
function locationOf({ location, isCached = false }) {
  const cache = isCached ? 'proxy_cache counts; proxy_cache_valid 200 1h; ' : '';
  // gzip: an answer of 40 bytes is not worth it
  return `    location = ${location} { proxy_pass http://counts; ${cache}gzip off; }\n`;
}

/**
 * @param {Counts} counts
 * @param {string} folder
 */
function upstreamOf({ port, isCached = false }, folder) {
  const cache = isCached ? `proxy_cache_path ${folder}/cache keys_zone=counts:10m;\n` : '';
  return `${cache}upstream counts {
  server 127.0.0.1:${port};
  keepalive 256;
  keepalive_requests ${FOREVER};
}`;
}

/**
 * @param {Start} start
 * @param {{binary: string, folder: string, port: number, workers: number}} options
 * @param {string} site what stands in its http block
 * @returns {Promise<number>} process id
 */
export async function startNginx(start, { binary, folder, port, workers }, site) {
  mkdirSync(folder, { recursive: true });
  const main = join(folder, 'nginx.conf');
  writeFileSync(main, mainConfig(folder, workers, site));
  return start({ binary, args: ['-p', folder, '-c', main, '-e', 'stderr'], port });
}

/**
 * What Debian's own nginx.conf says around a site, as far as it matters; and connections that last, so that
 * none is ended between the requests of a page view.
 *
 * @param {string} folder
 * @param {number} workers
 * @param {string} site
 */
function mainConfig(folder, workers, site) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const user = process.getuid?.() === 0 ? `user ${userInfo().username};\n` : '';
  return `${user}daemon off;
worker_processes ${workers};
pid ${folder}/nginx.pid;
events { worker_connections 2048; }
http {
  types { text/html html; application/json json; }
  default_type application/octet-stream;
  sendfile on;
  tcp_nopush on;
  access_log off;
  keepalive_requests ${FOREVER};
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  ${site}
}
`;
}

/** @param {string} binary */
export function nginxVersion(binary) {
  const { stderr } = spawnSync(binary, ['-V'], { encoding: 'utf8' });
  return /nginx\/(\S+)/.exec(stderr ?? '')?.[1] ?? 'unknown';
}
