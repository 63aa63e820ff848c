/* Shared set-up of the tests that spawn the real command line. It holds no test itself. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const BIN = fileURLToPath(new URL('../bin.js', import.meta.url));

/** What must not reach a terminal, a line break apart. */
const CONTROLS = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * Runs the real command line.
 *
 * @param {string} cwd
 * @param {string[]} args
 * @param {{env?: Record<string, string>, node?: string[]}} [options]
 */
export function run(cwd, args, { env = {}, node = [] } = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(STACOSYS_|HUGO_|NODE_)/.test(name));
  const { status, stdout, stderr, signal } = spawnSync(process.execPath, [...node, BIN, ...args], {
    cwd,
    env: { ...Object.fromEntries(inherited), ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.equal(signal, null, `it did not end by itself: ${stderr}`);
  for (const text of [stdout, stderr]) assert.doesNotMatch(text, CONTROLS);
  assert.doesNotMatch(stderr, /^\s+at /m, 'no stack trace');
  return { status, stdout, stderr };
}
