import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { lstatSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from './errors.js';
import { acquireLock } from './lock.js';
import { manifestPath } from './manifest.js';
import { printable } from './printable.js';

/*
 * A folder of releases:
 *   releases/20261121T152013.123Z-3fa9c1d2/   a built site; its name sorts by time
 *   releases/.20261121T152013.123Z-3fa9c1d2.json   what is known of it, see manifest.js
 *   releases/….partial/                       one that is being built, or was abandoned
 *   current -> releases/…                     the live one: the root of the web server
 *   .lock                                     held while `current` moves or a release goes
 */

/** Anything else in the folder is somebody else's, and stays. */
const NAME = /^\d{8}T\d{6}\.\d{3}Z-[0-9a-f]{8}$/;

const PARTIAL = '.partial';

/** `current` before it is renamed. */
const LINK = /^\.current\.[0-9a-f]{12}$/;

const LOCK_WAIT = 5000; // milliseconds; it is held for some

/**
 * @param {Date} time
 * @param {string} hash of the comments in it, hexadecimal
 * @returns {string} the name of a release, which sorts by time
 */
export function releaseName(time, hash) {
  return `${time.toISOString().replace(/[-:]/g, '')}-${hash.slice(0, 8)}`;
}

/** @param {string} folder */
export function releasesFolder(folder) {
  return join(folder, 'releases');
}

/**
 * @param {string} folder
 * @param {string} name
 * @returns {string} where a release is built
 */
export function partialPath(folder, name) {
  return join(releasesFolder(folder), `${name}${PARTIAL}`);
}

/**
 * @param {string} folder of the releases and of `current`
 * @returns {string[]} names, the oldest first
 */
export function listReleases(folder) {
  return entriesIn(folder)
    .filter((entry) => entry.isDirectory() && NAME.test(entry.name))
    .map(({ name }) => name)
    .sort();
}

/**
 * @param {string} folder
 * @returns {string | null} the name of the live release, where it is still there
 * @throws {Failure} `current` is somebody else's
 */
export function currentRelease(folder) {
  const link = join(folder, 'current');
  const stats = lstatSync(link, { throwIfNoEntry: false });
  if (!stats) return null;
  const target = stats.isSymbolicLink() ? readlinkSync(link) : '';
  const [, name = ''] = /^releases\/([^/]+)$/.exec(target) ?? [];
  if (NAME.test(name)) return existsSync(join(releasesFolder(folder), name)) ? name : null;
  throw new Failure(
    `${link} is not a link to a release`,
    'Move it away, or choose another folder: --publish-to DIR.',
  );
}

/**
 * Makes a release live in one step: whoever opens a file finds it in the old release or in the
 * new one.
 *
 * @param {string} folder
 * @param {string} name of a complete release
 * @throws {Failure} there is no such release, the folder cannot be written
 */
export function publish(folder, name) {
  locked(folder, () => {
    if (!listReleases(folder).includes(name)) throw noSuchRelease(folder, name);
    currentRelease(folder); // refuses to replace what is not ours
    const leftOver = readdirSync(folder).filter((entry) => LINK.test(entry));
    const link = join(folder, `.current.${randomBytes(6).toString('hex')}`);
    try {
      for (const entry of leftOver) rmSync(join(folder, entry));
      symlinkSync(join('releases', name), link);
      renameSync(link, join(folder, 'current'));
    } catch (error) {
      rmSync(link, { force: true });
      throw cannotPublish(folder, error);
    }
  });
}

/**
 * Makes an earlier release live again.
 *
 * @param {string} folder
 * @param {string} [wanted] its name, or as much of its beginning as is needed; the one before the live one
 * @param {(name: string) => void} [prepare] is given the release before it goes live
 * @returns {{from: string | null, to: string}}
 * @throws {Failure}
 */
export function rollback(folder, wanted, prepare = () => {}) {
  const from = currentRelease(folder);
  const to = wanted === undefined ? previousRelease(folder) : find(folder, wanted);
  if (to === null) {
    throw new Failure(
      `There is no release before ${from ?? 'the live one'} in ${releasesFolder(folder)}`,
      'stacosys-hook releases lists what there is; stacosys-hook build makes a new one.',
    );
  }
  prepare(to);
  publish(folder, to);
  return { from, to };
}

/**
 * Removes what is old: all but the newest ones, never the live release or the one before it. What
 * cannot be removed is no reason to fail: the site is live.
 *
 * @param {string} folder
 * @param {number} keep
 * @param {string | null} before what was live until now: readers have its pages still
 * @returns {Promise<string[]>} what could not be removed, and why; a line each
 */
export async function prune(folder, keep, before) {
  const { doomed, problems } = locked(folder, () => {
    const newest = listReleases(folder).slice(-keep);
    const kept = new Set([...newest, currentRelease(folder), previousRelease(folder), before]);
    const names = listReleases(folder).filter((name) => !kept.has(name));
    return { doomed: names, problems: names.flatMap((name) => attempt(name, () => abandon(folder, name))) };
  });
  return [...problems, ...(await sweep(folder, doomed))];
}

/**
 * Removes what a crash left: folders that were being built or removed, manifests without their
 * release. Only while no build runs.
 *
 * @param {string} folder
 * @param {string[]} [names] only what belongs to these releases
 * @returns {Promise<string[]>} what could not be removed, and why; a line each
 */
export async function sweep(folder, names) {
  const problems = [];
  for (const path of names ? names.map((name) => partialPath(folder, name)) : leftOvers(folder)) {
    const removing = rm(path, { recursive: true, force: true, maxRetries: 3 });
    problems.push(
      ...(await removing.then(
        () => [],
        (error) => [`${path}: ${codeOf(error)}`],
      )),
    );
  }
  return problems;
}

/**
 * @param {string} folder
 * @returns {string[]} paths
 */
function leftOvers(folder) {
  const releases = releasesFolder(folder);
  const whole = new Set(listReleases(folder));
  const entries = entriesIn(folder).map(({ name }) => name);
  const isPartial = (/** @type {string} */ entry) =>
    entry.endsWith(PARTIAL) && NAME.test(entry.slice(0, -PARTIAL.length));
  const isLonely = (/** @type {string} */ entry) => {
    const [, name = ''] = /^\.(.*)\.json$/.exec(entry) ?? [];
    return NAME.test(name) && !whole.has(name);
  };
  return entries.filter((entry) => isPartial(entry) || isLonely(entry)).map((entry) => join(releases, entry));
}

/**
 * @param {string} what
 * @param {() => void} action
 * @returns {string[]} why it failed; empty where it did not
 */
function attempt(what, action) {
  try {
    action();
    return [];
  } catch (error) {
    return [`${what}: ${codeOf(error)}`];
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/**
 * A release that loses files one by one must not look like a whole one.
 *
 * @param {string} folder
 * @param {string} name
 */
function abandon(folder, name) {
  renameSync(join(releasesFolder(folder), name), partialPath(folder, name));
  rmSync(manifestPath(folder, name), { force: true });
}

/** @param {string} folder */
function previousRelease(folder) {
  const current = currentRelease(folder);
  return listReleases(folder).findLast((name) => current === null || name < current) ?? null;
}

/**
 * @param {string} folder
 * @param {string} wanted
 */
function find(folder, wanted) {
  const found = listReleases(folder).filter((name) => name.startsWith(wanted));
  if (found.length === 1) return String(found[0]);
  throw noSuchRelease(folder, wanted);
}

/** @param {string} folder */
function entriesIn(folder) {
  const releases = releasesFolder(folder);
  if (!existsSync(releases)) return [];
  try {
    return readdirSync(releases, { withFileTypes: true });
  } catch (cause) {
    throw new Failure(
      `Cannot read ${releases}: ${codeOf(cause)}`,
      'Run this as the user who builds the site.',
      {
        cause,
      },
    );
  }
}

/**
 * @template T
 * @param {string} folder
 * @param {() => T} action
 * @returns {T}
 */
function locked(folder, action) {
  const lock = acquireLock(join(folder, '.lock'), { wait: LOCK_WAIT });
  if (lock === null) {
    throw new Failure(
      `Another program has been publishing in ${folder} for ${LOCK_WAIT / 1000} s`,
      'Run this again.',
    );
  }
  try {
    return action();
  } finally {
    lock.release();
  }
}

/**
 * @param {string} folder
 * @param {string} name
 */
function noSuchRelease(folder, name) {
  return new Failure(
    `There is no release ${printable(name)} in ${releasesFolder(folder)}`,
    'stacosys-hook releases lists what there is.',
  );
}

/**
 * @param {string} folder
 * @param {unknown} cause
 */
export function cannotPublish(folder, cause) {
  return new Failure(
    `Cannot publish in ${folder}: ${cause instanceof Error ? cause.message : cause}`,
    'Check the rights of that folder and the free space of its disk; the live site is untouched.',
    { cause },
  );
}

/** @param {string} folder made where it is missing */
export function makeReleasesFolder(folder) {
  try {
    mkdirSync(releasesFolder(folder), { recursive: true });
  } catch (cause) {
    throw cannotPublish(folder, cause);
  }
}
