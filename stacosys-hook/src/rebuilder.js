import { join } from 'node:path';
import { createBuildHistory } from './build-history.js';
import { buildLock } from './build-lock.js';
import { build, buildInPlace, hashOf } from './build.js';
import { countChanges } from './count-changes.js';
import { dataFolder, putData } from './data.js';
import { Failure } from './errors.js';
import { existsSync, readFileSync } from './fs.js';
import { createQueue } from './queue.js';

/**
 * @typedef {import('./service-state.js').BuildRecord} BuildRecord
 * @typedef {import('./service-state.js').Cause} Cause
 * @typedef {import('./database-follower.js').Reading} Reading
 *
 * @typedef {object} Rebuilder
 * @property {(cause: Cause) => void} request
 * @property {() => Reading | null} reading what was baked last
 * @property {() => import('./service-state.js').BuildState} state
 * @property {(limit: number) => Promise<void>} stop lets the running build end, for so many milliseconds, and
 *   ends it then; it is not published
 *
 * @typedef {object} RebuilderOptions
 * @property {(signal: AbortSignal) => Promise<Reading>} read
 * @property {import('./build.js').BuildOptions} build
 * @property {'publish' | 'in place' | 'never'} mode
 * @property {(counts: Buffer) => void} notify throws where it could not keep it
 * @property {import('./log.js').Log} log
 *
 * @typedef {object} Live what the site shows, as far as this process knows
 * @property {string} hash of its comments; empty where nobody knows
 * @property {Buffer} counts
 */

const CHANGES_RECORDED = 50;

/** These ask for a build whatever the comments say; the others only where they differ. */
const FORCING = /** @type {Cause[]} */ (['start', 'content', 'webhook']);

/** @type {Cause[]} of several, the one that tells the owner most */
const BY_INTEREST = ['webhook', 'content', 'database', 'start', 'retry'];

/**
 * Bakes, tells others, and builds where something changed; one at a time, and once more for
 * whatever comes meanwhile. What fails is repeated.
 *
 * @param {RebuilderOptions} options
 * @returns {Rebuilder}
 */
export function createRebuilder({ read, build: options, mode, notify, log }) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const history = createBuildHistory();
  /** @type {Live} */
  const live = { hash: '', counts: countsOnDisk(options.site) };
  /** @type {Reading | null} */
  let reading = null;
  /** @type {{started: number, cause: Cause} | null} */
  let running = null;
  let isOwed = false;

  const refresh = async () => {
    reading = await read(signal);
    const { data } = reading;
    putData(options.site, data);
    const hash = hashOf(data);
    const isNeeded = mode !== 'never' && (isOwed || hash !== live.hash);
    const changes = changesBetween(live.counts, data.counts);
    try {
      notify(data.counts);
    } finally {
      // Others that cannot be told are no reason to let our own readers wait
      if (isNeeded) Object.assign(changes, await buildOnce(options, mode, hash, signal));
      if (isNeeded) isOwed = false;
      Object.assign(live, { hash, counts: data.counts });
    }
    return { ...changes, result: isNeeded ? PUBLISHED : UNCHANGED };
  };

  /** @param {Set<string>} causes */
  const run = async (causes) => {
    const begun = { started: Date.now(), cause: mainCause(causes) };
    running = begun;
    isOwed ||= FORCING.some((forcing) => causes.has(forcing));
    try {
      const record = toRecord(begun, await refresh());
      history.add(record);
      tell(log, record);
    } catch (error) {
      if (signal.aborted) return log('info', 'ended a build', { cause: begun.cause });
      const record = toRecord(begun, failure(error));
      history.add(record);
      tell(log, record);
      throw error;
    } finally {
      running = null;
    }
  };

  const queue = createQueue({ run });
  return {
    request: queue.add,
    reading: () => reading,
    state: () => ({ ...history.facts(), running, waiting: queue.isWaiting(), nextTry: queue.nextTry() }),
    stop: async (limit) => {
      const timer = setTimeout(() => stopping.abort(), limit);
      await queue.stop();
      clearTimeout(timer);
    },
  };
}

const PUBLISHED = /** @type {const} */ ('published');
const UNCHANGED = /** @type {const} */ ('unchanged');

/**
 * @param {import('./build.js').BuildOptions} options
 * @param {RebuilderOptions['mode']} mode
 * @param {string} hash
 * @param {AbortSignal} signal
 * @returns {Promise<Partial<BuildRecord>>}
 */
async function buildOnce(options, mode, hash, signal) {
  const lock = await buildLock(options.site, options.hugoTimeout, signal);
  try {
    if (mode === 'publish') return await build(options, hash, new Date(), signal);
    await buildInPlace(options, signal);
    return {};
  } finally {
    lock.release();
  }
}

/**
 * @param {string} site
 * @returns {Buffer} the counts of a bake before this process; none where nobody can tell
 */
function countsOnDisk(site) {
  const file = join(dataFolder(site), 'counts.json');
  const none = Buffer.from('{}\n');
  if (!existsSync(file)) return none;
  const counts = readFileSync(file);
  try {
    countChanges(none, counts);
    return counts;
  } catch {
    return none; // somebody edited it; the next bake puts it right
  }
}

/**
 * @param {Buffer} before
 * @param {Buffer} after
 * @returns {Pick<BuildRecord, 'changed' | 'changes'>}
 */
function changesBetween(before, after) {
  const changes = [...countChanges(before, after)].map(([key, change]) => ({ key, ...change }));
  return { changed: changes.length, changes: changes.slice(0, CHANGES_RECORDED) };
}

/** @param {Set<string>} causes */
function mainCause(causes) {
  return BY_INTEREST.find((cause) => causes.has(cause)) ?? 'retry';
}

/**
 * @param {unknown} error
 * @returns {Partial<BuildRecord> & {result: 'failed'}}
 */
function failure(error) {
  const { message, advice } =
    error instanceof Failure
      ? error
      : { message: String(error instanceof Error ? error.stack : error), advice: null };
  return { result: 'failed', error: message, advice };
}

/**
 * @param {{started: number, cause: Cause}} begun
 * @param {Partial<BuildRecord> & Pick<BuildRecord, 'result'>} outcome
 * @returns {BuildRecord}
 */
function toRecord({ started, cause }, outcome) {
  const nothing = { release: null, pages: null, error: null, advice: null, changed: 0, changes: [] };
  return { started, cause, milliseconds: Date.now() - started, ...nothing, ...outcome };
}

/**
 * @param {import('./log.js').Log} log
 * @param {BuildRecord} record
 */
function tell(log, { result, cause, release, pages, milliseconds, changed, error, advice }) {
  if (result === 'failed') log('error', 'build failed', { cause, error, advice });
  if (result === 'published') log('info', 'published', { cause, release, pages, ms: milliseconds, changed });
}
