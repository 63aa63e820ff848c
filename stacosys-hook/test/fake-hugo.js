/* Shared set-up of the tests of what Hugo can do wrong. It holds no test itself. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './database.js';

/**
 * @param {import('node:test').TestContext} t
 * @param {string} script for sh; `$destination` is where Hugo should build
 * @returns {string} a program that stands in for Hugo
 */
export function fakeHugo(t, script) {
  const file = join(temporaryFolder(t), 'hugo');
  const head = `#!/bin/sh
if [ "$1" = version ]; then echo 'hugo v0.168.0-0123456789 linux/amd64'; exit; fi
for argument in "$@"; do
  if [ "$previous" = --destination ]; then destination=$argument; fi
  previous=$argument
done
`;
  writeFileSync(file, `${head}${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** @param {number} pid */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
