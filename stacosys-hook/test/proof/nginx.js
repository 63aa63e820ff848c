/* A real web server in front of `current`. It holds no test itself. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { usableNginx } from '../../../scripts/tools.js';
import { temporaryFolder } from '../database.js';
import { atEnd } from '../at-end.js';
import { until } from '../until.js';

const NGINX = usableNginx();

export const NO_NGINX = NGINX === null ? 'needs nginx: node scripts/setup.js nginx' : false;

/** @typedef {(path: string) => Promise<{status: number, text: string}>} Get in one kept connection */

/**
 * Serves a folder on a socket of its own, so that no port can be taken.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} root
 * @returns {Promise<() => Get>} makes a client
 */
export async function startNginx(t, root) {
  const folder = temporaryFolder(t);
  const socketPath = join(folder, 'socket');
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, root));
  const nginx = spawn(String(NGINX), ['-p', folder, '-e', join(folder, 'error.log'), '-c', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(nginx, 'exit');
  atEnd(t, async () => {
    nginx.kill('SIGTERM');
    await ended;
  });
  const client = () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    atEnd(t, () => agent.destroy());
    return (/** @type {string} */ path) => get({ agent, socketPath, path });
  };
  // It writes its number when it listens
  await until('nginx to listen', () => existsSync(join(folder, 'pid')));
  return client;
}

/**
 * @param {string} folder
 * @param {string} root
 */
function configuration(folder, root) {
  return `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 2;
pid ${folder}/pid;
events {}
http {
  access_log off;
  types { text/html html; text/css css; }
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  keepalive_requests 1000000;
  server {
    listen unix:${folder}/socket;
    root ${root};
  }
}
`;
}

/**
 * @param {import('node:http').RequestOptions} options
 * @returns {ReturnType<Get>}
 */
async function get(options) {
  const asked = request(options);
  asked.end();
  const [answer] = /** @type {[import('node:http').IncomingMessage]} */ (await once(asked, 'response'));
  return { status: Number(answer.statusCode), text: await text(answer) };
}
