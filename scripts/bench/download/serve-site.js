import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { constants as http2, createSecureServer } from 'node:http2';
import { extname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

/**
 * @typedef {(request: Request) => Response | null | Promise<Response | null>} Answer null: there is nothing there
 *
 * @typedef {object} SiteServer
 * @property {string} origin
 * @property {() => Promise<void>} close
 *
 * @typedef {object} StaticFile
 * @property {string} type
 * @property {Buffer} body brotli
 */

/** @type {Record<string, string>} */
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** Static files are compressed once, answers as they are made: the levels that web servers' documentation takes. */
const BEST = 11;
const ON_THE_FLY = 4;
const WORTH_IT = 200; // bytes

const compress = promisify(brotliCompress);

/**
 * A static site over HTTPS and HTTP/2, with all that can be compressed by brotli, and behind the same
 * address what a comment server answers.
 *
 * @param {object} site
 * @param {string} site.folder of its pages
 * @param {Record<string, string>} site.files more of them: path → file
 * @param {Answer} site.answer
 * @param {import('../make-certificate.js').Certificate} certificate
 * @returns {Promise<SiteServer>} on the loopback interface
 */
export async function serveSite({ folder, files, answer }, certificate) {
  const pages = await readFiles({ ...filesIn(folder), ...files });
  const [key, cert] = [certificate.key, certificate.cert].map((file) => readFileSync(file));
  const server = createSecureServer({ key, cert, allowHTTP1: false }, (request, response) => {
    respond(pages, answer, request, response).catch((error) => {
      console.error(error); // and the browser meets a failed request, which fails the part
      response.stream.close(http2.NGHTTP2_INTERNAL_ERROR);
    });
  });
  /** @type {Set<import('node:http2').ServerHttp2Session>} */
  const sessions = new Set();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.on('error', () => session.destroy()); // a browser that went away
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    origin: `https://127.0.0.1:${port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
}

/**
 * @param {Map<string, StaticFile>} pages
 * @param {Answer} answer
 * @param {import('node:http2').Http2ServerRequest} request
 * @param {import('node:http2').Http2ServerResponse} response
 */
async function respond(pages, answer, request, response) {
  response.sendDate = false; // its text would change what the headers take
  const [path = '/'] = request.url.split('?');
  const page = pages.get(path.endsWith('/') ? `${path}index.html` : path);
  if (page && request.method === 'GET') {
    response.writeHead(200, { 'content-type': page.type, 'content-encoding': 'br' }).end(page.body);
    return;
  }
  const answered = await answer(await asRequest(request));
  if (answered === null) response.writeHead(404).end();
  else await send(answered, response);
}

/** @param {import('node:http2').Http2ServerRequest} request */
async function asRequest(request) {
  const { method, url, headers } = request;
  const body = await buffer(request);
  const type = { 'content-type': headers['content-type'] ?? 'text/plain' };
  const content = body.length > 0 ? { body: new Uint8Array(body), headers: type } : {};
  return new Request(new URL(url, 'https://127.0.0.1'), { method, ...content });
}

/**
 * @param {Response} answered
 * @param {import('node:http2').Http2ServerResponse} response
 */
async function send(answered, response) {
  const body = Buffer.from(await answered.arrayBuffer());
  const type = answered.headers.get('content-type') ?? 'text/plain';
  if (body.length < WORTH_IT) {
    response.writeHead(answered.status, { 'content-type': type }).end(body);
    return;
  }
  const headers = { 'content-type': type, 'content-encoding': 'br' };
  response.writeHead(answered.status, headers).end(await brotli(body, ON_THE_FLY));
}

/**
 * @param {string} folder
 * @returns {Record<string, string>} path → file
 */
function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    entries.filter((entry) => extname(entry) !== '').map((entry) => [`/${entry}`, join(folder, entry)]),
  );
}

/** @param {Record<string, string>} files */
async function readFiles(files) {
  const read = Object.entries(files).map(async ([path, file]) => {
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    const body = await brotli(readFileSync(file), BEST);
    return /** @type {[string, StaticFile]} */ ([path, { type, body }]);
  });
  return new Map(await Promise.all(read));
}

/**
 * @param {Buffer} body
 * @param {number} quality
 */
function brotli(body, quality) {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  return compress(body, {
    params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: body.length },
  });
}
