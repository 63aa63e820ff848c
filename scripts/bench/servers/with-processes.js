import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * @typedef {object} Command
 * @property {string} binary
 * @property {string[]} args
 * @property {number} port on 127.0.0.1 where it is to listen
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env] beside ours
 *
 * @typedef {(command: Command) => Promise<number>} Start resolves with the process id when it listens
 *
 * @typedef {import('node:child_process').ChildProcess} ChildProcess
 */

const STARTS_WITHIN = 60_000; // milliseconds: four interpreters on a busy machine
const ENDS_WITHIN = 5000;
const BETWEEN_LOOKS = 50;
const LOG_KEPT = 4000; // characters

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs servers for as long as `use` takes. All of them end with it, with all their children: when it is
 * over, when it throws, and when somebody stops this process.
 *
 * @template T
 * @param {(start: Start) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withProcesses(use) {
  /** @type {ChildProcess[]} */
  const running = [];
  const killAll = () => running.forEach((child) => signalGroup(child, 'SIGKILL'));
  const stopNow = (/** @type {NodeJS.Signals} */ signal) => {
    killAll();
    process.off(signal, stopNow);
    // Whoever else listens decides; with nobody, it means what it always means
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  process.on('exit', killAll);
  for (const signal of SIGNALS) process.on(signal, stopNow);
  try {
    return await use((command) => startListening(command, running));
  } finally {
    await Promise.all(running.map(end));
    process.off('exit', killAll);
    for (const signal of SIGNALS) process.off(signal, stopNow);
  }
}

/**
 * @param {Command} command
 * @param {ChildProcess[]} running
 */
async function startListening({ binary, args, port, cwd, env = {} }, running) {
  const child = spawn(binary, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true, // a group of its own: what it starts ends with it
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (log = (log + text).slice(-LOG_KEPT)));
  const failed = once(child, 'error');
  running.push(child);
  const deadline = Date.now() + STARTS_WITHIN;
  while (!(await accepts(port))) {
    const error = child.pid === undefined ? (await failed)[0].message : null;
    const why = error ?? (hasEnded(child) ? 'ended' : Date.now() > deadline ? 'does not listen' : null);
    if (why !== null) throw new Error(`${[binary, ...args].join(' ')}: ${why}\n${log}`);
    await pause(BETWEEN_LOOKS);
  }
  return Number(child.pid);
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
async function accepts(port) {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false; // nobody listens yet
  } finally {
    socket.destroy();
  }
}

/** @param {ChildProcess} child */
async function end(child) {
  if (child.pid === undefined) return;
  const ended = hasEnded(child) ? undefined : once(child, 'exit');
  signalGroup(child, 'SIGTERM');
  await Promise.race([ended, pause(ENDS_WITHIN, undefined, { ref: false })]);
  signalGroup(child, 'SIGKILL'); // and whatever it left behind
  await ended;
}

/**
 * @param {ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup({ pid }, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error; // all of them are gone
  }
}

/** @param {ChildProcess} child */
function hasEnded({ exitCode, signalCode }) {
  return exitCode !== null || signalCode !== null;
}
