import { STATUS_CODES, createServer } from 'node:http';

/**
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
 * @typedef {import('node:http').ServerResponse} ServerResponse
 * @typedef {import('node:net').Socket} Socket
 *
 * @typedef {object} Limits
 * @property {number} body bytes of a request
 * @property {number} headerBytes of a request, its first line included
 * @property {number} headers how many
 * @property {number} request milliseconds until a request is there as a whole
 * @property {number} reader milliseconds that a client may take nothing of its answer; Node waits once more
 * @property {number} keepAlive milliseconds that a connection waits for its next request, to which Node adds a second
 * @property {number} connection milliseconds of a connection's life
 * @property {number} requests in a connection
 * @property {number} connections at once
 * @property {number} linger milliseconds that a client may go on sending after it was refused
 * @property {number} close milliseconds for the answers that are under way at the end
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {Record<string, string>} [headers]
 * @property {string | Buffer} body plain text, unless a header says otherwise
 *
 * @typedef {object} Exchange
 * @property {IncomingMessage} request
 * @property {ServerResponse} response
 * @property {number} number of the request in its connection, from 1
 *
 * @typedef {object} HttpServerOptions
 * @property {(exchange: Exchange) => Promise<Answer>} answer
 * @property {(status: number, request: IncomingMessage | null) => void} onAnswer for each answer, also
 *   that to what is no request
 * @property {(error: unknown, request: IncomingMessage) => void} onFault of `answer`, which is a 500
 * @property {Limits} limits
 */

/** @type {Limits} slow clients are gone within three seconds, whatever it is that they are slow at */
export const LIMITS = {
  body: 64 * 1024,
  headerBytes: 8 * 1024,
  headers: 100,
  request: 2500,
  reader: 1400,
  keepAlive: 2000,
  connection: 60_000,
  requests: 32,
  connections: 1000,
  linger: 1000,
  close: 2000,
};

const CHECK_INTERVAL = 250; // milliseconds; Node's own makes its time limits half a minute longer

const MOST_DROPPED = 1024 * 1024; // bytes

const MOST_PIECES = 2000;

const SECURITY = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** @type {Record<string, number>} of what Node's parser complains about; else it is a 400 */
const STATUS_OF_ERROR = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** After these errors, nothing more comes that could disturb the answer: too slow, or hung up. */
const SEND_NO_MORE = ['ERR_HTTP_REQUEST_TIMEOUT', 'HPE_INVALID_EOF_STATE'];

/**
 * A server for small requests whose clients may be hostile: each of them is answered, and costs
 * little memory and a bounded time.
 *
 * @param {HttpServerOptions} options
 * @returns {import('node:http').Server} not listening yet
 */
export function createHttpServer({ answer, onAnswer, onFault, limits }) {
  const server = createLimitedServer(limits);
  /** @type {WeakMap<Socket, Exchange>} the last one of a connection */
  const exchanges = new WeakMap();

  /** @type {(exchange: Exchange, answer: Answer, linger?: number) => void} */
  const finish = (exchange, answered, linger = limits.linger) => {
    const { request, response, number } = exchange;
    if (response.headersSent || response.destroyed) return; // it was refused meanwhile
    onAnswer(answered.status, request);
    if (!server.listening || number >= limits.requests) response.shouldKeepAlive = false;
    request.socket.setTimeout(limits.reader);
    send(exchange, answered, linger);
  };

  /** @type {import('node:http').RequestListener} */
  const handle = async (request, response) => {
    const number = (exchanges.get(request.socket)?.number ?? 0) + 1;
    if (number > limits.requests) return; // the connection ends with the answer before
    const exchange = { request, response, number };
    exchanges.set(request.socket, exchange);
    try {
      finish(exchange, malformed(request, limits) ?? (await answer(exchange)));
    } catch (error) {
      if (request.errored) return; // the client is gone, or was sent away
      onFault(error, request);
      finish(exchange, bare(500));
    }
  };

  /** @type {(error: NodeJS.ErrnoException, socket: Socket) => void} */
  const refuse = ({ code = '' }, socket) => {
    const status = STATUS_OF_ERROR[code] ?? (code.startsWith('HPE_') ? 400 : null);
    if (status === null) return void socket.destroy(); // the connection broke
    const exchange = exchanges.get(socket);
    const linger = SEND_NO_MORE.includes(code) ? 0 : limits.linger;
    if (exchange && !exchange.request.complete) {
      finish(exchange, bare(status), linger);
      return void (linger === 0 && socket.destroySoon());
    }
    if (exchange && !exchange.response.writableFinished) {
      return void exchange.response.once('finish', () => socket.destroySoon()); // what follows is bad
    }
    if (!socket.writable) return; // it was refused, and goes on
    onAnswer(status, null);
    sendRaw(socket, bare(status), linger);
  };

  server.on('request', handle).on('checkContinue', handle).on('checkExpectation', handle);
  server.on('clientError', refuse);
  server.on('connect', (request, socket) => {
    socket.on('error', () => socket.destroy());
    sendRaw(/** @type {Socket} */ (socket), bare(501), limits.linger);
  });
  return server;
}

/**
 * @param {Limits} limits
 * @returns {import('node:http').Server}
 */
