import { join } from 'node:path';
import { createBuildHistory } from './build-history.js';
import { buildSite } from './build-site.js';
import { hashOf } from './build.js';
import { countChanges } from './count-changes.js';
import { commentsOnDisk } from './comment-files.js';
import { dataFolder, putData, withoutBodies } from './data.js';
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
 * @typedef {import('./data.js').Data} Data
 * @typedef {Partial<BuildRecord> & Pick<BuildRecord, 'result'>} Outcome
 *
 * @typedef {object} Begun
 * @property {number} started milliseconds since 1970
 * @property {number} clock milliseconds of a clock that nobody sets
 * @property {Cause} cause
 * @property {boolean} isMild nothing asks for a build but the comments
 *
 * @typedef {object} Live what the site shows, as far as this process knows
 * @property {string} hash of its comments; empty where nobody knows
 * @property {Buffer} counts
 */

const CHANGES_RECORDED = 50;
const KEYS_LOGGED = 3;

/** These ask for a build whatever the comments say; the others only where they differ. */
const FORCING = /** @type {Cause[]} */ (['start', 'content', 'webhook']);

/** @type {Cause[]} of several, the one that tells the owner most */
const BY_INTEREST = ['webhook', 'content', 'database', 'start', 'retry'];

/**
 * Bakes, tells others, and builds where something changed; one at a time, and once more for
 * whatever comes meanwhile. What fails is repeated.
 *
 * @param {RebuilderOptions} settings
 * @returns {Rebuilder}
 */
export function createRebuilder(settings) {
  const { build: options, mode, log } = settings;
  const stopping = new AbortController();
  const { signal } = stopping;
  const history = createBuildHistory();
  /** @type {Live} */
  const live = { hash: '', counts: dataOnDisk(options.site)?.counts ?? NO_COUNTS };
  /** @type {Reading | null} */
  let reading = null;
  /** @type {Begun | null} */
  let running = null;
  let isOwed = false;
  let failedHash = '';

  /**
   * @param {Begun} begun
   * @param {Data} data
   */
  const buildFrom = async (begun, data) => {
    const hash = hashOf(data);
    const isNeeded = mode !== 'never' && (isOwed || hash !== live.hash);
    if (isNeeded && begun.isMild && hash === failedHash) return 'futile';
    const changes = changesBetween(live.counts, data.counts);
    const isLive = (/** @type {Partial<BuildRecord>} */ built) => {
      failedHash = '';
      isOwed = false;
      Object.assign(live, { hash, counts: data.counts });
      add(begun, { ...changes, ...built, result: isNeeded ? 'published' : 'unchanged' });
    };
    failedHash = hash;
    const built = isNeeded ? await buildSite(options, mode, data, { signal, published: isLive }) : null;
    if (built === null || !('release' in built)) isLive({});
    if (built !== null) tellTroubles(log, built);
    return undefined;
  };

  /** @type {(begun: Begun, outcome: Outcome) => void} */
  const add = (begun, outcome) => tell(log, history.add(toRecord(begun, outcome)));

  /** @param {Set<string>} causes */
  const run = async (causes) => {
    const begun = begin(causes);
    running = begun;
    isOwed ||= FORCING.some((forcing) => causes.has(forcing));
    try {
      const { data, read, trouble } = await bakeNewest(settings, isOwed, signal);
      reading = read ?? reading;
      const result = await buildFrom(begun, data);
      if (trouble !== null) throw trouble;
      return result;
    } catch (error) {
      if (signal.aborted) return log('info', 'ended a build', { cause: begun.cause });
      add(begun, failure(error));
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

/**
 * @param {RebuilderOptions} settings
 * @param {boolean} isOwed whether there is to be a build in any case
 * @param {AbortSignal} signal
 * @returns {Promise<{data: Data, read?: Reading, trouble: unknown}>} trouble: why these are not the newest, or
 *   why nobody was told
 */
async function bakeNewest({ read, build: { site }, notify }, isOwed, signal) {
  try {
    const reading = await read(signal);
    putData(site, reading.data);
    const data = withoutBodies(reading.data);
    return { data, read: { ...reading, data }, trouble: troubleIn(() => notify(data.counts)) };
  } catch (trouble) {
    // What the owner changed in his site need not wait until the database is well again
    const data = isOwed && !signal.aborted ? dataOnDisk(site) : null;
    if (data === null) throw trouble;
    return { data, trouble };
  }
}

const NO_COUNTS = Buffer.from('{}\n');

/**
 * @param {Set<string>} causes
 * @returns {Begun}
 */
function begin(causes) {
  const cause = BY_INTEREST.find((name) => causes.has(name)) ?? 'retry';
  const isMild = [...causes].every((name) => name === 'database');
  return { started: Date.now(), clock: performance.now(), cause, isMild };
}

/**
 * @param {() => void} action
 * @returns {unknown} what it threw; null where it did not
 */
function troubleIn(action) {
  try {
    action();
    return null;
  } catch (error) {
    return error;
  }
}

/**
 * @param {string} site
 * @returns {Data | null} of the last bake; null where there is none, or somebody edited it
 */
function dataOnDisk(site) {
  const read = (/** @type {string} */ name) => {
    const file = join(dataFolder(site), `${name}.json`);
    return existsSync(file) ? readFileSync(file) : null;
  };
  const counts = read('counts');
  try {
    if (counts === null) return null;
    countChanges(NO_COUNTS, counts);
    const [spellings, forms] = [read('spellings'), read('forms')];
    const [recent, activity] = [read('recent'), read('activity')];
    return { counts, spellings, forms, recent, activity, comments: commentsOnDisk(site) };
  } catch {
    return null; // the next bake puts it right
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

/**
 * @param {unknown} error
 * @returns {Outcome}
 */
function failure(error) {
  const { message, advice } =
    error instanceof Failure
      ? error
      : { message: String(error instanceof Error ? error.stack : error), advice: null };
  return { result: 'failed', error: message, advice };
}

/**
 * @param {Begun} begun
 * @param {Outcome} outcome
 * @returns {BuildRecord}
 */
function toRecord({ started, clock, cause }, { result, release, pages, error, advice, changed, changes }) {
  const milliseconds = Math.round(performance.now() - clock); // whatever became of the time of day
  const known = {
    release: release ?? null,
    pages: pages ?? null,
    error: error ?? null,
    advice: advice ?? null,
  };
  return { started, cause, milliseconds, result, ...known, changed: changed ?? 0, changes: changes ?? [] };
}

/**
 * @param {import('./log.js').Log} log
 * @param {BuildRecord} record
 */
function tell(log, { result, cause, release, pages, milliseconds, changed, changes, error, advice }) {
  if (result === 'failed') log('error', 'build failed', { cause, error, advice });
  if (result === 'published') {
    const keys =
      changed > 0
        ? changes
            .slice(0, KEYS_LOGGED)
            .map(({ key }) => key)
            .join(' ')
        : undefined;
    log('info', 'published', { cause, release, pages, ms: milliseconds, changed, keys });
  }
}

/**
 * @param {import('./log.js').Log} log
 * @param {Awaited<ReturnType<typeof buildSite>>} built
 */
function tellTroubles(log, built) {
  for (const warning of built.warnings) log('warn', 'Hugo warns', { warning });
  if (!('problems' in built)) return;
  for (const problem of built.problems) log('warn', 'cannot remove', { problem });
}
