import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSecrets } from '../src/secrets.js';
import { failureOf, temporaryFolder } from './database.js';

const OLD = 'an old secret'.replaceAll(' ', '-').repeat(2);
const NEW = 'a new secret'.replaceAll(' ', '-').repeat(2);

test('without a secret there are none', () => {
  assert.deepEqual(readSecrets({}), { webhook: [], targets: [], notify: undefined, token: undefined });
});

test('secrets come from the environment, two of them during a rotation', () => {
  const { webhook, targets, notify, token } = readSecrets({
    STACOSYS_WEBHOOK_SECRET: ` ${NEW}\n${OLD} `,
    STACOSYS_NOTIFY: 'https://a.example/hooks/rebuild https://b.example/x?y=z',
    STACOSYS_NOTIFY_SECRET: OLD,
    STACOSYS_NOTIFY_TOKEN: 'token',
  });
  assert.deepEqual(webhook, [NEW, OLD]);
  assert.deepEqual(targets, ['https://a.example/hooks/rebuild', 'https://b.example/x?y=z']);
  assert.deepEqual([notify, token], [OLD, 'token']);
});

test('secrets come from files that the environment names, or that systemd hands over', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'webhook-secret'), `${NEW}\n${OLD}\n`);
  writeFileSync(join(folder, 'other'), `${OLD}\n`);
  assert.deepEqual(readSecrets({ CREDENTIALS_DIRECTORY: folder }).webhook, [NEW, OLD]);
  const named = { CREDENTIALS_DIRECTORY: folder, STACOSYS_WEBHOOK_SECRET_FILE: join(folder, 'other') };
  assert.deepEqual(readSecrets(named).webhook, [OLD]);
  assert.deepEqual(readSecrets({ ...named, STACOSYS_WEBHOOK_SECRET: NEW }).webhook, [NEW]);
});

test('a file that is named but missing, and a secret that is too short, are failures', (t) => {
  const file = join(temporaryFolder(t), 'none');
  const failure = failureOf(() => readSecrets({ STACOSYS_NOTIFY_SECRET_FILE: file }));
  assert.ok(failure.message.startsWith(`Cannot read ${file}: `));
  const weak = failureOf(() => readSecrets({ STACOSYS_WEBHOOK_SECRET: 'secret' }));
  assert.doesNotMatch(weak.message + weak.advice, /"secret"/);
});
