import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {import('./generated-site.js').GeneratedSite} GeneratedSite
 *
 * @typedef {object} Published what `watch` logs of a build
 * @property {string} time when it was over, all cleaning up included
 * @property {string} release
 * @property {number} ms of all of it
 *
 * @typedef {object} WatchProcess
 * @property {() => Promise<Published>} published the next one
 * @property {() => number} cpu milliseconds so far
 * @property {() => Promise<void>} stop
 *
 * @typedef {Record<'wake' | 'bake' | 'hugo' | 'inspect' | 'publish', number>} Stages milliseconds
 */

const HOOK = fileURLToPath(new URL('../../stacosys-hook/bin.js', import.meta.url));

const TICK = 10; // milliseconds: the kernel counts in hundredths of a second, on every Linux of today

/**
 * @param {GeneratedSite} site
 * @param {string} hugo
 * @returns {WatchProcess}
 */
export function startWatch({ folder, database }, hugo) {
  const args = ['watch', '--json', '--db', database, '--source', folder, '--hugo', hugo];
  const child = spawn(process.execPath, [HOOK, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  const lines = createInterface(child.stderr)[Symbol.asyncIterator]();
  return {
    published: async () => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error('watch ended by itself');
        const entry = JSON.parse(value);
        if (entry.event === 'published') return entry;
        if (entry.level !== 'info') throw new Error(value);
      }
    },
    cpu: () => cpuTime(Number(child.pid)),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/**
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 * @param {number} pid
 */
export function cpuTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const [user, system] = [fields[11], fields[12]].map(Number);
  return ((user ?? NaN) + (system ?? NaN)) * TICK;
}

/**
 * Where the time of a build went, as the files that it left tell.
 *
 * @param {GeneratedSite} site
 * @param {Published} build
 * @param {number} committed milliseconds since 1970
 * @returns {Stages}
 */
export function stagesOf({ published }, { time, release, ms }, committed) {
  const releases = join(published, 'releases');
  const started = Date.parse(time) - ms;
  const baked = Date.parse(release.replace(/^(....)(..)(..T..)(..)(..\....Z)-.*/, '$1-$2-$3:$4:$5'));
  const built = newestIn(join(releases, release));
  const inspected = statSync(join(releases, `.${release}.json`)).mtimeMs;
  const live = lstatSync(join(published, 'current')).ctimeMs;
  return {
    wake: started - committed,
    bake: baked - started,
    hugo: built - baked,
    inspect: inspected - built,
    publish: live - inspected,
  };
}

/**
 * @param {string} folder
 * @returns {number} when the last of its files was written, milliseconds since 1970
 */
function newestIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.reduce((newest, { parentPath, name }) => {
    return Math.max(newest, statSync(join(parentPath, name)).mtimeMs);
  }, 0);
}
