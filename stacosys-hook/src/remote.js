import { join } from 'node:path';
import { toJson } from './bake.js';
import { dataFolder } from './data.js';
import { Failure } from './errors.js';
import { etagOf } from './etag.js';
import { readFileSync } from './fs.js';
import { canonicalKey } from './key.js';
import { printable } from './printable.js';

/**
 * @typedef {import('./data.js').Data} Data
 * @typedef {'counts' | 'spellings' | 'forms'} Name
 *
 * @typedef {object} Options
 * @property {typeof globalThis.fetch} [fetch]
 * @property {number} [timeout] milliseconds for everything
 * @property {number} [limit] bytes of a file, decompressed
 * @property {AbortSignal} [signal] ends it
 *
 * @typedef {object} Connection
 * @property {typeof globalThis.fetch} fetch
 * @property {number} limit
 * @property {AbortSignal} signal
 */

/**
 * What each file may hold. The server may be anybody's: no key, number or url of it is believed.
 *
 * @type {Record<Name, (name: string, value: unknown) => boolean>}
 */
const CHECKS = {
  counts: (key, count) => canonicalKey(key) === key && Number.isSafeInteger(count) && Number(count) > 0,
  spellings: (spelling, key) =>
    spelling.startsWith('/') && spelling !== key && canonicalKey(spelling) === key,
  forms: (key, urls) =>
    Array.isArray(urls) &&
    urls.length > 0 &&
    urls.every((url) => typeof url === 'string' && canonicalKey(url) === key),
};

const TIMEOUT = 30_000; // ms

const LIMIT = 16 * 2 ** 20; // bytes: the counts of some 400,000 pages

const MOST_REDIRECTS = 5;

/** canonicalKey() reads no more, since no page has so long an address; a key of `bake` can be longer. */
const LONGEST_KEY = 8192;

/**
 * Fetches the data files that a `stacosys-hook serve` elsewhere has baked, and brings them into
 * the very bytes that `bake` writes. What the site has already is not sent again (304). Writes
 * nothing: hand the data to putData().
 *
 * The spellings and forms come after the counts, so that they are not older: too many do no harm.
 *
 * @param {string} url of counts.json; its siblings lie beside it, under the same query. http or https
 *   (http for a network of one's own: nothing proves that the counts are right)
 * @param {string} site the folder of the Hugo site
 * @param {Options} [options]
 * @returns {Promise<{data: Data, changed: boolean}>} changed: whether the site has other data
 * @throws {Failure} nobody answers, not in time, too much, or no valid data
 */
export async function fetchData(url, site, options = {}) {
  const { fetch = globalThis.fetch, timeout = TIMEOUT, limit = LIMIT, signal } = options;
  const address = countsAddress(url);
  const late = AbortSignal.timeout(timeout);
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const reason of [late, signal]) reason?.addEventListener('abort', end);
  if (signal?.aborted) end();
  try {
    return await fetchFiles(address, site, { fetch, limit, signal: ending.signal });
  } catch (error) {
    if (late.aborted) throw tookTooLong(address, timeout);
    if (signal?.aborted) throw new Failure('The fetching was ended before it was complete', RUN_AGAIN);
    throw error;
  } finally {
    for (const reason of [late, signal]) reason?.removeEventListener('abort', end);
    end();
  }
}

/**
 * @param {URL} address
 * @param {string} site
 * @param {Connection} connection
 */
async function fetchFiles(address, site, connection) {
  const data = /** @type {Data} */ ({});
  let changed = false;
  for (const name of /** @type {const} */ (['counts', 'spellings', 'forms'])) {
    const local = localFile(site, name);
    const remote = await fetchFile(address, name, local, connection);
    changed ||= remote === null ? local !== null : !local?.equals(remote);
    Object.assign(data, { [name]: remote });
  }
  return { data, changed };
}

/**
 * @param {URL} address of counts.json
 * @param {Name} name
 * @param {Buffer | null} local
 * @param {Connection} connection
 * @returns {Promise<Buffer | null>} null where the server has no such file, and needs none
 */
async function fetchFile(address, name, local, connection) {
  const url = new URL(`${name}.json${address.search}`, address);
  const known = local !== null && isAsBaked(name, local) ? local : null;
  const response = await request(url, known, connection);
  if (response.status === 404 && name !== 'counts') return null;
  if (response.status === 304 && known !== null) return known;
  if (response.status !== 200) {
    throw new Failure(
      `${shown(url)} answered ${response.status}`,
      'Check the address, and that stacosys-hook serve runs there; the last good data is untouched.',
    );
  }
  const bytes = await attempt(url, () => read(response, connection.limit, url));
  return normalize(name, bytes, shown(url));
}

/**
 * Follows a redirect as browsers do, but never from https to http.
 *
 * @param {URL} url
 * @param {Buffer | null} known
 * @param {Connection} connection
 */
