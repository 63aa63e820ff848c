import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** In the environment of each Hugo that we start, and of whatever that starts: the folder of the site. */
export const BUILD_MARK = 'STACOSYS_HOOK_BUILDS';

/**
 * Ends what a build left running when its service was killed: it would go on writing, and hold
 * Hugo's own lock on the site, for ever where it hangs. Only while no build runs. Does nothing where
 * there is no /proc; systemd ends them itself.
 *
 * @param {string} site the folder
 */
export function endOrphans(site) {
  if (!existsSync('/proc/self/environ')) return;
  const mark = `\0${BUILD_MARK}=${site}\0`;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (Number(pid) !== process.pid && environmentOf(pid).includes(mark)) end(Number(pid));
  }
}

/**
 * @param {string} pid
 * @returns {string} with a NUL around each variable; empty where it is another user's, or has ended
 */
function environmentOf(pid) {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'utf8')}\0`;
  } catch {
    return '';
  }
}

/** @param {number} pid */
function end(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (Object(error).code !== 'ESRCH') throw error;
  }
}
