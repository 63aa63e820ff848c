import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SETUP = fileURLToPath(new URL('../setup.js', import.meta.url));

/**
 * Installs what a part needs, where it is missing.
 *
 * @param {string[]} needs
 * @param {AbortSignal} signal
 * @param {(line: string) => void} say what setup.js says
 * @returns {Promise<string | null>} the reason why one of them cannot be had
 */
export async function installNeeds(needs, signal, say) {
  for (const need of needs) {
    const child = spawn(process.execPath, [SETUP, need], { stdio: ['ignore', 'ignore', 'pipe'], signal });
    let last = '';
    createInterface(child.stderr).on('line', (line) => {
      say(line);
      last = line.trim() || last;
    });
    const [status] = await once(child, 'close');
    if (status !== 0) return `${need} could not be installed: ${last.replace(/\.$/, '')}`;
  }
  return null;
}
