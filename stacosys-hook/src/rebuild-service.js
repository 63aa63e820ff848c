import { join } from 'node:path';
import { totals } from './bake.js';
import { stateFolder } from './build-lock.js';
import { watchContent } from './content-watcher.js';
import { followDatabase, mayPass } from './database-follower.js';
import { watchDatabase } from './database-watcher.js';
import { Failure } from './errors.js';
import { isHugoSite } from './hugo-site.js';
import { hugoVersion } from './hugo.js';
import { acquireLock } from './lock.js';
import { createRebuilder } from './rebuilder.js';
import { unseenFolders } from './unseen-folders.js';
import { wantsComments } from './wants-comments.js';

/**
 * @typedef {import('./service-state.js').DatabaseState} DatabaseState
 * @typedef {import('./config.js').Config} Config
 *
 * @typedef {object} RebuildService
 * @property {() => Promise<void>} begin
 * @property {import('./rebuilder.js').Rebuilder} rebuilder
 * @property {() => DatabaseState} database
 * @property {() => import('./service-state.js').ServiceState['notifications']} notifications
 * @property {() => Promise<void>} stop
 */

/**
 * Keeps a site up to date until it is stopped: bakes and builds when it begins, and whenever the
 * comments change.
 *
 * @param {Config} config
 * @param {import('./log.js').Log} log
 * @param {AbortSignal} signal ends the preparation
 * @returns {Promise<RebuildService>}
 * @throws {Failure} it could never work: no Hugo, or another instance serves this site
 */
export async function prepareRebuilding(config, log, signal) {
  if (config.mode !== 'never' && !isHugoSite(config.source)) throw noHugoSite(config.source);
  const lock = takeSite(config.source);
  if (config.mode !== 'never') log('info', 'uses Hugo', { version: await hugoVersion(config.hugo, signal) });
  const notifier = await createNotifierFor(config, log);
  const source =
    config.from === undefined ? fromDatabase(config, log) : await fromRemote(config, config.from, log);
  const rebuilder = createRebuilder({
    read: source.read,
    build: { ...config, site: config.source },
    mode: config.mode,
    notify: (counts) => notifier?.record(counts),
    log,
  });
  /** @type {(() => Promise<void>)[]} */
  const endings = [];
  const begin = async () => {
    log('info', 'watches', {
      comments: config.from ? new URL(config.from).origin : config.db,
      site: config.source,
    });
    const failing = failingTo(log);
    if (config.content) {
      const onChange = () => rebuilder.request('content');
      endings.push(await watchContent(config.source, onChange, failing('watch the content')));
    }
    endings.push(source.watch(() => rebuilder.request('database'), failing('watch the database')));
    notifier?.start();
    rebuilder.request('start');
    await tellUnseenFolders(config, log);
  };
  return {
    begin,
    rebuilder,
    database: source.state,
    notifications: () => notifier?.status() ?? null,
    stop: async () => {
      await Promise.all(endings.map((end) => end()));
      await rebuilder.stop(config.stopTimeout);
      await notifier?.stop();
      lock.release();
    },
  };
}

/**
 * Events are only wake-ups, so a path without them is worth no more than a line.
 *
 * @param {import('./log.js').Log} log
 * @returns {(what: string) => (error: unknown) => void} tells the first failure of a kind
 */
function failingTo(log) {
  /** @type {Set<string>} */
  const told = new Set();
  return (what) => (error) => {
    if (told.has(what)) return;
    told.add(what);
    log('warn', `cannot ${what}`, { error: error instanceof Error ? error.message : String(error) });
  };
}

/**
 * @param {Config} config
 * @param {import('./log.js').Log} log
 */
async function tellUnseenFolders(config, log) {
  try {
    const warnings = await unseenFolders(config);
    for (const warning of warnings) log('warn', 'Hugo does not see what is baked', { warning });
  } catch (error) {
    failingTo(log)('look for folders that Hugo does not see')(error); // the first build will say more
  }
}

/** @param {string} site */
function takeSite(site) {
  const lock = acquireLock(join(stateFolder(site), 'service.lock'));
  if (lock) return lock;
  throw new Failure(
    `Another stacosys-hook watch or serve looks after ${site} already`,
    'Stop that one first, for example: systemctl stop stacosys-hook',
  );
}

/** @param {string} folder */
function noHugoSite(folder) {
  return new Failure(
    `${folder} is no Hugo site: it has no Hugo configuration`,
    'Give the folder of the site: --source DIR. Without a site, to notify only: --no-build.',
  );
}

