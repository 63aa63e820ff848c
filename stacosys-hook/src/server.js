import { createDataAnswers } from './data-answers.js';
import { LIMITS, bare, closeServer, createHttpServer, readBody } from './http-server.js';
import { METRICS_TYPE, metrics } from './metrics.js';
import { createRebuildHook } from './rebuild-hook.js';
import { problemsOf } from './service-state.js';
import { STATUS_POLICY, statusPage } from './status-page.js';
import { createTally } from './tally.js';

/**
 * @typedef {import('./http-server.js').Answer} Answer
 * @typedef {import('./http-server.js').Exchange} Exchange
 * @typedef {import('./service-state.js').ServiceState} ServiceState
 *
 * @typedef {object} ServiceOptions
 * @property {string[]} secrets of webhooks; none: all are refused
 * @property {() => ServiceState} state
 * @property {() => import('./data.js').Data | null} data what was baked last; the same Buffers as long as
 *   nothing changes
 * @property {(cause: 'webhook') => void} requestBuild
 * @property {import('./log.js').Log} log
 * @property {() => number} [now] milliseconds since 1970
 * @property {Partial<import('./http-server.js').Limits>} [limits]
 *
 * @typedef {object} Service
 * @property {import('node:http').Server} server not listening yet
 * @property {() => Promise<void>} close stops listening; the answers under way may end
 *
 * @typedef {object} Route
 * @property {string[]} methods
 * @property {(exchange: Exchange) => Answer | Promise<Answer>} answer
 */

const HOOK = '/hooks/rebuild';

/** Counted from the start, all of them: of a counter that appears late, the first step is lost. */
const HOOK_STATUSES = [202, 400, 401, 405, 408, 409, 413];

const READ = ['GET', 'HEAD'];

const NO_STORE = { 'Cache-Control': 'no-store' };

const LOG_PAUSE = 1000; // milliseconds

/**
 * The HTTP half of `serve`: the webhook, what the service tells about itself, and the counts. There
 * is no other authentication than the webhook's signature: it belongs on the loopback interface,
 * behind a web server that lets through what others may see.
 *
 * @param {ServiceOptions} options
 * @returns {Service}
 */
export function createService({ secrets, state, data, requestBuild, log, now = Date.now, limits: given }) {
  const limits = { ...LIMITS, ...given };
  const webhooks = new Map(HOOK_STATUSES.map((status) => [status, 0]));
  const refusals = createTally((counts) => log('warn', 'requests refused', counts), LOG_PAUSE);
  const routes = new Map([
    [HOOK, hookRoute(createRebuildHook({ secrets, requestBuild, log, now }), limits.body)],
    ...stateRoutes(state, webhooks, now),
    ...dataRoutes(data),
  ]);
  const server = createHttpServer({
    limits,
    answer: (exchange) => answerOf(exchange, routes),
    onAnswer: (status, request) => {
      const isHook = request !== null && pathOf(request) === HOOK;
      if (isHook) webhooks.set(status, (webhooks.get(status) ?? 0) + 1);
      if (status >= 400 && (isHook || request === null)) {
        refusals.add(`${isHook ? 'webhook' : 'connection'}-${status}`);
      }
    },
    onFault: (error, request) => {
      log('error', 'request failed', { path: pathOf(request), error: String(Object(error).stack ?? error) });
    },
  });
  const close = async () => {
    await closeServer(server, limits.close);
    refusals.close();
  };
  return { server, close };
}

/**
 * @param {Exchange} exchange
 * @param {Map<string, Route>} routes
 * @returns {Promise<Answer>}
 */
async function answerOf(exchange, routes) {
  const { request } = exchange;
  const route = routes.get(pathOf(request));
  if (!route) return bare(404);
  if (route.methods.includes(request.method ?? '')) return route.answer(exchange);
  return { ...bare(405), headers: { Allow: route.methods.join(', ') } };
}

/**
 * The path as it was sent: nothing in it is decoded or resolved, so that no two spellings are one
 * path here and two for the web server in front. A proxy may send a full URL.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112.html#name-absolute-form
 * @param {import('node:http').IncomingMessage} request
 */
function pathOf({ url = '' }) {
  return url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/, '');
}

/**
 * @param {ReturnType<typeof createRebuildHook>} hook
 * @param {number} limit bytes
 * @returns {Route}
 */
function hookRoute(hook, limit) {
  return {
    methods: ['POST'],
    answer: async (exchange) => {
      const body = await readBody(exchange, limit);
      return body === null ? bare(413) : hook(exchange.request.headers, body);
    },
  };
}

/**
 * @param {() => ServiceState} state
 * @param {Map<number, number>} webhooks
 * @param {() => number} now
 * @returns {[path: string, route: Route][]}
 */
function stateRoutes(state, webhooks, now) {
  /** @type {(type: string, body: string) => Answer} */
  const fresh = (type, body) => ({ status: 200, headers: { ...NO_STORE, 'Content-Type': type }, body });
  return [
    ['/healthz', { methods: READ, answer: () => health(problemsOf(state(), now())) }],
    ['/metrics', { methods: READ, answer: () => fresh(METRICS_TYPE, metrics(state(), webhooks)) }],
    ['/status', { methods: READ, answer: () => statusAnswer(statusPage(state(), now())) }],
  ];
}

/**
 * @param {string[]} problems
 * @returns {Answer}
 */
function health(problems) {
  const isWell = problems.length === 0;
  return { status: isWell ? 200 : 503, headers: NO_STORE, body: `${isWell ? 'ok' : problems.join('\n')}\n` };
}

/**
 * @param {string} html
 * @returns {Answer}
 */
function statusAnswer(html) {
  const type = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': STATUS_POLICY };
  return { status: 200, headers: { ...NO_STORE, ...type }, body: html };
}

/**
 * @param {ServiceOptions['data']} data
 * @returns {[path: string, route: Route][]}
 */
function dataRoutes(data) {
  const answer = createDataAnswers();
  return /** @type {const} */ (['counts', 'spellings', 'forms']).map((name) => [
    `/${name}.json`,
    {
      methods: READ,
      answer: ({ request }) => {
        const baked = data();
        if (baked === null) return notYet();
        const bytes = baked[name];
        return bytes === null ? bare(404) : answer(bytes, request.headers);
      },
    },
  ]);
}

/** @returns {Answer} */
function notYet() {
  return { status: 503, headers: { ...NO_STORE, 'Retry-After': '5' }, body: 'Nothing was baked yet.\n' };
}
