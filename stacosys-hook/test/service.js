/*
 * Shared set-up of the tests of the HTTP service: a running one with a made-up state, and clients
 * that speak to its socket byte by byte. It holds no test itself.
 */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { createService } from '../src/server.js';

/**
 * @typedef {import('node:test').TestContext} TestContext
 * @typedef {import('../src/service-state.js').ServiceState} ServiceState
 * @typedef {import('../src/service-state.js').BuildRecord} BuildRecord
 * @typedef {import('../src/server.js').ServiceOptions} ServiceOptions
 *
 * @typedef {object} Running
 * @property {number} port
 * @property {string} address without a slash at its end
 * @property {string[]} builds the causes of the builds that were requested
 * @property {{level: string, event: string, fields?: Record<string, unknown>}[]} lines of the log
 * @property {import('../src/server.js').Service} service
 *
 * @typedef {{status: number, headers: import('node:http').IncomingHttpHeaders, body: Buffer}} Answered
 */

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** The moment of the made-up states. */
export const NOW = Date.UTC(2024, 4, 17, 12, 0, 0);

/**
 * @param {Partial<ServiceState>} [changes] to a service that is well and has built nothing yet
 * @returns {ServiceState}
 */
export function stateWith(changes = {}) {
  return {
    version: '1.2.3',
    site: 'A blog',
    started: NOW - 3_600_000,
    database: databaseState(),
    build: buildState([]),
    release: null,
    notifications: null,
    ...changes,
  };
}

/**
 * @param {Partial<ServiceState['database']>} [changes]
 * @returns {ServiceState['database']}
 */
export function databaseState(changes = {}) {
  const numbers = { comments: 1234, pages: 120, pending: 3, lockMilliseconds: 4.2 };
  return { ok: true, reason: null, checked: NOW - 500, ...numbers, ...changes };
}

/**
 * @param {BuildRecord[]} records newest first
 * @param {Partial<ServiceState['build']>} [changes]
 * @returns {ServiceState['build']}
 */
export function buildState(records, changes = {}) {
  const totals = { published: 0, unchanged: 0, failed: 0 };
  for (const { result } of records) totals[result] += 1;
  const idle = { running: null, waiting: false, lastSuccess: null, nextTry: null };
  return { ...idle, records, totals, seconds: records.length * 2, ...changes };
}

/**
 * @param {Partial<BuildRecord>} [changes]
 * @returns {BuildRecord}
 */
export function buildRecord(changes = {}) {
  return {
    started: NOW - 60_000,
    milliseconds: 2000,
    result: 'published',
    cause: 'database',
    release: '20240517-115900-3fa9c1',
    pages: 1204,
    error: null,
    advice: null,
    changed: 0,
    changes: [],
    ...changes,
  };
}

/**
 * A service on a free port until the test ends.
 *
 * @param {TestContext} t
 * @param {Partial<ServiceOptions>} [options]
 * @returns {Promise<Running>}
 */
export async function runningService(t, options = {}) {
  /** @type {Pick<Running, 'builds' | 'lines'>} */
  const { builds, lines } = { builds: [], lines: [] };
  const service = createService({
    secrets: [SECRET],
    state: () => stateWith(),
    data: () => null,
    requestBuild: (cause) => builds.push(cause),
    log: (level, event, fields) => lines.push({ level, event, fields }),
    ...options,
  });
  const port = await listening(service.server);
  t.after(async () => {
    service.server.closeAllConnections();
    await service.close();
  });
  return { port, address: `http://127.0.0.1:${port}`, builds, lines, service };
}

/** @param {import('node:http').Server} server */
async function listening(server) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}

/**
 * A request with a connection of its own, whose answer is not decoded. (fetch() would decode it,
 * and hides the headers of a 304.)
 *
 * @param {number} port
 * @param {string} path
 * @param {{method?: string, headers?: Record<string, string>, body?: string | Buffer}} [options]
 * @returns {Promise<Answered>}
 */
export async function ask(port, path, { method = 'GET', headers = {}, body = '' } = {}) {
  const length = body.length > 0 ? { 'Content-Length': String(Buffer.byteLength(body)) } : {};
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    method,
    headers: { ...length, ...headers },
    agent: false,
  });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
}

/**
 * @param {string} id
 * @param {string | Buffer} body
 * @param {Date} [time]
 * @returns {Record<string, string>} headers by the Standard Webhooks spec, signed by its own library
 */
export function signed(id, body, time = new Date()) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign(id, time, body),
  };
}

/**
 * @param {string | Buffer} body
 * @returns {Record<string, string>} headers as GitHub signs
 */
export function signedAsGitHub(body) {
  return { 'X-Hub-Signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}` };
}

/**
 * Sends these pieces, each when the one before has left, and reads until the server ends the
 * connection.
 *
 * @param {TestContext} t
 * @param {number} port
 * @param {(string | Buffer)[]} pieces
 * @returns {Promise<string>} all that it answered
 */
export async function exchange(t, port, pieces) {
  const { socket, received, closed } = dial(t, port);
  for (const piece of pieces) {
    const hasLeft = new Promise((resolve) => socket.once('drain', resolve));
    if (!socket.write(piece)) await Promise.race([hasLeft, closed]);
    if (!socket.writable) break;
  }
  await closed;
  return received();
}

/**
 * @param {TestContext} t
 * @param {number} port
 */
export function dial(t, port) {
  let text = '';
  const socket = connect(port, '127.0.0.1').setEncoding('latin1').setMaxListeners(0);
  socket.on('data', (chunk) => (text += chunk));
  socket.on('error', () => {}); // a server may reset who does not stop sending
  t.after(() => socket.destroy());
  /** @type {Promise<void>} */
  const closed = new Promise((resolve) => socket.once('close', () => resolve()));
  return { socket, received: () => text, closed };
}

/** @param {string} text of several answers */
export function statuses(text) {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** The path of this file, which runs a service of its own when it is forked with the argument `serve`. */
export const SERVICE = fileURLToPath(import.meta.url);

if (process.argv[2] === 'serve') {
  const { server } = createService({
    secrets: [SECRET],
    state: () => stateWith({ database: databaseState({ checked: Date.now() }) }),
    data: () => null,
    requestBuild: () => {},
    log: () => {},
  });
  const port = await listening(server);
  process.on('disconnect', () => process.exit());
  process.on('message', () => process.send?.(process.resourceUsage().maxRSS * 1024));
  process.send?.(port);
}
