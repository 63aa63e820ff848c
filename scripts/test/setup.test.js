import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../stacosys-hook/test/database.js';
import { ROOT } from '../tools.js';

test('packages are not installed through a link, which would empty the folder behind it', (t) => {
  const checkout = temporaryFolder(t);
  for (const file of [
    'package.json',
    'package-lock.json',
    'scripts/setup.js',
    'scripts/tools.js',
    'scripts/bench/bench-tools.js',
  ]) {
    cpSync(join(ROOT, file), join(checkout, file));
  }
  const elsewhere = join(temporaryFolder(t), 'node_modules');
  const kept = join(elsewhere, 'kept.txt');
  mkdirSync(elsewhere);
  writeFileSync(kept, '');
  symlinkSync(elsewhere, join(checkout, 'node_modules'));
  const bin = join(checkout, 'bin'); // an npm that does what npm ci does first
  mkdirSync(bin);
  writeFileSync(join(bin, 'npm'), '#!/bin/sh\nrm -f node_modules/*\n', { mode: 0o755 });
  const setUp = () =>
    spawnSync(process.execPath, [join(checkout, 'scripts', 'setup.js'), 'npm'], {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    });
  const { status, stdout, stderr } = setUp();
  assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
  assert.match(
    stderr,
    /^setup: node_modules is a link to \S+, and npm ci would empty that folder\. .*: rm node_modules\n$/,
  );
  assert.ok(existsSync(kept));

  rmSync(elsewhere, { recursive: true });
  assert.match(setUp().stderr, /^setup: node_modules is a link to nowhere\. /);
  rmSync(join(checkout, 'node_modules'));
  assert.match(setUp().stderr, /^setup: npm ci /);
});
