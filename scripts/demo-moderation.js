import { createHash } from 'node:crypto';
import { canonicalKey } from '../stacosys-hook/src/key.js';
import { escapeHtml } from './escape-html.js';
import { queryFields } from './form-fields.js';
import { readBody } from './read-body.js';

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 * @typedef {import('./comment-table.js').Pending} Pending
 *
 * @typedef {object} Outcome of a decision
 * @property {string} sentence
 * @property {Pending} [published]
 * @property {string} [error] why the site could not be rebuilt
 */

export const MODERATION = '/moderation/';

const BODY_LIMIT = 1000;

const STYLE = `
  :root { color-scheme: light dark; --paper: #f7f9f8; --ink: #1b2423; --soft: #53605d; --line: #d3dcd9; --accent: #0f5c5a; }
  @media (prefers-color-scheme: dark) {
    :root { --paper: #131918; --ink: #dde4e2; --soft: #9daaa6; --line: #303b39; --accent: #8ccbc4; }
  }
  html { background: var(--paper); color: var(--ink); }
  * { box-sizing: border-box; }
  body { max-width: 42rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; font: 1.0625rem/1.6 Georgia, serif; overflow-wrap: anywhere; }
  h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; }
  a { color: var(--accent); }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; }
  article, .outcome, header p { font-family: system-ui, sans-serif; font-size: 0.9375rem; }
  article { margin-top: 2rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
  h2 { margin: 0; font-size: 1.125rem; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 0.75rem; margin: 0.5rem 0; }
  dt { color: var(--soft); }
  dd { margin: 0; }
  pre { white-space: pre-wrap; margin: 1rem 0; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 4px; font: 0.875rem/1.5 ui-monospace, monospace; }
  form { display: flex; flex-wrap: wrap; gap: 0.75rem; }
  button { min-height: 2.75rem; padding: 0.5rem 1.25rem; border: 1px solid; border-radius: 4px; background: none; color: inherit; font: inherit; cursor: pointer; }
  button[value='publish'] { border-color: var(--accent); background: var(--accent); color: var(--paper); }
  .outcome { margin-top: 1.5rem; padding: 0.75rem 1rem; border-left: 4px solid var(--accent); }
  .outcome p { margin: 0; }
`;

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${sha256(STYLE)}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  // no-referrer would take away the Origin of our own forms
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/**
 * A page that lists the comments which wait, to publish or to reject them. It asks for no
 * password: only a request from this computer, by its own page, is taken.
 *
 * @param {object} options
 * @param {import('./comment-table.js').CommentTable} options.comments
 * @param {() => Promise<unknown>} options.rebuild the site, after a comment was published
 * @returns {(request: Request, response: Response) => Promise<void>}
 */
export function demoModeration({ comments, rebuild }) {
  /** @type {Outcome[]} */
  const outcomes = [];
  const decide = decider(comments, oneAtATime(rebuild));
  return async (request, response) => {
    const method = String(request.method);
    if (!isOwn(request)) return refuse(request, response);
    if (method === 'GET' || method === 'HEAD') {
      return send(response, 200, pageOf(comments.pending(), outcomes[outcomeIn(String(request.url))]));
    }
    if (method !== 'POST') return send(response, 405, 'This page has no such method.');
    const body = await readBody(request, BODY_LIMIT);
    const outcome = body && (await decide(queryFields(body)));
    if (!outcome) return send(response, 400, 'This is not what the buttons of the page send.');
    outcomes.push(outcome);
    response.writeHead(303, { Location: `${MODERATION}?outcome=${outcomes.length}` }).end();
  };
}

/**
 * @param {import('./comment-table.js').CommentTable} comments
 * @param {() => Promise<unknown>} rebuild
 */
function decider(comments, rebuild) {
  /**
   * @param {import('./form-fields.js').Fields} fields
   * @returns {Promise<Outcome | null>} null where they are not those of a button
   */
  return async (fields) => {
    const [id, action] = [Number(fields.get('id') || NaN), fields.get('action')];
    if (!Number.isInteger(id) || (action !== 'publish' && action !== 'reject')) return null;
    const comment = comments.pending().find((pending) => pending.id === id);
    if (!comment) return { sentence: 'This comment does not wait any more.' };
    if (action === 'publish') {
      comments.publish(id);
      return rebuilt(comment, rebuild);
    }
    comments.reject(id);
    return { sentence: `Rejected. The comment of ${comment.author} was deleted.` };
  };
}

