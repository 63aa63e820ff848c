import { createHash } from 'node:crypto';

/**
 * The tag that `serve` gives a data file, and that this hook gives its own in If-None-Match
 * (a contract between versions): the SHA-256 of its bytes, in lower-case hex and quotes.
 *
 * @param {Buffer} bytes
 */
export function etagOf(bytes) {
  return `"${createHash('sha256').update(bytes).digest('hex')}"`;
}