/**
 * @typedef {object} CommentSource
 * @property {(signal: AbortSignal) => Promise<import('./database-follower.js').Reading>} read
 * @property {(onChange: () => void, onError: (error: unknown) => void) => () => Promise<void>} watch
 * @property {() => DatabaseState} state
 */

/**
 * @param {Config} config
 * @param {import('./log.js').Log} log
 * @returns {CommentSource}
 */
function fromDatabase(config, log) {
  const { db, site, busyTimeout } = config;
  const follower = followDatabase(db, { site, busyTimeout, wantsComments: () => wantsComments(config) });
  const { state, looked, lookFailed, reported } = createDatabaseState(log);
  return {
    read: reported(follower.read),
    watch: (onChange, onError) => {
      const look = () => {
        try {
          if (follower.hasChanged()) onChange();
          looked();
        } catch (error) {
          if (!mayPass(error)) lookFailed(error); // else the next look comes soon
        }
      };
      return watchDatabase(db, look, onError);
    },
    state,
  };
}

/** Milliseconds. A webhook tells of a new comment sooner; an answer without one is a 304. */
const REMOTE_POLL = 300_000;

/**
 * Asks at the start, when a webhook comes, and now and then.
 *
 * @param {Config} config
 * @param {string} url
 * @param {import('./log.js').Log} log
 * @returns {Promise<CommentSource>}
 */
async function fromRemote(config, url, log) {
  const { source: site } = config;
  const { countsAddress, fetchData, onlyCounts } = await import('./remote.js'); // loads the network
  countsAddress(url); // throws
  const { state, reported } = createDatabaseState(log);
  return {
    read: reported(async (signal) => {
      if (wantsComments(config)) throw onlyCounts();
      const { data } = await fetchData(url, site, { signal });
      return { data, ...totals(data.counts), pending: 0, lockMilliseconds: 0 };
    }),
    watch: (onChange) => {
      const poll = setInterval(onChange, REMOTE_POLL);
      return async () => clearInterval(poll);
    },
    state: () => ({ ...state(), checked: Date.now() }), // REMOTE_POLL apart
  };
}

/**
 * @param {Config} config
 * @param {import('./log.js').Log} log
 */
async function createNotifierFor({ source, secrets }, log) {
  if (secrets.targets.length === 0) return null;
  const { openOutbox } = await import('./outbox.js');
  const { createNotifier } = await import('./notifier.js');
  const { targets, notify: secret, token } = secrets;
  const outbox = openOutbox(join(stateFolder(source), 'outbox.sqlite'));
  const notifier = createNotifier({ outbox, targets, secret, token, log });
  return {
    ...notifier,
    status: () => {
      try {
        return notifier.status();
      } catch (error) {
        return { waiting: 0, givenUp: [], problem: toFailure(error).message };
      }
    },
    stop: async () => {
      await notifier.stop();
      outbox.close();
    },
  };
}

/**
 * A look happens in a timer, where nobody could catch what it throws.
 *
 * @param {unknown} error
 */
function toFailure(error) {
  if (error instanceof Failure) return error;
  return new Failure(
    String(Object(error).stack ?? error),
    'This is a fault of stacosys-hook: please report it.',
  );
}

/** @param {import('./log.js').Log} log which hears of a trouble once, and of its end */
function createDatabaseState(log) {
  const nothing = { comments: 0, pages: 0, pending: 0, lockMilliseconds: 0 };
  /** @type {DatabaseState} */
  const state = { ok: true, reason: null, checked: null, ...nothing };
  let isReadFailing = false;

  const recovered = () => {
    if (!state.ok) log('info', 'database readable again');
    Object.assign(state, { ok: true, reason: null });
  };
  /** @param {unknown} error */
  const failed = (error) => {
    const { message, advice } = toFailure(error);
    if (state.reason !== message) log('error', 'database unreadable', { error: message, advice });
    Object.assign(state, { ok: false, reason: message });
  };
  return {
    state: () => state,
    looked: () => {
      state.checked = Date.now();
      if (!isReadFailing) recovered(); // a look can succeed where a read fails: it reads less
    },
    /** @param {unknown} error */
    lookFailed: (error) => {
      failed(error);
      isReadFailing = false;
    },
    /**
     * @param {CommentSource['read']} read
     * @returns {CommentSource['read']} the same, and the state tells how it went
     */
    reported: (read) => async (signal) => {
      try {
        const reading = await read(signal);
        const { comments, pages, pending, lockMilliseconds } = reading;
        Object.assign(state, { comments, pages, pending, lockMilliseconds, checked: Date.now() });
        isReadFailing = false;
        recovered();
        return reading;
      } catch (error) {
        failed(error);
        isReadFailing = true;
        throw error;
      }
    },
  };
}
