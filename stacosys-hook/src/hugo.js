import { spawn } from 'node:child_process';
import { Failure } from './errors.js';
import { printable } from './printable.js';

/**
 * @typedef {object} Finished how a run of Hugo ended
 * @property {number | null} status null where it was killed
 * @property {string} stdout
 * @property {string} stderr
 *
 * @typedef {object} Limits
 * @property {number} [timeout] milliseconds
 * @property {AbortSignal} [signal] ends the run
 * @property {number} [output] bytes of each stream that are kept, the last ones
 * @property {Record<string, string | undefined>} [env] on top of our own, undefined for what Hugo must not see
 */

/** The oldest Hugo whose templates ours are written for; hugo.toml of the module says the same. */
const OLDEST_MINOR = 111;

const OUTPUT_KEPT = 2 ** 18; // bytes

/** What our own service keeps from its children, whose templates can read the environment. */
const OWN_VARIABLES = /^(STACOSYS_|CREDENTIALS_DIRECTORY$|NOTIFY_SOCKET$)/;

/** Milliseconds for what Hugo wrote last; a program that left its group may keep the pipes open for ever. */
const LAST_WORDS = 1000;

const LONGEST_REASON = 500; // characters

const MOST_WARNINGS = 10;

/**
 * Runs Hugo to its end. It gets a process group of its own, and when it ends, however it ends,
 * the whole group ends: Hugo starts other programs (PostCSS, Dart Sass, git), which would live on.
 *
 * @param {string} hugo the binary
 * @param {string[]} args
 * @param {Limits & {cwd?: string}} [options]
 * @returns {Promise<Finished>}
 * @throws {Failure} there is no such binary, it took too long, or it was told to end
 */
export async function runHugo(hugo, args, { cwd, timeout, signal, output = OUTPUT_KEPT, env = {} } = {}) {
  if (signal?.aborted) throw wasEnded();
  const child = spawn(hugo, args, {
    cwd,
    env: { ...withoutOwn(process.env), ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => killGroup(child.pid);
  let isLate = false;
  let deadline = /** @type {NodeJS.Timeout | undefined} */ (undefined);
  const endLate = () => {
    isLate = true;
    end();
  };
  const timer = timeout === undefined ? undefined : setTimeout(endLate, timeout);
  signal?.addEventListener('abort', end);
  process.once('exit', end); // a second Ctrl-C, or a crash of ours
  child.once('exit', () => {
    end();
    deadline = setTimeout(
      () => [child.stdout, child.stderr].forEach((stream) => stream.destroy()),
      LAST_WORDS,
    );
  });
  try {
    const texts = [child.stdout, child.stderr].map((stream) => tailOf(stream, output));
    const status = await new Promise((resolve, reject) => {
      child.once('error', (cause) => reject(cannotRun(hugo, cause)));
      child.once('close', resolve);
    });
    if (isLate) throw tookTooLong(args, timeout ?? 0);
    if (signal?.aborted) throw wasEnded();
    const [stdout = '', stderr = ''] = texts.map((text) => text());
    return { status, stdout, stderr };
  } finally {
    clearTimeout(timer);
    clearTimeout(deadline);
    process.removeListener('exit', end);
    signal?.removeEventListener('abort', end);
  }
}

/**
 * @param {string} hugo
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>} such as `0.168.0`
 * @throws {Failure} there is none, it is no Hugo, or it is too old
 */
export async function hugoVersion(hugo, signal) {
  const { stdout } = await runHugo(hugo, ['version'], { timeout: 30_000, signal });
  const [, version, major, minor] = /^hugo v((\d+)\.(\d+)\S*?)[-+ \n]/i.exec(stdout) ?? [];
  if (version === undefined) {
    throw new Failure(`${printable(hugo)} does not say which Hugo it is`, NAME_HUGO);
  }
  if (Number(major) === 0 && Number(minor) < OLDEST_MINOR) {
    throw new Failure(
      `Hugo ${version} is too old: the templates need 0.${OLDEST_MINOR}`,
      `Install a newer one and name it: --hugo FILE, or HUGO_BIN.`,
    );
  }
  return version;
}

/**
 * @param {Finished} finished that did not succeed
 * @returns {string} the line in which Hugo says why, safe to print
 */
export function reasonOf({ status, stdout, stderr }) {
  const lines = `${stderr}\n${stdout}`.split('\n').filter((line) => line.trim());
  const errors = lines.filter((line) => /^error/i.test(line));
  const telling = errors.find((line) => !/: logged \d+ error\(s\)$/.test(line)); // else the others tell more
  return shortened(telling ?? errors[0] ?? lines[0] ?? `exit ${status}`);
}

/**
 * @param {Finished} finished
 * @returns {string[]} what our templates warn of, safe to print
 */
export function warningsOf({ stdout, stderr }) {
  const lines = `${stderr}\n${stdout}`.split('\n').filter((line) => /^WARN\b.*stacosys/i.test(line));
  return [...new Set(lines)].slice(0, MOST_WARNINGS).map(shortened);
}

/** @param {string} line */
function shortened(line) {
  const text = printable(line);
  return text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON)}…` : text;
}

/** @param {NodeJS.ProcessEnv} env */
function withoutOwn(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OWN_VARIABLES.test(name)));
}

const NAME_HUGO = 'Install Hugo, or name its binary: --hugo FILE, or HUGO_BIN.';

/**
 * @param {import('node:stream').Readable} stream
 * @param {number} limit bytes
 * @returns {() => string} its end, as far as it was read
 */
function tailOf(stream, limit) {
  /** @type {Buffer[]} */
  let chunks = [];
  let size = 0;
  stream.on('data', (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > 2 * limit) {
      chunks = [Buffer.concat(chunks).subarray(-limit)];
      size = limit;
    }
  });
  return () => Buffer.concat(chunks).subarray(-limit).toString();
}

/** @param {number | undefined} pid of the leader, which may be gone already */
function killGroup(pid) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}

/**
 * @param {string} hugo
 * @param {Error} cause
 */
function cannotRun(hugo, cause) {
  const code = /** @type {NodeJS.ErrnoException} */ (cause).code;
  const what = code === 'ENOENT' ? 'There is no' : `Cannot run (${code})`;
  const where = hugo.includes('/') ? printable(hugo) : `${printable(hugo)} on the PATH`;
  return new Failure(`${what} ${where}`, NAME_HUGO, { cause });
}

/**
 * @param {unknown} error of a run
 * @returns {boolean} whether there is no such binary
 */
export function isMissing(error) {
  const cause = error instanceof Failure ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}

/**
 * @param {string[]} args
 * @param {number} timeout
 */
function tookTooLong(args, timeout) {
  return new Failure(
    `hugo ${args[0] ?? ''} was ended: it took longer than ${timeout / 1000} s`,
    'Run hugo in the site to see where it hangs; a large site may need more: --hugo-timeout SECONDS.',
  );
}

/** The owner wants it so: nothing to mend. */
export function wasEnded() {
  return new Failure('The build was ended before it was complete', 'The next one starts anew.');
}
