import { Failure } from './errors.js';
import { printable } from './printable.js';
import { checkSecret, signWebhook } from './signature.js';

/**
 * @typedef {import('./outbox.js').Changes} Changes
 * @typedef {import('./outbox.js').Message} Message
 * @typedef {import('./outbox.js').Outbox} Outbox
 * @typedef {import('./outbox.js').OutboxStatus} OutboxStatus
 * @typedef {import('./outbox.js').Waiting} Waiting
 *
 * @typedef {object} Keys
 * @property {string} [secret] signs what is sent to anybody but GitHub
 * @property {string} [token] of GitHub; goes to api.github.com and nowhere else
 *
 * @typedef {object} Settings
 * @property {Outbox} outbox stays open; close it after stop()
 * @property {string[]} targets addresses that checkTarget let pass
 * @property {import('./log.js').Log} log never gets more of an address than its origin
 * @property {typeof globalThis.fetch} [fetch]
 * @property {() => number} [now] milliseconds since 1970
 * @property {() => number} [random] 0 to 1
 * @property {number} [timeout] milliseconds in which a target must answer
 *
 * @typedef {object} Notifier
 * @property {(counts: Buffer) => void} record to be called with the text of counts.json after every
 *   bake, the first after a start too: what differs from the call before is sent to each target. Throws
 *   a Failure where it cannot be stored; the next call makes up for it.
 * @property {() => void} start throws a Failure where the outbox cannot be written
 * @property {() => Promise<void>} stop ends what is under way; it is sent again after the next start
 * @property {() => OutboxStatus & {problem: string | null}} status problem: why the outbox cannot be used
 */

const TIMEOUT = 10_000; // ms

const OUTBOX_PAUSE = 60_000; // ms until an outbox that cannot be used is tried again

/** A receiver such as `serve` takes 64 KiB, GitHub too. */
const LISTED = 32 * 1024; // bytes of changes

const DISPATCHES = /^https:\/\/api\.github\.com\/repos\/[\w.-]+\/[\w.-]+\/dispatches$/;

/**
 * Tells other builders what changed, at least once each: see outbox.js.
 *
 * @param {Settings & Keys} settings
 * @returns {Notifier}
 * @throws {Failure} a target or the secret cannot be right
 */
export function createNotifier(settings) {
  check(settings);
  const { outbox, targets, log, now = Date.now } = settings;
  /** @type {Map<string, Promise<void>>} */
  const underWay = new Map(); // by target
  let stopping = new AbortController();
  stopping.abort(); // until start()
  let problem = /** @type {string | null} */ (null);
  let timer = /** @type {NodeJS.Timeout | undefined} */ (undefined);

  /** Sends what is due, and comes back when the next is. */
  function wake() {
    clearTimeout(timer);
    if (stopping.signal.aborted) return;
    try {
      const time = now();
      const waiting = outbox.waiting(targets, time).filter(({ target }) => !underWay.has(target));
      const pauses = waiting.map(({ due }) => due - time).filter((pause) => pause > 0);
      if (pauses.length > 0) sleep(Math.min(...pauses));
      for (const one of waiting) if (one.due <= time) send(one);
    } catch (error) {
      rest(error);
    }
  }

  /** @param {number} milliseconds */
  function sleep(milliseconds) {
    clearTimeout(timer);
    timer = setTimeout(wake, milliseconds).unref();
  }

  /** @param {unknown} error of the outbox */
  function rest(error) {
    if (!(error instanceof Failure)) throw error;
    problem = error.message;
    log('error', 'outbox unusable', { error: error.message, advice: error.advice });
    if (!stopping.signal.aborted) sleep(OUTBOX_PAUSE);
  }

  /** @param {Waiting} waiting */
  function send(waiting) {
    const { target } = waiting;
    const sending = attempt(waiting, settings, stopping.signal).finally(() => underWay.delete(target));
    const settled = sending.then(() => {
      problem = null;
      wake();
    }, rest);
    underWay.set(target, settled);
  }

  return {
    record(counts) {
      outbox.record(counts, targets, now());
      wake();
    },
    start() {
      outbox.retain(targets);
      stopping = new AbortController();
      wake();
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await Promise.all(underWay.values());
    },
    status: () => ({ ...outbox.status(), problem }),
  };
}

/** @param {Settings & Keys} settings */
function check({ targets, secret, token }) {
  for (const target of targets) checkTarget(target, token);
  if (secret !== undefined) checkSecret(secret);
}

/**
 * @param {Waiting} waiting
 * @param {Settings & Keys} settings
 * @param {AbortSignal} running ends it; whether it arrived is unknown then, and it waits as before
 */