/**
 * @param {Pending} published
 * @param {() => Promise<unknown>} rebuild
 * @returns {Promise<Outcome>}
 */
async function rebuilt(published, rebuild) {
  const start = performance.now();
  try {
    await rebuild();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { sentence: 'Published. The site could not be rebuilt:', published, error: message };
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  return { sentence: `Published. The site was rebuilt in ${seconds} s.`, published };
}

/**
 * @param {() => Promise<unknown>} action
 * @returns {() => Promise<unknown>} which waits until the one before has ended
 */
function oneAtATime(action) {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return () => {
    const result = last.then(action);
    last = result.catch(() => {});
    return result;
  };
}

/**
 * Whether a request comes from the page itself: another site can send a form here (its Origin
 * tells), and can have its own name point here (the Host tells).
 *
 * @param {Request} request
 */
function isOwn(request) {
  const { host, origin } = own(request);
  const { headers, method } = request;
  return headers.host === host && (headers.origin === origin || (method !== 'POST' && !headers.origin));
}

/** @param {Request} request */
function own(request) {
  return new URL(`http://127.0.0.1:${request.socket.localPort}`);
}

/**
 * @param {Request} request
 * @param {Response} response
 */
function refuse(request, response) {
  request.resume();
  send(response, 403, `Moderation works on ${own(request).origin}${MODERATION} only.`);
}

/**
 * @param {string} url
 * @returns {number} the index of the outcome that it names; -1 where it names none
 */
function outcomeIn(url) {
  return Number(new URL(url, 'http://localhost').searchParams.get('outcome')) - 1;
}

/**
 * @param {Response} response
 * @param {number} status
 * @param {string} content HTML
 */
function send(response, status, content) {
  response.writeHead(status, HEADERS).end(documentOf(content));
}

/** @param {string} content HTML */
function documentOf(content) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Moderation</title>
<link rel="icon" href="/icon.svg">
<style>${STYLE}</style>
</head>
<body>
${content}
</body>
</html>
`;
}

/**
 * @param {Pending[]} pending
 * @param {Outcome | undefined} outcome of the decision just made
 */
function pageOf(pending, outcome) {
  const amount = pending.length === 1 ? '1 comment waits' : `${pending.length || 'No'} comments wait`;
  return `<header>
<h1>Moderation</h1>
<p>${amount}. This page belongs to the demo. <a href="/">Home page</a></p>
</header>
<main>
${outcome ? outcomeHtml(outcome) : ''}
${pending.map(pendingHtml).join('\n')}
</main>`;
}

/** @param {Outcome} outcome */
function outcomeHtml({ sentence, published, error }) {
  const details = error === undefined ? '' : `<pre>${escapeHtml(error)}</pre>`;
  const article = published && articleOf(published);
  const link = article ? `<a href="${escapeHtml(article)}">Read the article</a> or the ` : 'See the ';
  const links = published ? `<p>${link}<a href="/">home page</a>.</p>` : '';
  return `<div class="outcome" role="status"><p>${escapeHtml(sentence)}</p>${details}${links}</div>`;
}

/** @param {Pending} comment */
function pendingHtml({ id, url, author, site, content, created }) {
  const article = articleOf({ url });
  const page = escapeHtml(url);
  return `<article aria-labelledby="author-${id}">
<h2 id="author-${id}"><bdi>${escapeHtml(author)}</bdi></h2>
<dl>
<dt>Page</dt><dd>${article ? `<a href="${escapeHtml(article)}">${page}</a>` : page}</dd>
${site ? `<dt>Site</dt><dd><bdi>${escapeHtml(site)}</bdi></dd>` : ''}
<dt>Written</dt><dd>${escapeHtml(created)}</dd>
</dl>
<pre dir="auto">\n${escapeHtml(content)}</pre>
<form method="post" action="${MODERATION}">
<input type="hidden" name="id" value="${id}">
<button name="action" value="publish" aria-describedby="author-${id}">Publish</button>
<button name="action" value="reject" aria-describedby="author-${id}">Reject</button>
</form>
</article>`;
}

/**
 * @param {Pick<Pending, 'url'>} comment whose url anybody can choose
 * @returns {string | null} the comments of its page, on this very site; null where it names none
 */
function articleOf({ url }) {
  const key = canonicalKey(url);
  return key === null ? null : `${key}#comments`; // a key is a path: it names no other host
}

/** @param {string} text */
function sha256(text) {
  return createHash('sha256').update(text).digest('base64');
}
