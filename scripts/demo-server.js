import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import sirv from 'sirv';
import { MODERATION, demoModeration } from './demo-moderation.js';
import { devStacosys } from './dev-stacosys.js';

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 */

/**
 * A blog as its readers meet it: static files, and behind the same address the parts of Stacosys
 * that are for readers. The moderation of the demo comes on top.
 *
 * @param {object} options
 * @param {string} options.folder of the built site
 * @param {import('./comment-table.js').CommentTable} options.comments
 * @param {string} options.redirect the page that thanks for a comment
 * @param {() => Promise<unknown>} options.rebuild the site
 * @returns {import('node:http').Server} not listening yet
 */
export function demoServer({ folder, comments, redirect, rebuild }) {
  const site = staticSite(folder);
  const stacosys = devStacosys({ comments, redirect });
  const moderation = demoModeration({ comments, rebuild });
  return createServer((request, response) => {
    const [path = ''] = String(request.url).split('?');
    if (path === '/newcomment' || path.startsWith('/api/')) return void stacosys(request, response);
    if (path === MODERATION) {
      return void moderation(request, response).catch((error) => fail(response, error));
    }
    if (`${path}/` === MODERATION) return void response.writeHead(308, { Location: MODERATION }).end();
    site(request, response);
  });
}

/**
 * @param {string} folder
 * @returns {(request: Request, response: Response) => void}
 */
function staticSite(folder) {
  const serveFile = sirv(folder, {
    dev: true, // looks for a file anew each time: the site is rebuilt
    setHeaders: (response) => response.setHeader('Content-Security-Policy', "default-src 'self'"),
  });
  return (request, response) =>
    serveFile(request, response, () => {
      const page = join(folder, '404.html');
      response.writeHead(404, { 'Content-Type': 'text/html; charset=utf-8' });
      response.end(existsSync(page) ? readFileSync(page) : 'Not found');
    });
}

/**
 * @param {Response} response
 * @param {unknown} error
 */
function fail(response, error) {
  console.error(error);
  if (!response.headersSent) response.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end('It failed: the terminal of the demo says why.');
}
