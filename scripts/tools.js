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
export const TOOLS = join(ROOT, '.tools');

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

/** What hugo-module/deploy/nginx.conf wants of an nginx, and its tests besides (realip). */
const NGINX_MODULES = ['http_ssl', 'http_v2', 'http_gzip_static', 'http_realip'];

/**
 * An nginx for the tests, which start it themselves: the user's own, or the one that setup.js unpacked.
 *
 * @returns {string | null} its path
 */
export function usableNginx() {
  const unpacked = join(unpackedFolder('nginx'), 'usr', 'sbin', 'nginx');
  const candidates = [process.env.NGINX_BIN, findOnPath('nginx'), '/usr/sbin/nginx', unpacked];
  return candidates.find((binary) => binary && isNginx(binary)) ?? null;
}

/** @param {string} binary */
function isNginx(binary) {
  const { stderr } = spawnSync(binary, ['-V'], { encoding: 'utf8' });
  return NGINX_MODULES.every((module) => stderr?.includes(`--with-${module}_module`));
}

/**
 * @returns {string | null} the path of a Caddy 2 for the tests
 */
export function usableCaddy() {
  const unpacked = join(unpackedFolder('caddy'), 'usr', 'bin', 'caddy');
  const candidates = [process.env.CADDY_BIN, findOnPath('caddy'), unpacked];
  return candidates.find((binary) => binary && isCaddy(binary)) ?? null;
}

/** @param {string} binary */
function isCaddy(binary) {
  const { stdout } = spawnSync(binary, ['version'], { encoding: 'utf8' });
  return /^v?2\./.test(stdout ?? '');
}

/**
 * @param {string} name
 * @returns {string} where setup.js unpacks the packages of a server: unpacked only, none is started
 */
export function unpackedFolder(name) {
  return join(TOOLS, name);
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
