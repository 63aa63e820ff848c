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
  return namesIn(folder).filter((name) => NAME.test(name));
}

/**
 * @param {string} folder
 * @returns {string | null} the name of the live release
 * @throws {Failure} `current` is somebody else's
 */
export function currentRelease(folder) {
  const link = join(folder, 'current');
  const stats = lstatSync(link, { throwIfNoEntry: false });
  if (!stats) return null;
  const target = stats.isSymbolicLink() ? readlinkSync(link) : '';
  const [, name = ''] = /^releases\/([^/]+)$/.exec(target) ?? [];
  if (NAME.test(name)) return name;
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
    const link = join(folder, `.current.${randomBytes(6).toString('hex')}`);
    try {
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
 * @returns {{from: string | null, to: string}}
 * @throws {Failure}
 */
export function rollback(folder, wanted) {
  const from = currentRelease(folder);
  const to = wanted === undefined ? previousRelease(folder) : find(folder, wanted);
  if (to === null) {
    throw new Failure(
      `There is no release before ${from ?? 'the live one'} in ${releasesFolder(folder)}`,
      'stacosys-hook releases lists what there is; stacosys-hook build makes a new one.',
    );
  }
  publish(folder, to);
  return { from, to };
}

/**
 * Removes what is old: all but the newest ones, never the live release or the one before it.
 *
 * @param {string} folder
 * @param {number} keep
 * @returns {Promise<string[]>} the names of those that went
 */
export async function prune(folder, keep) {
  const doomed = locked(folder, () => {
    const kept = new Set([
      ...listReleases(folder).slice(-keep),
      currentRelease(folder),
      previousRelease(folder),
    ]);
    const names = listReleases(folder).filter((name) => !kept.has(name));
    for (const name of names) abandon(folder, name);
    return names;
  });
  await sweep(folder, doomed);
  return doomed;
}

/**
 * Removes what a crash left: folders that were being built or removed. Only while no build runs.
 *
 * @param {string} folder
 * @param {string[]} [names] only of these releases
 */
export async function sweep(folder, names) {
  const isLeftOver = (/** @type {string} */ entry) =>
    entry.endsWith(PARTIAL) && NAME.test(entry.slice(0, -PARTIAL.length));
  const partials = names ? names.map((name) => `${name}${PARTIAL}`) : namesIn(folder).filter(isLeftOver);
  for (const partial of partials) {
    await rm(join(releasesFolder(folder), partial), { recursive: true, force: true, maxRetries: 3 });
  }
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

/**
 * @param {string} folder
 * @returns {string[]} sorted
 */
function namesIn(folder) {
  const releases = releasesFolder(folder);
  return existsSync(releases) ? readdirSync(releases).sort() : [];
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
function cannotPublish(folder, cause) {
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
