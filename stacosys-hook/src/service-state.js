import { printable } from './printable.js';

/**
 * @typedef {object} ServiceState what `serve` knows of itself, for /healthz, /metrics and /status;
 *   times are milliseconds since 1970
 * @property {string} version of stacosys-hook
 * @property {string} site its name, for people
 * @property {number} started
 * @property {DatabaseState} database
 * @property {BuildState} build
 * @property {string | null} release the live one
 * @property {{waiting: number, givenUp: {to: string, error: string}[], problem?: string | null} | null} notifications null
 *   where nobody is to be notified
 *
 * @typedef {object} DatabaseState
 * @property {boolean} ok whether the last look at it succeeded
 * @property {string | null} reason why it did not
 * @property {number | null} checked the time of the last look that succeeded
 * @property {number} comments that are published
 * @property {number} pages that have comments
 * @property {number} pending comments that wait for their moderation
 * @property {number} lockMilliseconds for how long the last count held the read lock
 *
 * @typedef {object} BuildState
 * @property {{started: number, cause: string} | null} running
 * @property {boolean} waiting whether one more build follows
 * @property {BuildRecord[]} records newest first, at most 20
 * @property {Record<Result, number>} totals since the start of the service
 * @property {number} seconds the sum of all durations since then
 * @property {number | null} lastSuccess
 * @property {number | null} nextTry when a failed build is tried again
 *
 * @typedef {'published' | 'unchanged' | 'failed'} Result
 * @typedef {'start' | 'database' | 'content' | 'webhook' | 'retry'} Cause
 *
 * @typedef {object} BuildRecord
 * @property {number} started
 * @property {number} milliseconds
 * @property {Result} result
 * @property {Cause} cause
 * @property {string | null} release
 * @property {number | null} pages of the site
 * @property {string | null} error
 * @property {string | null} advice
 * @property {number} changed how many counts changed
 * @property {Change[]} changes at most 50 of them
 *
 * @typedef {{key: string, from: number, to: number}} Change of the count of a page
 */

/** A database that was not looked at for so long may have changed without anybody noticing. */
const STALE = 60; // seconds; the poll looks every second

const LONGEST = 500; // characters of a problem: a failure can quote what Hugo printed

/**
 * What an owner must know of.
 *
 * @param {ServiceState} state
 * @param {number} now milliseconds since 1970
 * @returns {string[]} a sentence each, without control characters; empty where all is well
 */
export function problemsOf({ started, database, build, notifications }, now) {
  const problems = [];
  const age = Math.round((now - (database.checked ?? started)) / 1000);
  if (!database.ok) problems.push(`The database cannot be read: ${database.reason ?? 'nobody knows why'}`);
  else if (age > STALE) problems.push(`The last look at the database was ${age} s ago`);
  const [last] = build.records;
  if (last?.result === 'failed') {
    problems.push(`The last build failed: ${last.error ?? 'nobody knows why'}`);
  }
  if (notifications?.problem) problems.push(`Notifications cannot be sent: ${notifications.problem}`);
  for (const { to, error } of notifications?.givenUp ?? []) {
    problems.push(`The notification of ${to} was given up: ${error}`);
  }
  return problems.map((problem) => shortened(printable(problem)));
}

/** @param {string} text */
function shortened(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
