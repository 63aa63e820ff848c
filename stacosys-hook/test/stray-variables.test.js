import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPTIONS, variableOf } from '../src/config.js';
import { strayVariables } from '../src/stray-variables.js';
import { run } from './command-line.js';
import { comments, databaseWith } from './database.js';
import { hugoSite } from './hugo-site.js';

/** @type {[misspelt: string, meant: string][]} */
const MISSPELT = [
  ['STACOSYS_DBB', 'STACOSYS_DB'],
  ['STACOSYS_PUBLISHTO', 'STACOSYS_PUBLISH_TO'],
  ['STACOSYS_KEEPS', 'STACOSYS_KEEP'],
  ['STACOSYS_WEBHOOK_SECRETS', 'STACOSYS_WEBHOOK_SECRET'],
  ['STACOSYS_NOTIFY_TOKEN_FIL', 'STACOSYS_NOTIFY_TOKEN_FILE'],
];

for (const [misspelt, meant] of MISSPELT) {
  test(`${misspelt} in the environment makes one ask whether ${meant} is meant`, () => {
    assert.ok(strayVariables([misspelt]).endsWith(`: ${misspelt} (did you mean ${meant}?)`));
  });
}

test('what resembles no setting is named without a guess', () => {
  assert.match(strayVariables(['STACOSYS_ADMIN_PASSWORD']), /: STACOSYS_ADMIN_PASSWORD$/);
});

test('several are named in one line', () => {
  const line = strayVariables(['STACOSYS_HOTS', 'STACOSYS_DB', 'STACOSYS_PROT']);
  assert.match(line, /: STACOSYS_HOTS \(did you mean STACOSYS_HOST\?\), STACOSYS_PROT \([^\n]*$/);
});

test('settings and secrets, and what the hook itself gives to Hugo, are no strays', () => {
  const settings = Object.entries(OPTIONS).flatMap(([name, option]) => ('isSetting' in option ? [name] : []));
  const secrets = ['WEBHOOK_SECRET', 'NOTIFY', 'NOTIFY_SECRET', 'NOTIFY_TOKEN'].flatMap((name) => [
    `STACOSYS_${name}`,
    `STACOSYS_${name}_FILE`,
  ]);
  assert.ok(settings.length > 10);
  assert.equal(strayVariables([...settings.map(variableOf), ...secrets, 'STACOSYS_HOOK_BUILDS']), '');
});

test('the command line warns of a misspelt variable, and keeps its value to itself', (t) => {
  const site = hugoSite(t);
  const db = databaseWith(t, comments('/a/', 1));
  const env = { STACOSYS_NOTIFI_TOKEN: 'a-secret' };
  const { status, stdout, stderr } = run(site, ['bake', '--db', db], { env });
  assert.equal(status, 0);
  assert.match(stderr, /^[^\n]*STACOSYS_NOTIFI_TOKEN \(did you mean STACOSYS_NOTIFY_TOKEN\?\)\n$/);
  assert.doesNotMatch(stdout + stderr, /a-secret/);
  assert.equal(run(site, ['bake', '--db', db, '--quiet'], { env }).stderr, '');
});

test('a misspelt STACOSYS_DB is told before the failure that it causes, but not in its JSON', (t) => {
  const site = hugoSite(t);
  const env = { STACOSYS_BD: 'db.sqlite' };
  const { status, stderr } = run(site, ['bake'], { env });
  assert.equal(status, 2);
  assert.match(stderr, /^[^\n]*STACOSYS_BD \(did you mean STACOSYS_DB\?\)\nNo database is named\n/);
  assert.equal(JSON.parse(run(site, ['bake', '--json'], { env }).stderr).error, 'No database is named');
});
