/* A pseudo-terminal for the tests, by `script` of util-linux. It holds no test itself. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { BIN } from './command-line.js';

/** @returns {boolean} whether there is a `script` that takes a command (that of BSD and macOS does not) */
export function hasTerminal() {
  return /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '');
}

/**
 * Runs the real command line on a terminal, and types when it asks.
 *
 * @param {string} cwd
 * @param {string[]} args without white space
 * @param {{question: string, answer: string, env?: Record<string, string>}} options
 * @returns {Promise<{status: number | null, screen: string}>}
 */
export async function runOnTerminal(cwd, args, { question, answer, env = {} }) {
  const command = [process.execPath, BIN, ...args].join(' ');
  const inherited = Object.entries(process.env).filter(([name]) => !/^(STACOSYS_|HUGO_|NODE_)/.test(name));
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd,
    env: { ...Object.fromEntries(inherited), ...env },
    timeout: 30_000,
  });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const isAsked = screen.includes(question);
    screen += text;
    if (!isAsked && screen.includes(question)) child.stdin.write(answer);
  });
  const [status] = await once(child, 'close');
  return { status, screen };
}
