import { createReplayMemory, verifyWebhook } from './signature.js';

/**
 * @typedef {object} RebuildHookOptions
 * @property {string[]} secrets none: every webhook is refused
 * @property {(cause: 'webhook') => void} requestBuild
 * @property {import('./log.js').Log} log
 * @property {() => number} now milliseconds since 1970
 */

/**
 * Answers signed requests for a build. GitHub's scheme signs no id, so that a recorded request can
 * be sent again: that costs a build at most, which publishes nothing where nothing changed. By the
 * Standard Webhooks spec, one that was queued is refused when it comes again.
 *
 * @param {RebuildHookOptions} options
 * @returns {(headers: import('node:http').IncomingHttpHeaders, body: Buffer) => import('./http-server.js').Answer}
 *   body: the raw bytes, which are what is signed
 */
export function createRebuildHook({ secrets, requestBuild, log, now }) {
  const memory = createReplayMemory();
  return (headers, body) => {
    const verified = verifyWebhook({ headers, body, secrets, now: now() });
    if (verified === null) {
      const challenge = { 'WWW-Authenticate': 'Webhook-Signature' }; // RFC 9110 wants one with a 401
      return { status: 401, headers: challenge, body: 'There is no good signature.\n' };
    }
    const { scheme, id } = verified;
    if (id !== null && !memory.remember(id, now())) {
      return { status: 409, body: 'This webhook-id was queued before.\n' };
    }
    log('info', 'webhook accepted', { scheme, id });
    requestBuild('webhook');
    return { status: 202, headers: { 'Content-Type': 'application/json' }, body: '{"queued":true}\n' };
  };
}
