/* Proof: what webhooks, forged ones and hostile clients can and cannot do to `serve`. */
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { signWebhook } from '../../src/signature.js';
import { atEnd } from '../at-end.js';
import { blog } from './blog.js';
import { NO_PROC, startService } from './service.js';
import { sized } from './soak.js';
import { troubledHugo } from './troubled-hugo.js';
import { until } from '../until.js';

/**
 * @typedef {Record<string, string | number>} Headers
 * @typedef {{method?: string, path: string, headers?: Headers, body?: string | Buffer}} Request
 * @typedef {(request: Request) => Promise<number>} Ask resolves with the status
 */

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const HOOK = '/hooks/rebuild';
const WEBHOOKS = 1000;
const MOST_MEMORY = 120 * 1024; // kB
const HUGE = 50 * 1024 * 1024; // bytes

/**
 * @param {import('node:test').TestContext} t
 * @param {import('./blog.js').Blog} [ours]
 * @param {string} [hugo]
 */
async function startServing(t, ours = blog(t), hugo) {
  const env = { STACOSYS_WEBHOOK_SECRET: SECRET };
  const service = startService(t, ours, { command: 'serve', args: ['--port', '0'], env, hugo });
  const { port } = await service.says('listens');
  await service.says('published');
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  atEnd(t, () => agent.destroy());
  const ask = (/** @type {Request} */ what) => statusOf(agent, port, what);
  return { service, port: Number(port), ask };
}

/**
 * @param {Agent} agent
 * @param {number} port
 * @param {Request} what
 */
async function statusOf(agent, port, { method = 'POST', path, headers, body }) {
  const asked = request({ host: '127.0.0.1', port, agent, method, path, headers });
  asked.end(body);
  const [answer] = /** @type {[import('node:http').IncomingMessage]} */ (await once(asked, 'response'));
  answer.resume();
  await once(answer, 'end');
  return Number(answer.statusCode);
}

/**
 * @param {number} number which makes it another one
 * @param {string} [secret]
 * @returns {Request & {headers: Headers, body: string}} signed in one of the two ways
 */
function webhook(number, secret = SECRET) {
  const body = JSON.stringify({ number });
  const timestamp = Math.floor(Date.now() / 1000);
  const headers =
    number % 2 === 0
      ? { 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }
      : signWebhook({ id: `msg_${number}`, timestamp, body, secret });
  return { path: HOOK, headers: { ...headers, 'content-length': body.length }, body };
}

/**
 * @param {import('./service.js').Service} service
 * @returns {number} builds that a webhook caused
 */
function buildsOf(service) {
  return service.log.filter(({ event, cause }) => event === 'published' && cause === 'webhook').length;
}

/** @param {number} length @param {(number: number) => Request} make */
function many(length, make) {
  return Array.from({ length }, (_, number) => make(number));
}

test(`${WEBHOOKS} webhooks during a build are all accepted, and cause one more build`, async (t) => {
  const ours = blog(t);
  const hugo = troubledHugo(t);
  const { service, ask } = await startServing(t, ours, hugo.binary);
  hugo.has('waits');
  assert.equal(await ask(webhook(WEBHOOKS)), 202);
  const started = performance.now();
  const statuses = await Promise.all(many(WEBHOOKS, webhook).map(ask));
  t.diagnostic(`${WEBHOOKS} answers in ${(performance.now() - started).toFixed(0)} ms`);
  assert.deepEqual([...new Set(statuses)], [202]);
  assert.equal(buildsOf(service), 0, 'the first build has been running all the time');
  hugo.goOn();
  await until('two builds', () => buildsOf(service) >= 2, service.text);
  assert.equal(await service.stop(), 0);
  assert.equal(buildsOf(service), 2);
});

