import { spawnSync } from 'node:child_process';
import { basename, dirname } from 'node:path';

/**
 * Whether a file is in a git repository: a .gitignore does not keep out what is in it already.
 *
 * @param {string} file absolute
 * @returns {boolean} false, too, where there is no git, or no repository
 */
export function isTrackedByGit(file) {
  const args = ['--literal-pathspecs', 'ls-files', '--error-unmatch', '--', basename(file)];
  const { status } = spawnSync('git', args, { cwd: dirname(file), stdio: 'ignore', timeout: 10_000 });
  return status === 0;
}
