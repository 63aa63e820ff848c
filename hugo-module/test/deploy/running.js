/*
 * Shared set-up of the tests of the deployment kit: its files with this machine's ports and folders in
 * them, real servers, and requests that are sent as they are written. It holds no test itself.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { listen } from '../../../scripts/test/serving.js';
import { temporaryFolder } from '../../../stacosys-hook/test/database.js';

/**
 * @typedef {import('node:test').TestContext} TestContext
 * @typedef {[find: string | RegExp, replacement: string]} Substitution
 *
 * @typedef {object} Certificate
 * @property {string} cert file
 * @property {string} key file
 *
 * @typedef {object} Sent
 * @property {string} [method]
 * @property {Record<string, string>} [headers]
 * @property {string | Buffer} [body]
 * @property {boolean} [chunked] send the body without its length
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {[name: string, value: string][]} all headers as they came, but for names in lower case
 * @property {Buffer} body
 *
 * @typedef {object} Seen a request as it reached a program behind the web server
 * @property {string} method
 * @property {string} url
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {string} body in latin1
 */

export const HOST = 'example.org';

/** The hash that Hugo would put into a name; its length tells which. */
export const SHA256 = '0123456789abcdef'.repeat(4);

const POLL = 20;

/** @param {string} name of a file of the kit */
export function kitFile(name) {
  return fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url));
}

/** @param {string} name */
export function readKit(name) {
  return readFileSync(kitFile(name), 'utf8');
}

/**
 * @param {string} text
 * @param {Substitution[]} substitutions
 * @returns {string} with all of them made; each must have found something
 */
export function substituted(text, substitutions) {
  return substitutions.reduce((before, [find, replacement]) => {
    const after = before.replaceAll(typeof find === 'string' ? find : global(find), () => replacement);
    assert.notEqual(after, before, `the file no longer holds ${find}`);
    return after;
  }, text);
}

/**
 * @param {string} text
 * @param {string} first what its first line begins with, after the "#"
 * @param {number} lines
 * @returns {string} with those lines switched on
 */
export function switchedOn(text, first, lines = 1) {
  const all = text.split('\n');
  const begin = all.findIndex((line) => line.trim().startsWith(`#${first}`));
  assert.notEqual(begin, -1, `the file no longer holds #${first}`);
  return all
    .map((line, index) => {
      if (index < begin || index >= begin + lines) return line;
      assert.match(line, /^\s*#(\S| {2}|\t)/, 'a line that is switched off');
      return line.replace('#', '');
    })
    .join('\n');
}

/** @param {RegExp} expression */
function global(expression) {
  return new RegExp(expression.source, `${expression.flags}g`);
}

/**
 * @param {TestContext} t
 * @returns {Certificate} for example.org, its own authority
 */
export function makeCertificate(t) {
  const folder = temporaryFolder(t);
  const [cert, key] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const name = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
  execFileSync('openssl', ['req', ...kind, ...name, '-out', cert, '-keyout', key], { stdio: 'pipe' });
  return { cert, key };
}

/**
 * @param {number} count
 * @returns {Promise<number[]>} ports that were free a moment ago, all different
 */
export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createTcpServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map(
    (server) => /** @type {import('node:net').AddressInfo} */ (server.address()).port,
  );
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/**
 * Starts a server, and ends it with the test.
 *
 * @param {TestContext} t
 * @param {string} binary
 * @param {string[]} args
 * @param {number[]} ports on which it must listen
 * @param {NodeJS.ProcessEnv} [env]
 */
export async function startServer(t, binary, args, ports, env = {}) {
  const child = spawn(binary, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (log += text));
  const closed = once(child, 'close');
  t.after(async () => {
    child.kill();
    await closed;
  });
  for (const port of ports) {
    while (!(await accepts(port))) {
      t.signal.throwIfAborted();
      assert.equal(child.exitCode, null, log);
      await pause(POLL);
    }
  }
  return { log: () => log };
}

/** @param {number} port */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/**
 * A program behind the web server.
 *
 * @param {TestContext} t
 * @param {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => void} [answer]
 *   what it answers once the body is read; `{"data":[]}` unless given
 */
export async function recordingUpstream(t, answer = (_, response) => response.end('{"data":[]}')) {
  /** @type {Seen[]} */
  const seen = [];
  const server = createServer(async (request, response) => {
    const body = await readAll(request).catch(() => null);
    if (body === null) return; // the web server broke it off: it did not arrive
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body: body.toString('latin1') });
    answer(request, response);
  });
  return { port: portOf(await listen(t, server)), seen };
}

/** @param {string} origin */
export function portOf(origin) {
  return Number(new URL(origin).port);
}

/**
 * Sends a request with the path exactly as it is written; fetch would tidy it.
 *
 * @param {number} port
 * @param {string} path
 * @param {Sent & {ca?: string}} [sent] with `ca`, the certificate that must be shown: https
 * @returns {Promise<Answer>}
 */
export function send(port, path, { method = 'GET', headers = {}, body, chunked = false, ca } = {}) {
  const length = body === undefined || chunked ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const options = {
    host: '127.0.0.1',
    port,
    method,
    path,
    agent: false,
    headers: { Host: HOST, ...length, ...headers },
  };
  return new Promise((resolve, reject) => {
    const request =
      ca === undefined ? httpRequest(options) : httpsRequest({ ...options, servername: HOST, ca });
    /** @type {Answer | undefined} */
    let answer;
    // A server that refuses a body closes while it is still being sent: its answer counts
    request.once('error', (error) => (answer ? undefined : reject(error)));
    request.once('response', async (response) => {
      const { statusCode: status = 0, headers, rawHeaders } = response;
      answer = { status, headers, all: pairs(rawHeaders), body: Buffer.alloc(0) };
      try {
        resolve({ ...answer, body: await readAll(response) });
      } catch (error) {
        reject(error);
      }
    });
    request.end(body);
  });
}

/**
 * @param {string[]} rawHeaders name, value, name, value, …
 * @returns {[string, string][]}
 */
function pairs(rawHeaders) {
  return rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), String(rawHeaders[index + 1])]] : [],
  );
}

/** @param {import('node:stream').Readable} stream */
async function readAll(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * @param {Record<string, string>} fields
 * @returns {Sent} as the form of the module posts it
 */
export function form(fields) {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  };
}

export const COMMENT = { url: '/one/', author: 'Alice', message: 'Hello **world**', site: '', remarque: '' };
