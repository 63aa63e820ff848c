import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CHANGED, commit } from './commit.js';
import { cpuTime } from './watch-process.js';

/**
 * @typedef {object} Polled
 * @property {number} milliseconds from the end of the COMMIT to the answer that shows the new count
 * @property {number} idle share of a core that the poller takes while it waits
 */

const POLLER = fileURLToPath(new URL('poller.js', import.meta.url));

/** Before the poller looks, it is left alone with the machine. */
const ALONE = 500; // milliseconds

/**
 * A comment that is published some time before the poller looks.
 *
 * @param {import('./generated-site.js').GeneratedSite} site
 * @param {string} hugo
 * @param {import('./page-server.js').PageServer} server of the site's public/
 * @param {number} wait seconds
 * @param {(until: number) => Promise<void>} meanwhile what can be done until then, by performance.now()
 * @returns {Promise<Polled | null>} null where that took too long, so that nobody saw when the page changed
 */
export async function pollOnce({ folder, database }, hugo, server, wait, meanwhile) {
  const args = ['--db', database, '--source', folder, '--hugo', hugo, '--first', String(wait)];
  const child = spawn(process.execPath, [POLLER, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  try {
    await line(lines, 'ready');
    const looks = performance.now() + wait * 1000;
    const pid = Number(child.pid);
    const { count, at } = commit(database);
    const before = { cpu: cpuTime(pid), at: performance.now() };
    await meanwhile(looks - ALONE);
    if (performance.now() > looks - ALONE) return null;
    await pause(Math.max(0, looks - ALONE - performance.now()));
    const idle = (cpuTime(pid) - before.cpu) / (performance.now() - before.at);
    const seen = await server.untilPage(CHANGED, (page) => page.includes(`>${count} comments<`));
    if (seen < looks) throw new Error('The poller showed a comment before it looked: something else did');
    await line(lines, 'built');
    return { milliseconds: seen - at, idle };
  } finally {
    child.kill();
    await ended;
  }
}

/**
 * @param {AsyncIterator<string>} lines
 * @param {string} wanted
 */
async function line(lines, wanted) {
  const { value } = await lines.next();
  if (value !== wanted) throw new Error(`The poller ended by itself, before it was ${wanted}`);
}