async function request(url, known, { fetch, signal }) {
  const condition = known ? { 'if-none-match': etagOf(known) } : {};
  const headers = { accept: 'application/json', 'user-agent': 'stacosys-hook', ...condition };
  let target = url;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const response = await attempt(target, () => fetch(target.href, { headers, signal, redirect: 'manual' }));
    const location = response.headers.get('location');
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
    await attempt(target, async () => response.body?.cancel());
    target = redirected(target, location);
  }
  throw new Failure(`${shown(url)} redirects again and again`, 'Give the address at which it ends.');
}

/**
 * @param {URL} from
 * @param {string} location
 */
function redirected(from, location) {
  const url = URL.parse(location, from.href);
  const isSafe = url !== null && isUsable(url) && (from.protocol === 'http:' || url.protocol === 'https:');
  if (isSafe) return url;
  throw new Failure(
    `${shown(from)} redirects to an address that is not safe to follow`,
    'A redirect must not lead from https to http, nor hold a password. Give the address at which it ends.',
  );
}

/**
 * @param {Response} response
 * @param {number} limit
 * @param {URL} url
 */
async function read(response, limit, url) {
  const chunks = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length; // decompressed: a small answer can be a large file
    if (size > limit) {
      throw new Failure(
        `${shown(url)} is larger than ${limit} bytes`,
        'That is no counts.json of a blog: check the address; the last good data is untouched.',
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * @param {Name} name
 * @param {Buffer} bytes
 * @param {string} from for the message
 * @returns {Buffer} as `bake` writes it
 */
function normalize(name, bytes, from) {
  const entries = Object.entries(parse(bytes, from)).filter(
    ([key, value]) => Math.max(key.length, name === 'spellings' ? String(value).length : 0) <= LONGEST_KEY,
  );
  const wrong = entries.find(([key, value]) => !CHECKS[name](key, value));
  if (wrong) throw invalid(from, `"${wrong[0].slice(0, 200)}" is wrong`);
  /** @type {Map<string, any>} */
  const sorted = new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  return Buffer.from(toJson(sorted));
}

/**
 * @param {Buffer} bytes
 * @param {string} from
 * @returns {object}
 */
function parse(bytes, from) {
  let value;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw invalid(from, 'it is no JSON', cause);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw invalid(from, 'it is no JSON object');
}

/**
 * A file that somebody edited is fetched anew, whatever its tag.
 *
 * @param {Name} name
 * @param {Buffer} local
 */
function isAsBaked(name, local) {
  try {
    return normalize(name, local, '').equals(local);
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

/**
 * @param {string} site
 * @param {Name} name
 * @returns {Buffer | null}
 */
function localFile(site, name) {
  const file = join(dataFolder(site), `${name}.json`);
  try {
    return readFileSync(file);
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code === 'ENOENT') return null;
    throw new Failure(`Cannot read ${file}: ${code}`, 'Check the rights of that file.', { cause });
  }
}

/**
 * @param {string} text
 * @returns {URL}
 * @throws {Failure} nothing could ever be fetched from there
 */
export function countsAddress(text) {
  const url = URL.parse(text);
  if (url && isUsable(url) && url.pathname.endsWith('/counts.json')) return url;
  throw new Failure(
    'The address to fetch the counts from cannot be right',
    'Give one such as https://blog.example/stacosys/counts.json: http or https, no password, counts.json at its end.',
  );
}

/** @param {URL} url */
function isUsable({ protocol, username, password }) {
  return ['http:', 'https:'].includes(protocol) && !username && !password;
}

/** @param {URL} url whose query may hold a secret */
function shown({ origin, pathname }) {
  return printable(`${origin}${pathname}`);
}

/**
 * @template T
 * @param {URL} url
 * @param {() => Promise<T>} transfer over the network
 * @returns {Promise<T>}
 */
async function attempt(url, transfer) {
  try {
    return await transfer();
  } catch (error) {
    if (error instanceof Failure) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error && 'code' in cause ? cause.code : 'the connection broke';
    throw new Failure(
      `Cannot fetch ${shown(url)}: ${reason}`,
      'Check the address and the network, then run this again; the last good data is untouched.',
      { cause: error },
    );
  }
}

const RUN_AGAIN = 'Run this again; the last good data is untouched.';

/**
 * @param {URL} url
 * @param {number} timeout
 */
function tookTooLong(url, timeout) {
  return new Failure(`${shown(url)} did not answer within ${timeout / 1000} s`, RUN_AGAIN);
}

/** The comments themselves, in HTML, would have to be believed. */
export function onlyCounts() {
  return new Failure(
    'The site asks for comments = "baked", but --from brings their numbers only',
    'Build where the database is, or leave the comments live. To go on with the numbers alone: comments = false in stacosys.toml.',
  );
}

/**
 * @param {string} from
 * @param {string} reason
 * @param {unknown} [cause]
 */
function invalid(from, reason, cause) {
  return new Failure(
    `${from} is not what stacosys-hook bakes: ${printable(reason)}`,
    'Check the address, and that both sides have the same version; the last good data is untouched.',
    { cause },
  );
}
