import { Agent, request as httpsRequest } from 'node:https';
import { request as httpRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';

/**
 * @typedef {object} Asked one request
 * @property {'GET' | 'POST'} method
 * @property {string} path
 * @property {string} [body] JSON
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {Buffer} body as it came
 * @property {string} text
 * @property {number} bytes with its status line and headers
 */

const HOST = 'example.org';

/** What every request says: a page comes compressed, as to a browser. */
const HEADERS = {
  Host: HOST,
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  Accept: '*/*',
  'Accept-Encoding': 'gzip, deflate, br',
};

/**
 * @param {Asked[]} requests
 * @returns {string} as a connection carries them, one after the other
 */
export function batchOf(requests) {
  return requests
    .map(({ method, path, body }) => {
      const lines = Object.entries(headersFor(body)).map(([name, value]) => `${name}: ${value}\r\n`);
      return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
    })
    .join('');
}

/** @param {string} [body] */
function headersFor(body) {
  if (body === undefined) return HEADERS;
  return { ...HEADERS, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
}

/**
 * Sends the same requests as wrk will, one after the other on one connection.
 *
 * @param {{port: number, ca?: string | Buffer}} server on 127.0.0.1; with `ca` by HTTPS
 * @param {Asked[]} requests
 * @returns {Promise<Answer[]>}
 */
export async function askEach({ port, ca }, requests) {
  const agent = ca === undefined ? undefined : new Agent({ keepAlive: true, maxSockets: 1, ca });
  const answers = [];
  try {
    for (const request of requests) answers.push(await ask({ port, agent }, request));
  } finally {
    agent?.destroy();
  }
  return answers;
}

/**
 * @param {{port: number, agent?: Agent}} server
 * @param {Asked} request
 * @returns {Promise<Answer>}
 */
function ask({ port, agent }, { method, path, body }) {
  const to = { host: '127.0.0.1', port, method, path, headers: headersFor(body), timeout: 30_000 };
  return new Promise((resolve, reject) => {
    const request = agent ? httpsRequest({ ...to, agent, servername: HOST }) : httpRequest(to);
    request.on('response', async (response) => {
      try {
        const chunks = await response.toArray();
        resolve(answerOf(response, Buffer.concat(chunks)));
      } catch (error) {
        reject(error);
      }
    });
    request.on('timeout', () => request.destroy(new Error(`no answer to ${path}`)));
    request.on('error', reject);
    request.end(body);
  });
}

/**
 * @param {import('node:http').IncomingMessage} response
 * @param {Buffer} body
 * @returns {Answer}
 */
function answerOf({ statusCode = 0, statusMessage, rawHeaders, headers }, body) {
  const isCompressed = headers['content-encoding'] === 'gzip';
  const text = (isCompressed ? gunzipSync(body) : body).toString();
  const lines = rawHeaders.reduce((sum, part) => sum + Buffer.byteLength(part, 'latin1') + 2, 0);
  const head = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n\r\n`.length + lines;
  return { status: statusCode, body, text, bytes: head + body.length };
}
