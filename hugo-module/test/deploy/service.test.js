import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isOnPath } from '../../../scripts/tools.js';
import { temporaryFolder } from '../../../stacosys-hook/test/database.js';
import { readKit, substituted } from './running.js';

const NAME = 'stacosys-hook.service';
const BINARY = '/srv/blog/node_modules/.bin/stacosys-hook';

/** Of systemd 250; its report has a number at the end: 0 is a cell without a door, 10 a house without one. */
const OLDEST = 250;
const MOST_EXPOSED = 2;

const version = isOnPath('systemd-analyze') ? systemdVersion() : 0;
const LIMITS = {
  timeout: 60_000,
  skip: version < OLDEST ? `systemd-analyze ${OLDEST} or newer is not here` : false,
};

test('systemd understands the whole unit', LIMITS, (t) => {
  const { status, stderr } = analyze('verify', unitFile(t));
  const complaints = stderr.split('\n').filter((line) => line.includes(NAME));
  // Systems before 254 leave these two out, as the unit says
  const expected = /Unknown key( name)? '(RestartSteps|RestartMaxDelaySec)'/;
  assert.deepEqual(
    complaints.filter((line) => version >= 254 || !expected.test(line)),
    [],
  );
  assert.equal(status, 0, stderr);
});

test('a mistake in the unit would be seen', LIMITS, (t) => {
  const { stderr } = analyze('verify', unitFile(t, [['ProtectClock=yes', 'ProtectClocks=yes']]));
  assert.match(stderr, new RegExp(`${NAME}.*Unknown key( name)? 'ProtectClocks'`));
});

test('the service can do little more than its work', LIMITS, (t) => {
  const args = ['--offline=true', '--no-pager'];
  const { stdout, stderr } = analyze('security', ...args, unitFile(t));
  const [, exposure] = /Overall exposure level for \S+: (\d+\.\d+)/.exec(stdout) ?? [];
  assert.ok(Number(exposure) <= MOST_EXPOSED, `${exposure}\n${stdout}${stderr}`);
});

test('what the unit wants to write is what the README makes', () => {
  const paths = settings('ReadWritePaths').flatMap((value) => value.split(' '));
  const needed = paths.filter((path) => !path.startsWith('-'));
  assert.ok(needed.length >= 5, String(paths));
  const [, owned = ''] = /chown -R stacosys: (.*)/.exec(readKit('README.md')) ?? [];
  assert.deepEqual(
    owned
      .split(' ')
      .map((path) => path.replace(/^(?!\/)/, '/srv/blog/'))
      .sort(),
    needed.sort(),
  );
});

test('it is one line each that matters most', () => {
  assert.deepEqual(settings('ExecStart'), [`${BINARY} serve --source /srv/blog`]);
  assert.deepEqual(settings('MemoryDenyWriteExecute'), ['no'], 'JavaScript is compiled while it runs');
  assert.deepEqual(settings('KillMode'), ['mixed'], 'a running build is not the service, and may finish');
  assert.deepEqual(settings('UMask'), ['0022'], 'the web server reads what it writes');
  const names = settings('LoadCredential').map((value) => value.split(':')[0]);
  assert.deepEqual(names, ['webhook-secret', 'notify', 'notify-secret', 'notify-token']);
  for (const value of settings('LoadCredential')) {
    assert.doesNotMatch(value, /:\//, 'a path that is missing ends the start');
  }
});

/** @param {string} name */
function settings(name) {
  const lines = readKit(NAME).split('\n');
  return lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1));
}

/**
 * @param {import('node:test').TestContext} t
 * @param {import('./running.js').Substitution[]} [substitutions]
 */
function unitFile(t, substitutions = []) {
  const file = join(temporaryFolder(t), NAME);
  // systemd-analyze wants the program to be there
  const ours = /** @type {import('./running.js').Substitution} */ ([
    `ExecStart=${BINARY} `,
    'ExecStart=/bin/true ',
  ]);
  writeFileSync(file, substituted(readKit(NAME), [ours, ...substitutions]));
  return file;
}

/** @param {string[]} args */
function analyze(...args) {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, {
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status, stdout, stderr };
}

function systemdVersion() {
  const { stdout } = analyze('--version');
  return Number(/^systemd (\d+)/.exec(stdout)?.[1] ?? 0);
}