test(`${WEBHOOKS} forged webhooks are refused, and build nothing`, async (t) => {
  const { service, ask } = await startServing(t);
  const forge = (/** @type {number} */ number) => {
    const good = webhook(number);
    if (number % 4 < 2) return webhook(number, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
    return number % 8 < 4 ? { ...good, body: good.body.replace(/\d/, 'x') } : { path: HOOK, body: good.body };
  };
  const statuses = await Promise.all(many(WEBHOOKS, forge).map(ask));
  assert.deepEqual([...new Set(statuses)], [401]);
  assert.equal(service.log.filter(({ event }) => event === 'webhook accepted').length, 0);
  assert.equal(await ask(webhook(1)), 202);
  await until('the build of the good one', () => buildsOf(service) > 0, service.text);
  assert.equal(await ask(webhook(1)), 409, 'a second time, it is a replay');
  assert.equal(await service.stop(), 0);
  assert.equal(buildsOf(service), 1);
});

/** What is no request, or should be none. */
const MALFORMED = [
  'GARBAGE\r\n\r\n',
  '\0\0\0\0\0\0\0\0\r\n\r\n',
  `POST ${HOOK} HTTP/1.1\r\n\r\n`,
  `POST ${HOOK} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `POST ${HOOK} HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n`,
  `POST ${HOOK} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
  `POST ${HOOK} HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
  `POST ${HOOK} HTTP/1.1\r\nHost: x\r\n${'X: y\r\n'.repeat(5000)}\r\n`,
  `POST ${HOOK}${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `POST ${HOOK} HTTP/9.9\r\nHost: x\r\n\r\n`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
];

/**
 * Sends bytes and reads until the other side ends the connection.
 *
 * @param {number} port
 * @param {(socket: import('node:net').Socket) => unknown} send
 * @returns {Promise<string>} what came back
 */
async function converse(port, send) {
  const socket = connect({ port, host: '127.0.0.1' });
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => (text += chunk));
  socket.on('error', () => {}); // it is cut off, which is what is wanted
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await either(socket, 'connect');
  await send(socket);
  await closed;
  return text;
}

/**
 * @param {import('node:net').Socket} socket
 * @param {string} event to wait for, or for the end of the connection
 */
async function either(socket, event) {
  await new Promise((resolve) => socket.once(event, resolve).once('close', resolve));
}

/** @param {import('node:net').Socket} socket which never comes to an end, nor takes its answer */
async function dawdle(socket) {
  socket.write(`POST ${HOOK} HTTP/1.1\r\nHost: x\r\n`);
  while (!socket.destroyed) {
    socket.write('X: y\r\n');
    await pause(200);
  }
}

/**
 * @param {string} framing
 * @param {(chunk: Buffer) => (string | Buffer)[]} frame
 */
function sendHuge(framing, frame) {
  return async (/** @type {import('node:net').Socket} */ socket) => {
    const chunk = randomBytes(64 * 1024);
    socket.write(`POST ${HOOK} HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n`);
    for (let sent = 0; sent < HUGE && !socket.destroyed; sent += chunk.length) {
      for (const piece of frame(chunk)) socket.write(piece);
      if (socket.writableNeedDrain) await either(socket, 'drain');
    }
  };
}

const HUGE_BODIES = [
  sendHuge(`Content-Length: ${HUGE}`, (chunk) => [chunk]),
  sendHuge('Transfer-Encoding: chunked', (chunk) => [`${chunk.length.toString(16)}\r\n`, chunk, '\r\n']),
];

test('huge bodies, slow clients and garbage are refused, in little memory, and good requests answered', async (t) => {
  const { service, port, ask } = await startServing(t);
  let isLoaded = true;
  const load = Promise.all([
    ...Array.from({ length: sized(8, 20) }, (_, at) => converse(port, HUGE_BODIES[at % 2] ?? dawdle)),
    ...Array.from({ length: 200 }, () => converse(port, dawdle)),
    ...[...MALFORMED, ...MALFORMED].map((bytes) => converse(port, (socket) => socket.write(bytes, 'latin1'))),
  ]).finally(() => (isLoaded = false));
  let good = 0;
  while (isLoaded) {
    assert.equal(await ask({ method: 'GET', path: '/healthz' }), 200);
    assert.equal(await ask(webhook(good)), 202);
    good += 1;
    await pause(10);
  }
  for (const text of await load) assert.match(text, /^($|HTTP\/1\.1 [45])/, 'refused');
  assert.ok(good > 1);
  assert.equal(
    service.log.filter(({ event }) => event === 'webhook accepted').length,
    good,
    'only the good ones',
  );
  if (!NO_PROC) assert.ok(peakMemory(service.pid) < MOST_MEMORY, `${peakMemory(service.pid)} kB`);
  t.diagnostic(`${good} good ones meanwhile; at most ${peakMemory(service.pid)} kB`);
  assert.equal(await service.stop(), 0);
});

/**
 * @param {number} pid
 * @returns {number} kB
 */
function peakMemory(pid) {
  const file = `/proc/${pid}/status`;
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(existsSync(file) ? readFileSync(file, 'utf8') : '') ?? [];
  return Number(kilobytes);
}
