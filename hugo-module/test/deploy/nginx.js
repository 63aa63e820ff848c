/* Shared set-up of the tests of nginx.conf: a real nginx that runs with it. It holds no test itself. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { usableNginx } from '../../../scripts/tools.js';
import { temporaryFolder } from '../../../stacosys-hook/test/database.js';
import { freePorts, makeCertificate, readKit, send, startServer, substituted } from './running.js';

/**
 * @typedef {import('node:test').TestContext} TestContext
 *
 * @typedef {object} Behind the ports of the programs behind nginx, and what else a test wants
 * @property {string} blog the folder that holds `current`
 * @property {number} [stacosys] port
 * @property {number} [hook] port of stacosys-hook
 * @property {(config: string) => string} [edit] what an owner would switch on
 * @property {string[]} [modules] files
 *
 * @typedef {object} Nginx
 * @property {number} http port
 * @property {number} https port
 * @property {string} ca the certificate
 * @property {string} acme the folder of the proofs for a certificate
 * @property {() => string} log errors and warnings
 * @property {(path: string, sent?: import('./running.js').Sent & {from?: string}) => Promise<import('./running.js').Answer>} ask
 *   over https; the answer has all the headers that every answer must have
 */

/** Says which reader it is, so that a test can be any; nginx.conf itself believes no such header. */
const READER = 'X-Test-Reader';

/** @type {Record<string, RegExp>} of every answer over https */
const EVERY_ANSWER = {
  'cache-control': /^(no-cache|public, max-age=31536000, immutable)$/,
  'content-security-policy':
    /^default-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'; object-src 'none'$/,
  'referrer-policy': /^strict-origin-when-cross-origin$/,
  'strict-transport-security': /^max-age=31536000$/,
  'x-content-type-options': /^nosniff$/,
  server: /^nginx$/, // without its version
};

const NO_PORT = 1; // where nothing listens

/**
 * @param {TestContext} t
 * @param {Behind} behind
 * @returns {Promise<Nginx>}
 */
export async function startNginx(
  t,
  { blog, stacosys = NO_PORT, hook = NO_PORT, edit = (text) => text, modules = [] },
) {
  const binary = usableNginx();
  assert.ok(binary, 'npm run setup nginx brings one');
  const folder = temporaryFolder(t);
  const { cert, key } = makeCertificate(t);
  const [http = 0, https = 0] = await freePorts(2);
  const local = (/** @type {string} */ text) =>
    substituted(text, [
      ['127.0.0.1:8100', `127.0.0.1:${stacosys}`],
      ['127.0.0.1:8101', `127.0.0.1:${hook}`],
      [/\n *listen \[::\]:.*/, ''],
      ['listen 80;', `listen 127.0.0.1:${http};`],
      ['listen 443 ', `listen 127.0.0.1:${https} `],
      ['/var/www/blog/', `${blog}/`],
      ['/var/www/html;', `${folder};`],
      ['/etc/letsencrypt/live/example.org/fullchain.pem', cert],
      ['/etc/letsencrypt/live/example.org/privkey.pem', key],
    ]);
  const site = join(folder, 'site.conf');
  writeFileSync(site, local(edit(readKit('nginx.conf'))));
  const main = join(folder, 'nginx.conf');
  writeFileSync(main, mainConfig(folder, site, modules));
  const args = ['-p', folder, '-c', main, '-e', 'stderr'];
  const { log } = await startServer(t, binary, args, [http, https]);
  const ca = readFileSync(cert, 'utf8');
  return { http, https, ca, log, acme: folder, ask: asking(https, ca) };
}

/**
 * What Debian's own nginx.conf says around a site, as far as it matters; and a cache of open files, as
 * an owner may have it, which the site must switch off for itself.
 *
 * @param {string} folder
 * @param {string} site
 * @param {string[]} modules
 */
function mainConfig(folder, site, modules) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `${modules.map((module) => `load_module ${module};\n`).join('')}daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 256; }
http {
  types {
    text/html html;
    text/css css;
    text/plain txt;
    application/javascript js;
    image/jpeg jpg;
  }
  default_type application/octet-stream;
  sendfile on;
  tcp_nopush on;
  ssl_protocols TLSv1 TLSv1.1 TLSv1.2 TLSv1.3;
  ssl_prefer_server_ciphers on;
  access_log off;
  gzip on;
  open_file_cache max=1000;
  open_file_cache_valid 1h;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  set_real_ip_from 127.0.0.1;
  real_ip_header ${READER};
  include ${site};
}
`;
}

/**
 * @param {number} port
 * @param {string} ca
 * @returns {Nginx['ask']}
 */
function asking(port, ca) {
  return async (path, { from = '198.51.100.1', headers, ...sent } = {}) => {
    const answer = await send(port, path, { ...sent, ca, headers: { [READER]: from, ...headers } });
    assertEveryHeader(answer, path);
    return answer;
  };
}

/**
 * @param {import('./running.js').Answer} answer
 * @param {string} what
 */
function assertEveryHeader({ all, status }, what) {
  for (const [name, value] of Object.entries(EVERY_ANSWER)) {
    const values = all.filter(([other]) => other === name).map(([, text]) => text);
    // Every nginx that was tried says its headers twice with a range that a file does not have
    const expected = status === 416 && name !== 'server' ? 2 : 1;
    assert.equal(values.length, expected, `${name} of ${what} (${status}): ${values}`);
    for (const text of values) assert.match(text, value, `${name} of ${what} (${status})`);
  }
}

/** @returns {string} the module of brotli_static that belongs to the nginx of these tests; it may be missing */
export function brotliModule() {
  const name = 'ngx_http_brotli_static_module.so';
  return join(dirname(usableNginx() ?? ''), '..', 'lib', 'nginx', 'modules', name);
}
