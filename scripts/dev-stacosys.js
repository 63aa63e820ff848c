import { existsSync, realpathSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { commentForm } from './comment-form.js';
import { CommentTable } from './comment-table.js';
import { escapeHtml } from './escape-html.js';
import { formFields, isForm, queryFields } from './form-fields.js';
import { readBody } from './read-body.js';
import { writeDatabase } from './stacosys-database.js';

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {Record<string, string>} headers
 * @property {string} body
 *
 * @typedef {object} Route
 * @property {'GET' | 'POST'} method
 * @property {(request: Request) => Answer | Promise<Answer>} answer
 */

/** What Flask keeps of a form in memory. */
const BODY_LIMIT = 500_000;

/** Flask offers these beside the methods that a route names. */
const ALLOW = { GET: ['HEAD', 'OPTIONS', 'GET'], POST: ['OPTIONS', 'POST'] };

/** @type {Record<number, [title: string, text: string]>} */
const ERRORS = {
  400: ['Bad Request', 'The browser (or proxy) sent a request that this server could not understand.'],
  404: [
    'Not Found',
    'The requested URL was not found on the server. If you entered the URL manually please check your spelling and try again.',
  ],
  405: ['Method Not Allowed', 'The method is not allowed for the requested URL.'],
  413: ['Request Entity Too Large', 'The data value transmitted exceeds the capacity limit.'],
  500: [
    'Internal Server Error',
    'The server encountered an internal error and was unable to complete your request. Either the server is overloaded or there is an error in the application.',
  ],
};

const PURPOSE = 'For development only: not Stacosys, no mail, no moderation password.';

const HELP = `node scripts/dev-stacosys.js --db FILE [--port N] [--redirect PATH]

Answers the HTTP API of Stacosys 3.4 on 127.0.0.1.
${PURPOSE}

  --db FILE        the database; made where it is missing, and written to
  --port N         8100
  --redirect PATH  where a reader goes from the form: /redirect`;

/**
 * The HTTP API of Stacosys 3.4 (/api/… and /newcomment), for development: compared with what
 * that version answers. It mails nobody, and moderation (/web) is not there.
 *
 * @param {object} options
 * @param {CommentTable} options.comments
 * @param {string} [options.redirect] where a reader goes from the form
 * @returns {(request: Request, response: Response) => Promise<void>} for `createServer`
 */
export function devStacosys({ comments, redirect = '/redirect' }) {
  if (!/^[!-~]+$/.test(redirect)) throw new RangeError(`The redirect is no encoded url: ${redirect}`);
  /** @type {Record<string, Route>} */
  const routes = {
    '/api/ping': { method: 'GET', answer: () => html(200, 'OK') },
    '/api/comments': { method: 'GET', answer: (request) => list(comments, urlOf(request)) },
    '/api/comments/count': { method: 'GET', answer: (request) => count(comments, urlOf(request)) },
    '/newcomment': { method: 'POST', answer: (request) => accept(comments, redirect, request) },
  };
  return async (request, response) => {
    const { status, headers, body } = await answerTo(routes, request).catch((error) => {
      console.error(error);
      return failure(500);
    });
    response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
  };
}

/**
 * @param {Record<string, Route>} routes
 * @param {Request} request
 * @returns {Promise<Answer>}
 */
async function answerTo(routes, request) {
  const [path = ''] = String(request.url).split('?');
  const route = Object.hasOwn(routes, path) && routes[path];
  if (!route) return failure(404);
  const allowed = ALLOW[route.method];
  const allow = { Allow: allowed.join(', ') };
  if (!allowed.includes(String(request.method))) return withHeaders(failure(405), allow);
  if (request.method === 'OPTIONS') return withHeaders(html(200, ''), allow);
  return route.answer(request);
}

/** @param {Request} request */
function urlOf(request) {
  const [, ...query] = String(request.url).split('?');
  return queryFields(Buffer.from(query.join('?'), 'latin1')).get('url') ?? '';
}

/**
 * @param {CommentTable} comments
 * @param {string} url
 */
function list(comments, url) {
  if (hasNul(url)) return failure(500);
  const data = comments.published(url).map(({ site, ...rest }) => (site ? { ...rest, site } : rest));
  return json({ data });
}

/**
 * @param {CommentTable} comments
 * @param {string} url
 */
function count(comments, url) {
  return hasNul(url) ? failure(500) : json({ count: comments.count(url) });
}

/**
 * @param {CommentTable} comments
 * @param {string} redirect
 * @param {Request} request
 * @returns {Promise<Answer>}
 */
async function accept(comments, redirect, request) {
  const type = request.headers['content-type'] ?? '';
  if (!isForm(type)) return failure(400);
  const body = await readBody(request, BODY_LIMIT);
  if (body === null) return failure(413);
  const comment = commentForm(await formFields(type, body));
  if (comment === null) return failure(400);
  if (Object.values(comment).some(hasNul)) return failure(500);
  comments.add(comment);
  return redirection(redirect);
}

/** @param {string} text Stacosys puts it into its SQL, where a NUL is the end */
function hasNul(text) {
  return text.includes('\0');
}

/**
 * @param {string} location
 * @returns {Answer}
 */
function redirection(location) {
  const link = escapeHtml(location);
  const text = `You should be redirected automatically to the target URL: <a href="${link}">${link}</a>. If not, click the link.`;
  return withHeaders(html(302, page('Redirecting...', 'Redirecting...', text)), { Location: location });
}

/**
 * @param {number} status
 * @returns {Answer}
 */
function failure(status) {
  const [title = '', text = ''] = ERRORS[status] ?? [];
  return html(status, page(`${status} ${title}`, title, `${text}</p>`));
}

/**
 * @param {string} title
 * @param {string} heading
 * @param {string} text HTML
 */
function page(title, heading, text) {
  return `<!doctype html>\n<html lang=en>\n<title>${title}</title>\n<h1>${heading}</h1>\n<p>${text}\n`;
}

/**
 * @param {number} status
 * @param {string} body
 * @returns {Answer}
 */
function html(status, body) {
  return { status, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body };
}

/**
 * @param {unknown} value
 * @returns {Answer} in ASCII, and with a newline at its end, as Flask writes it
 */
function json(value) {
  const body = JSON.stringify(value).replace(
    /[\x7f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body: `${body}\n` };
}

/**
 * @param {Answer} answer
 * @param {Record<string, string>} headers
 * @returns {Answer}
 */
function withHeaders(answer, headers) {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** @param {string[]} args */
function main(args) {
  // Node 20 dies in better-sqlite3 without a word
  if (parseInt(process.versions.node) < 22) {
    throw new Error('This needs Node 22 or newer: npx node scripts/dev-stacosys.js …');
  }
  const { db, port, redirect, help } = parse(args);
  if (help) return console.log(HELP);
  if (db === undefined) return wrongUsage('--db FILE is missing.');
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return wrongUsage(`--port ${port} is no port.`);
  const server = createServer(devStacosys({ comments: open(db), redirect }));
  server.once('error', (error) => {
    console.error(`Cannot serve on port ${port}: ${error.message}`);
    process.exitCode = 1;
  });
  server.listen(Number(port), '127.0.0.1', () => {
    const address = /** @type {import('node:net').AddressInfo} */ (server.address());
    console.log(`Stacosys for development: http://127.0.0.1:${address.port}/ (Ctrl+C ends it)\n${PURPOSE}`);
  });
}

/** @param {string} file */
function open(file) {
  if (!existsSync(file)) writeDatabase(file, []);
  try {
    return new CommentTable(file);
  } catch (error) {
    throw new Error(`${file} is no database of Stacosys 3.4`, { cause: error });
  }
}

/** @param {string[]} args */
function parse(args) {
  const text = /** @type {const} */ ('string');
  const options = {
    db: { type: text },
    port: { type: text, default: '8100' },
    redirect: { type: text, default: '/redirect' },
    help: { type: /** @type {const} */ ('boolean'), default: false },
  };
  return parseArgs({ args, options }).values;
}

/** @param {string} message */
function wrongUsage(message) {
  console.error(`${message}\n\n${HELP}`);
  process.exitCode = 2;
}

const isProgram = process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (isProgram) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    wrongUsage(error instanceof Error ? error.message : String(error));
  }
}
