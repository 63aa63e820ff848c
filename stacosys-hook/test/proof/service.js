/* The real service in a process of its own, to be watched and killed. It holds no test itself. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { BIN } from '../command-line.js';
import { atEnd } from '../at-end.js';
import { HUGO } from './blog.js';
import { liveState } from './live.js';
import { until } from '../until.js';

/**
 * @typedef {Record<string, any> & {level: string, event: string}} Entry of the log
 *
 * @typedef {object} Service
 * @property {number} pid
 * @property {Entry[]} log
 * @property {() => string} text of its log, for people
 * @property {(event: string, matches?: (entry: Entry) => boolean, from?: number) => Promise<Entry>} says the
 *   entry, as soon as there is one; from: the index in the log to begin at
 * @property {(from: number) => Promise<Entry>} decides the entry that tells the end of a build
 * @property {(state: string) => Promise<void>} shows resolves when the live page does
 * @property {() => Promise<void>} kill as a crash or a power cut does
 * @property {() => Promise<number | null>} stop as systemd does; the exit code
 * @property {Promise<number | null>} ended the exit code
 *
 * @typedef {object} ServiceOptions
 * @property {string} [command]
 * @property {string[]} [args]
 * @property {string} [hugo]
 * @property {Record<string, string>} [env]
 * @property {string[]} [within] a command that runs the one after it
 * @property {number} [user] its id
 */

const ENDS = ['published', 'build failed'];

/**
 * @param {import('node:test').TestContext} t
 * @param {import('./blog.js').Blog} blog
 * @param {ServiceOptions} [options]
 * @returns {Service}
 */
export function startService(t, blog, { command = 'watch', args = [], hugo = HUGO, env, within, user } = {}) {
  const { site, database, published } = blog;
  const [program = '', ...words] = [...(within ?? []), process.execPath, BIN, command, '--json'];
  const options = [
    ...(database ? ['--db', database] : []),
    '--source',
    site,
    '--hugo',
    hugo,
    '--publish-to',
    published,
  ];
  const child = spawn(program, [...words, ...options, ...args], {
    env: { PATH: process.env.PATH, HOME: tmpdir(), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  /** @type {Entry[]} */
  const log = [];
  createInterface(child.stderr).on('line', (line) => log.push(parsed(line)));
  const ended = once(child, 'close').then(([code]) => /** @type {number | null} */ (code));
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  const text = () => log.map((entry) => JSON.stringify(entry)).join('\n');
  const kill = async (/** @type {NodeJS.Signals} */ signal) => {
    child.kill(signal);
    return ended;
  };
  atEnd(t, async () => {
    await kill('SIGKILL');
    for (const pid of hugosOf(blog)) process.kill(-pid, 'SIGKILL');
  });
  const find = (
    /** @type {string} */ what,
    /** @type {(entry: Entry) => boolean} */ matches,
    /** @type {number} */ from,
  ) => {
    const look = () =>
      log.slice(from).find(matches) ?? assert.ok(!hasEnded, `it ended without ${what}:\n${text()}`);
    return /** @type {Promise<Entry>} */ (until(`${what} in the log`, look, text));
  };
  return {
    pid: Number(child.pid),
    log,
    text,
    says: (event, matches = () => true, from = 0) =>
      find(`"${event}"`, (entry) => entry.event === event && matches(entry), from),
    decides: (from) => find('the end of a build', ({ event }) => ENDS.includes(event), from),
    shows: async (state) => {
      await until(
        `the live page to show ${state}`,
        () => liveState(blog) === state,
        () => shown(blog, text),
      );
    },
    kill: async () => void (await kill('SIGKILL')),
    stop: () => kill('SIGTERM'),
    ended,
  };
}

/**
 * @param {import('./blog.js').Blog} blog
 * @param {() => string} log
 */
function shown(blog, log) {
  return `it shows ${liveState(blog)}; the log:\n${log()}`;
}

/**
 * @param {string} line
 * @returns {Entry}
 */
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return { level: 'no JSON', event: line };
  }
}

/** Without it nobody can see who runs. */
export const NO_PROC = existsSync('/proc/self/cmdline') ? false : 'needs /proc, as Linux has it';

/**
 * @param {{published: string}} blog
 * @returns {number[]} the processes that build its releases
 */
export function hugosOf({ published }) {
  if (NO_PROC) return [];
  const isHugo = (/** @type {string} */ pid) =>
    commandLine(pid).some(
      (arg, index, all) => all[index - 1] === '--destination' && arg.startsWith(published),
    );
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isHugo(name))
    .map(Number);
}

/**
 * @param {string} pid
 * @returns {string[]} empty where it has ended
 */
function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/**
 * @param {number} pid
 * @returns {boolean} false for one that has ended and that nobody has asked how
 */
export function isAlive(pid) {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
