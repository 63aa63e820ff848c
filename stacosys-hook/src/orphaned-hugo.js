import { existsSync, readFileSync, readdirSync } from 'node:fs';

/**
 * Ends each Hugo that a service left behind when it was killed: it would hold Hugo's own lock on
 * the site, for ever where it hangs. Nothing else names such a folder on its command line. Does
 * nothing where there is no /proc; systemd ends them itself.
 *
 * @param {string} folder in which they build
 */
export function endOrphans(folder) {
  if (!existsSync('/proc/self/cmdline')) return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (
      commandLine(pid).some(
        (arg, index, args) => args[index - 1] === '--destination' && arg.startsWith(folder),
      )
    ) {
      end(Number(pid));
    }
  }
}

/**
 * @param {string} pid
 * @returns {string[]} empty where it has ended meanwhile
 */
function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** @param {number} pid the leader of a process group of its own */
function end(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
