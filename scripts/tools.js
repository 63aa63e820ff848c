// What the scripts and tests need beside npm packages. Runs on Node 20 and without any package,
// because scripts/setup.js uses it before there are any.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The oldest and the newest Hugo that the module is tested with. */
export const HUGO_OLDEST = '0.111.3';
export const HUGO_LATEST = '0.168.0';

/** Every test that needs Hugo runs with both. */
export const HUGO_VERSIONS = [HUGO_OLDEST, HUGO_LATEST];

/** Binaries of our own go here, never into the user's system where it can be helped. */
const TOOLS = join(ROOT, '.tools');

/** @param {string} version */
export function hugoFolder(version) {
  return join(TOOLS, `hugo-${version}`);
}

/** @param {string} version */
export function pinnedHugo(version) {
  return join(hugoFolder(version), 'hugo');
}

/**
 * @param {string} binary
 * @returns {string | null} `0.168.0`, or null where it does not run
 */
export function hugoVersion(binary) {
  const { stdout } = spawnSync(binary, ['version'], { encoding: 'utf8' });
  return /^hugo v(\d+\.\d+\.\d+)/i.exec(stdout ?? '')?.[1] ?? null;
}

/**
 * A Hugo that can build the example site: the user's own where it is new enough.
 *
 * @returns {string | null}
 */
export function usableHugo() {
  const candidates = [process.env.HUGO_BIN, 'hugo', pinnedHugo(HUGO_LATEST), pinnedHugo(HUGO_OLDEST)];
  return candidates.find((binary) => binary && isUsable(hugoVersion(binary))) ?? null;
}

/** @param {string | null} version */
function isUsable(version) {
  return version !== null && Number(version.split('.')[1]) >= Number(HUGO_OLDEST.split('.')[1]);
}

/**
 * A Chromium that the browser tests can drive: the user's own.
 *
 * @returns {string | null} its path
 */
export function usableChromium() {
  const onPath = ['chromium', 'chromium-browser', 'google-chrome'].map((command) => findOnPath(command));
  const candidates = [process.env.CHROMIUM_BIN, ...onPath];
  return candidates.find((binary) => binary && isChromium(binary)) ?? null;
}

/** @param {string} binary which may be no more than Ubuntu's note that Chromium is a snap */
function isChromium(binary) {
  const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  return /chrom\w* \d+\./i.test(stdout ?? '');
}

/** @param {string} command */
export function isOnPath(command) {
  return findOnPath(command) !== undefined;
}

/** @param {string} command */
function findOnPath(command) {
  const folders = (process.env.PATH ?? '').split(':').filter(Boolean);
  return folders.map((folder) => join(folder, command)).find((file) => existsSync(file));
}
