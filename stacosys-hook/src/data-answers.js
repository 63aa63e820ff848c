import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { etagOf } from './etag.js';

/**
 * @typedef {import('node:http').IncomingHttpHeaders} IncomingHttpHeaders
 *
 * @typedef {object} Variants of a data file
 * @property {string} tag
 * @property {Promise<Buffer> | null} gzipped once it was asked for
 */

const compress = promisify(gzip);

/** Less fits into one packet either way. */
const WORTH_COMPRESSING = 1400; // bytes

/**
 * Answers requests for data files. Tag and compressed bytes are made once for each Buffer, so hand
 * in the same one as long as nothing changes.
 *
 * A builder must never bake yesterday's counts, so each answer is to be asked for again (no-cache),
 * which costs no more than a 304. Compressed bytes carry the weak form of the tag, since a strong
 * one may not name two different sequences of bytes; If-None-Match compares weakly anyway.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110.html#name-etag and #name-if-none-match
 * @returns {(bytes: Buffer, headers: IncomingHttpHeaders) => Promise<import('./http-server.js').Answer>}
 */
export function createDataAnswers() {
  /** @type {WeakMap<Buffer, Variants>} */
  const known = new WeakMap();
  return async (bytes, headers) => {
    const variants = known.get(bytes) ?? { tag: etagOf(bytes), gzipped: null };
    known.set(bytes, variants);
    const isGzipped = bytes.length > WORTH_COMPRESSING && acceptsGzip(headers['accept-encoding']);
    const common = {
      ETag: isGzipped ? `W/${variants.tag}` : variants.tag,
      'Cache-Control': 'no-cache',
      Vary: 'Accept-Encoding',
    };
    if (matches(headers['if-none-match'], variants.tag)) return { status: 304, headers: common, body: '' };
    const type = { ...common, 'Content-Type': 'application/json' };
    if (!isGzipped) return { status: 200, headers: type, body: bytes };
    variants.gzipped ??= compress(bytes);
    return { status: 200, headers: { ...type, 'Content-Encoding': 'gzip' }, body: await variants.gzipped };
  };
}

/**
 * @param {string | undefined} condition If-None-Match: `*` or tags, which may hold commas
 * @param {string} tag
 */
function matches(condition = '', tag) {
  if (condition.trim() === '*') return true;
  return [...condition.matchAll(/"[^"]*"/g)].some(([one]) => one === tag);
}

/**
 * @see https://www.rfc-editor.org/rfc/rfc9110.html#name-accept-encoding
 * @param {string | string[] | undefined} header
 */
function acceptsGzip(header = '') {
  const weights = new Map(
    String(header)
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [coding = '', weight = 'q=1'] = part.split(';').map((text) => text.trim());
        return /** @type {const} */ ([coding, Number(weight.replace(/^q=/, ''))]);
      }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
