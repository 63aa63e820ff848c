import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endMarked } from './marked-processes.js';

const CHILD = fileURLToPath(new URL('part-child.js', import.meta.url));

/** A variable of the environment that all processes of a part inherit, wherever they are in the tree. */
const MARK = 'HUGO_STACOSYS_BENCH';

/**
 * @typedef {Pick<import('./part.js').Context, 'quick' | 'full' | 'hugo' | 'progress'>} Given
 *
 * @typedef {object} Limits
 * @property {AbortSignal} signal ends it
 * @property {number} seconds that it may take
 */

/**
 * Runs a part in a process and a folder of its own. Nothing of either is left, however it ends: no server,
 * no file.
 *
 * @param {string} parts address of the module that exports PARTS
 * @param {string} name
 * @param {Given} given
 * @param {Limits} limits
 * @returns {Promise<import('./part.js').Result>}
 */
export async function runInProcess(parts, name, { progress, ...given }, { signal, seconds }) {
  const limit = AbortSignal.timeout(Math.ceil(seconds * 1000));
  const folder = mkdtempSync(join(tmpdir(), `hugo-stacosys-bench-${name}-`));
  // Of a group of its own: what Ctrl-C ends is decided here
  const child = fork(CHILD, {
    detached: true,
    serialization: 'advanced',
    env: { ...process.env, [MARK]: folder },
  });
  try {
    await once(child, 'spawn', { signal }); // or throws why there is none
    child.send({ parts, name, context: { ...given, folder } });
    return await resultOf(child, progress, AbortSignal.any([signal, limit]));
  } catch (error) {
    if (limit.aborted) throw new Error(`It took more than ${Math.round(seconds)} seconds`, { cause: error });
    throw error;
  } finally {
    const left =
      child.pid === undefined ? [] : await endMarked({ variable: MARK, value: folder, group: child.pid });
    if (left.length > 0 && !signal.aborted) progress(`ended what it left running: ${left.join(', ')}`);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {(step: string) => void} progress
 * @param {AbortSignal} signal
 * @returns {Promise<import('./part.js').Result>}
 */
async function resultOf(child, progress, signal) {
  /** @type {import('./part-child.js').Message | undefined} */
  let answer;
  child.on('message', (/** @type {import('./part-child.js').Message} */ message) => {
    if ('step' in message) progress(message.step);
    else answer = message;
  });
  const [[status, killed]] = await Promise.all([
    once(child, 'exit', { signal }),
    once(child, 'disconnect', { signal }), // after the last message
  ]);
  if (answer && 'result' in answer) return answer.result;
  if (answer && 'error' in answer) throw answer.error;
  throw new Error(`Its process ended with ${killed ?? status}`);
}
