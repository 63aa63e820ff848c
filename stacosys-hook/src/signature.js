import { createHmac, timingSafeEqual } from 'node:crypto';
import { Failure } from './errors.js';

/**
 * @typedef {import('node:http').IncomingHttpHeaders} IncomingHttpHeaders
 *
 * @typedef {object} Verified
 * @property {'github' | 'standard'} scheme
 * @property {string | null} id for a replay memory; null for GitHub, which signs none
 *
 * @typedef {object} ReplayMemory
 * @property {(id: string, now: number) => boolean} remember false where it was seen already
 */

const TOLERANCE = 5 * 60_000; // ms

/**
 * What an id may hold. A dot would let a part of the body pass for the time stamp.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme
 */
const ID = '[\\w:+/=-]{1,256}';

const TIMESTAMP = '\\d{10}'; // seconds since 1970, from 2001 to 2286

const STANDARD_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

const LONGEST_LIST = 4096; // characters: some forty signatures

/**
 * Whether somebody who knows a secret sent this body, signed as GitHub signs (X-Hub-Signature-256)
 * or by the Standard Webhooks specification. With any header of the latter the message must be
 * a whole Standard one: taking such headers away or adding them does not get around its time stamp.
 *
 * @see https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 * @see https://www.standardwebhooks.com
 * @param {object} message
 * @param {IncomingHttpHeaders} message.headers
 * @param {Buffer} message.body as it came
 * @param {string[]} message.secrets that checkSecret let pass; two while one replaces the other
 * @param {number} message.now milliseconds since 1970
 * @returns {Verified | null} null where nobody knows who sent it
 * @throws {Failure} a secret that checkSecret refuses, since anybody could guess it
 */
export function verifyWebhook({ headers, body, secrets, now }) {
  secrets.forEach(checkSecret);
  const isStandard = STANDARD_HEADERS.some((name) => headers[name] !== undefined);
  return isStandard ? verifyStandard(headers, body, secrets, now) : verifyGitHub(headers, body, secrets);
}

/**
 * Signs a message by the Standard Webhooks specification.
 *
 * @param {object} message
 * @param {string} message.id the same for each attempt
 * @param {number} message.timestamp of this attempt, in seconds since 1970
 * @param {Buffer | string} message.body
 * @param {string} message.secret `whsec_` and base64, or any other text, whose UTF-8 is the key
 * @returns {{'webhook-id': string, 'webhook-timestamp': string, 'webhook-signature': string}}
 * @throws {Failure} a secret that checkSecret refuses
 */
export function signWebhook({ id, timestamp, body, secret }) {
  checkSecret(secret);
  const signature = standardSignature(secret, id, String(timestamp), body);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
}

/**
 * Refuses secrets that can be guessed. The message never holds the secret.
 *
 * @param {string} secret
 * @throws {Failure}
 */
export function checkSecret(secret) {
  const isEncoded = secret.startsWith('whsec_');
  if (isEncoded && keyOf(secret).toString('base64') !== secret.slice('whsec_'.length)) {
    throw new Failure('The secret begins with whsec_, but no base64 follows', MAKE_A_SECRET);
  }
  if (keyOf(secret).length < 16) throw new Failure('The secret is shorter than 16 bytes', MAKE_A_SECRET);
}

const MAKE_A_SECRET = 'Make one, for both sides, with: echo "whsec_$(openssl rand -base64 32)"';

/**
 * Remembers which messages came already. Only ids whose signature was verified belong into it, so
 * nobody fills it but who knows the secret; when it is full the oldest id is forgotten, since
 * refusing new messages would lose them and a replayed one costs no more than a build.
 *
 * @param {object} [options]
 * @param {number} [options.capacity] ids
 * @param {number} [options.milliseconds] for how long an id stays refused. A message may come from
 *   the tolerance ahead of its time until the tolerance behind it, so not less than twice that.
 * @returns {ReplayMemory}
 */
export function createReplayMemory({ capacity = 10_000, milliseconds = 2 * TOLERANCE } = {}) {
  const seen = /** @type {Map<string, number>} */ (new Map()); // id → when, the oldest first
  return {
    remember(id, now) {
      for (const [old, since] of seen) {
        if (now - since <= milliseconds) break;
        seen.delete(old);
      }
      if (seen.has(id)) return false;
      const [oldest] = seen.keys();
      if (oldest !== undefined && seen.size >= capacity) seen.delete(oldest);
      seen.set(id, now);
      return true;
    },
  };
}

/**
 * @param {IncomingHttpHeaders} headers
 * @param {Buffer} body
 * @param {string[]} secrets
 * @param {number} now
 * @returns {Verified | null}
 */
function verifyStandard(headers, body, secrets, now) {
  const [id, timestamp, signatures] = STANDARD_HEADERS.map((name) => headers[name]);
  if (typeof id !== 'string' || !new RegExp(`^${ID}$`).test(id)) return null;
  if (typeof timestamp !== 'string' || !new RegExp(`^${TIMESTAMP}$`).test(timestamp)) return null;
  if (typeof signatures !== 'string' || signatures.length > LONGEST_LIST) return null;
  if (Math.abs(now - Number(timestamp) * 1000) > TOLERANCE) return null;
  const given = signatures.split(' ').filter((signature) => /^v1,[A-Za-z0-9+/]{43}=$/.test(signature));
  const expected = secrets.map((secret) => `v1,${standardSignature(secret, id, timestamp, body)}`);
  return areAnyEqual(given, expected) ? { scheme: 'standard', id } : null;
}

/**
 * GitHub signs neither a time nor an id. Its key may be that of a Standard message, which must not
 * pass for the body of a GitHub one when its time is over.
 *
 * @param {IncomingHttpHeaders} headers
 * @param {Buffer} body
 * @param {string[]} secrets
 * @returns {Verified | null}
 */
function verifyGitHub(headers, body, secrets) {
  const given = headers['x-hub-signature-256'];
  if (typeof given !== 'string' || !/^sha256=[0-9a-f]{64}$/.test(given)) return null;
  if (new RegExp(`^${ID}\\.${TIMESTAMP}\\.`).test(body.toString('latin1', 0, 300))) return null;
  const expected = secrets.map(
    (secret) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  );
  return areAnyEqual([given], expected) ? { scheme: 'github', id: null } : null;
}

/**
 * @param {string} secret
 * @param {string} id
 * @param {string} timestamp
 * @param {Buffer | string} body
 */
function standardSignature(secret, id, timestamp, body) {
  return createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64');
}

/** @param {string} secret */
function keyOf(secret) {
  return secret.startsWith('whsec_')
    ? Buffer.from(secret.slice('whsec_'.length), 'base64')
    : Buffer.from(secret);
}

/**
 * In a time that tells neither how much of a signature is right nor which secret made it.
 *
 * @see https://codahale.com/a-lesson-in-timing-attacks/
 * @param {string[]} given ASCII, each as long as those expected
 * @param {string[]} expected
 */
function areAnyEqual(given, expected) {
  const pairs = given.flatMap((one) => expected.map((other) => [Buffer.from(one), Buffer.from(other)]));
  return pairs
    .map(([one, other]) => timingSafeEqual(/** @type {Buffer} */ (one), /** @type {Buffer} */ (other)))
    .includes(true);
}