function createLimitedServer(limits) {
  const server = createServer({
    connectionsCheckingInterval: CHECK_INTERVAL,
    headersTimeout: limits.request,
    keepAliveTimeout: limits.keepAlive,
    maxHeaderSize: limits.headerBytes,
    requireHostHeader: false, // Node would answer by itself
    requestTimeout: limits.request,
  });
  server.maxConnections = limits.connections;
  server.maxHeadersCount = limits.headers + 1; // Node drops what is more, and we would not know
  // Empty lines between two requests, or an answer taken byte by byte, would keep it for ever
  server.on('connection', (socket) => {
    const end = setTimeout(() => socket.destroy(), limits.connection);
    socket.once('close', () => clearTimeout(end));
  });
  return server;
}

/**
 * @param {IncomingMessage} request
 * @param {Limits} limits
 * @returns {Answer | null}
 */
function malformed({ rawHeaders, headers, httpVersion }, limits) {
  if (rawHeaders.length / 2 > limits.headers) return bare(431);
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect)) return bare(417);
  return headers.host === undefined && httpVersion === '1.1' ? bare(400) : null;
}

/**
 * @param {number} status
 * @returns {Answer} that says no more than its status
 */
export function bare(status) {
  return { status, body: `${STATUS_CODES[status]}\n` };
}

/** @param {Answer} answer */
function headersOf({ status, headers, body }) {
  const type = { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': Buffer.byteLength(body) };
  return { ...SECURITY, ...(status === 304 ? {} : type), ...headers };
}

/**
 * Sends an answer. A client that is still sending gets it as a whole at once, but the connection
 * ends only when it has sent everything, or some time has passed: what arrives at a closed socket
 * makes the system throw away the answer too.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112.html#section-9.6-9
 * @param {Exchange} exchange
 * @param {Answer} answer
 * @param {number} linger milliseconds
 */
function send({ request, response }, answer, linger) {
  const isSending = hasBody(request) && !request.complete;
  if (isSending) response.shouldKeepAlive = false;
  response.writeHead(answer.status, headersOf(answer));
  if (!isSending || linger === 0) return void response.end(answer.body);
  response.write(answer.body);
  drop(request);
  const end = setTimeout(() => response.end(), linger);
  request.once('end', () => response.end());
  response.once('close', () => clearTimeout(end));
}

/**
 * Takes what a client goes on sending, so that it comes to an end and reads its answer; but not
 * for ever: reading costs more than leaving it in the buffers of the system.
 *
 * @param {IncomingMessage} request
 */
function drop(request) {
  let left = MOST_DROPPED;
  receive(request, ({ length }) => {
    left -= length;
    if (left < 0) request.pause();
  });
}

/**
 * Each piece costs some hundred bytes of memory, even where it is one byte of the body: what
 * comes in so many is an attack.
 *
 * @param {IncomingMessage} request
 * @param {(piece: Buffer) => void} take
 */
function receive(request, take) {
  let pieces = 0;
  request.on('data', (piece) => {
    pieces += 1;
    if (pieces <= MOST_PIECES) take(piece);
    else request.socket.destroy();
  });
}

/** @param {IncomingMessage} request */
function hasBody({ headers }) {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Answers what is no request: there is no ServerResponse for it.
 *
 * @param {Socket} socket
 * @param {Answer} answer
 * @param {number} linger milliseconds, as for send()
 */
function sendRaw(socket, answer, linger) {
  const headers = { ...headersOf(answer), Connection: 'close', Date: new Date().toUTCString() };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const first = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`;
  socket.end(`${[first, ...lines].join('\r\n')}\r\n\r\n${answer.body}`);
  if (linger === 0) return socket.destroySoon();
  socket.resume();
  const end = setTimeout(() => socket.destroy(), linger);
  socket.once('end', () => socket.destroySoon()).once('close', () => clearTimeout(end));
}

/**
 * Reads the body of a request into memory. Whoever waits to be told to send it is told so now.
 *
 * @param {Exchange} exchange
 * @param {number} limit bytes
 * @returns {Promise<Buffer | null>} null as soon as it is known to be longer
 * @throws what broke the connection
 */
export async function readBody({ request, response }, limit) {
  const length = Number(request.headers['content-length'] ?? limit);
  if (length > limit) return null;
  if (request.headers.expect !== undefined) response.writeContinue();
  const body = Buffer.allocUnsafeSlow(length);
  let size = 0;
  return new Promise((resolve, reject) => {
    receive(request, (piece) => {
      if (size + piece.length > limit) return resolve(null);
      size += piece.copy(body, size);
    });
    request.once('end', () => resolve(body.subarray(0, size)));
    request.once('error', reject);
  });
}

/**
 * Stops listening, ends the connections that are idle, and lets the answers under way end.
 *
 * @param {import('node:http').Server} server
 * @param {number} limit milliseconds
 * @returns {Promise<void>}
 */
export async function closeServer(server, limit) {
  const closed = new Promise((resolve) => server.once('close', resolve));
  server.close();
  const end = setTimeout(() => server.closeAllConnections(), limit);
  await closed;
  clearTimeout(end);
}