async function attempt(waiting, settings, running) {
  const { outbox, log, fetch, now = Date.now, random = Math.random, timeout = TIMEOUT } = settings;
  const message = outbox.begin(waiting);
  if (message === null) return;
  const request = requestFor(waiting, message, settings, now());
  const error = await post(fetch ?? globalThis.fetch, request, timeout, running);
  const fields = { to: new URL(waiting.target).origin, id: waiting.id, attempt: message.attempt };
  if (error === null) {
    outbox.delivered(waiting);
    log('info', 'notified', fields);
  } else if (!running.aborted) {
    const due = outbox.failed(waiting, error, now(), random());
    if (due === null) log('error', 'notification given up', { ...fields, error });
    else log('warn', 'notification failed', { ...fields, error, pause: due - now() });
  }
}

/**
 * Refuses an address to which nothing can be sent. The message shows no more of it than its origin:
 * the rest is often a secret. Plain http is allowed, for a machine of one's own network.
 *
 * @param {string} target
 * @param {string} [token] of GitHub
 * @throws {Failure}
 */
export function checkTarget(target, token) {
  const url = URL.parse(target);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new Failure(
      'A target of notifications is no http or https address',
      'Write it in full, such as: https://builder.example/hooks/rebuild',
    );
  }
  if (url.username || url.password) {
    throw new Failure(
      `The target at ${printable(url.host)} has a user name or a password in its address`,
      'Leave them out: notifications are signed with the secret.',
    );
  }
  if (!DISPATCHES.test(url.href)) return;
  if (!/^[\x21-\x7e]+$/.test(token ?? '')) {
    throw new Failure(
      `${token ? 'The token' : 'No token'} for ${url.origin} ${token ? 'holds a space or a line break' : 'is given'}`,
      'Make a fine-grained token for this one repository (Contents: read and write), for STACOSYS_NOTIFY_TOKEN.',
    );
  }
}

/**
 * @typedef {object} Request
 * @property {string} url
 * @property {string} body
 * @property {Record<string, string>} headers
 * @property {boolean} isRepeated to a receiver that knows messages by their id
 */

/**
 * @param {Waiting} waiting
 * @param {Message} message
 * @param {Keys} keys
 * @param {number} now
 * @returns {Request}
 */
function requestFor({ id, target }, { attempt, changes, changed }, { secret, token }, now) {
  const url = new URL(target).href;
  const common = { 'content-type': 'application/json', 'user-agent': 'stacosys-hook' };
  const data = dataOf(changes);
  if (DISPATCHES.test(url)) {
    const body = JSON.stringify({ event_type: 'stacosys-comments', client_payload: data });
    return { url, body, headers: { ...common, ...gitHubHeaders(token) }, isRepeated: false };
  }
  const type = 'comments.changed';
  const body = JSON.stringify({ type, timestamp: new Date(changed).toISOString(), data });
  const timestamp = Math.floor(now / 1000);
  const signed = secret === undefined ? {} : signWebhook({ id, timestamp, body, secret });
  return { url, body, headers: { ...common, ...signed }, isRepeated: attempt > 1 };
}

/**
 * @see https://docs.github.com/en/rest/repos/repos#create-a-repository-dispatch-event
 * @param {string} [token]
 */
function gitHubHeaders(token) {
  return {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'x-github-api-version': '2022-11-28',
  };
}

/**
 * @param {Changes} changes
 * @returns {{changes: Record<string, import('./outbox.js').Change>, changed: number, truncated: boolean}}
 *   changed: how many there are, more than are listed where truncated
 */
function dataOf(changes) {
  let room = LISTED;
  const listed = [...changes].filter(
    ([key, change]) => (room -= Buffer.byteLength(JSON.stringify({ [key]: change }))) >= 0,
  );
  return {
    changes: Object.fromEntries(listed),
    changed: changes.size,
    truncated: listed.length < changes.size,
  };
}

/**
 * A receiver that refuses an id as replayed (409) has got an earlier attempt.
 *
 * @param {typeof globalThis.fetch} fetch
 * @param {Request} request
 * @param {number} timeout
 * @param {AbortSignal} running
 * @returns {Promise<string | null>} why it failed, without anything that is secret or that the other side
 *   wrote; null where it was delivered
 */
async function post(fetch, { url, body, headers, isRepeated }, timeout, running) {
  const ending = new AbortController();
  const end = () => ending.abort();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, timeout);
  running.addEventListener('abort', end);
  try {
    const options = { method: 'POST', body, headers, signal: ending.signal };
    const { status } = await fetch(url, { ...options, redirect: 'manual' });
    const isDelivered = (status >= 200 && status < 300) || (status === 409 && isRepeated);
    return isDelivered ? null : `answered ${status}`;
  } catch (error) {
    return isLate ? `no answer within ${timeout / 1000} s` : reasonOf(error);
  } finally {
    clearTimeout(timer);
    running.removeEventListener('abort', end);
    end(); // nobody reads the body
  }
}

/** @param {unknown} error of fetch, whose message may hold the address */
function reasonOf(error) {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return 'no connection';
  return `no connection: ${'code' in cause ? cause.code : cause.name}`;
}
