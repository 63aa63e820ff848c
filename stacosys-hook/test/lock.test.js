import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { acquireLock } from '../src/lock.js';
import { asOrdinaryUser, failureOf, handOver, temporaryFolder } from './database.js';

/** The other process of the tests below runs this file too. */
if (process.argv[2] === 'lock') hold(String(process.argv[3]));
else tests();

/** @param {string} file */
function hold(file) {
  const lock = acquireLock(file);
  process.send?.(lock === null ? 'refused' : 'held');
  process.on('message', () => {
    lock?.release();
    process.send?.('released');
  });
}

/**
 * @param {import('node:test').TestContext} t
 * @param {string} file
 */
async function inAnotherProcess(t, file) {
  const child = fork(fileURLToPath(import.meta.url), ['lock', file]);
  t.after(() => child.kill('SIGKILL'));
  const [answer] = await once(child, 'message');
  return { child, answer };
}

function tests() {
  test('one process holds a lock, another one is refused', async (t) => {
    const file = join(temporaryFolder(t), 'state', 'service.lock');
    const { answer } = await inAnotherProcess(t, file);
    assert.equal(answer, 'held');
    assert.equal(acquireLock(file), null);
    assert.equal((await inAnotherProcess(t, file)).answer, 'refused');
  });

  test('a released lock can be taken', async (t) => {
    const file = join(temporaryFolder(t), 'service.lock');
    const { child } = await inAnotherProcess(t, file);
    child.send('release');
    await once(child, 'message');
    const lock = acquireLock(file);
    assert.ok(lock);
    assert.equal((await inAnotherProcess(t, file)).answer, 'refused');
    lock.release();
    assert.equal((await inAnotherProcess(t, file)).answer, 'held');
  });

  test('kill -9 of its holder sets a lock free', async (t) => {
    const file = join(temporaryFolder(t), 'service.lock');
    const { child } = await inAnotherProcess(t, file);
    assert.equal(acquireLock(file), null);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const lock = acquireLock(file);
    assert.ok(lock);
    lock.release();
  });

  test('a lock that is waited for comes when its holder ends', async (t) => {
    const file = join(temporaryFolder(t), 'service.lock');
    const { child } = await inAnotherProcess(t, file);
    child.send('release'); // it may be released before or while this process waits
    const lock = acquireLock(file, { wait: 30_000 });
    assert.ok(lock);
    lock.release();
  });

  test('the file stays empty, and nothing stays beside it', (t) => {
    const folder = temporaryFolder(t);
    const lock = acquireLock(join(folder, 'x.lock'));
    assert.ok(lock);
    lock.release();
    assert.equal(statSync(join(folder, 'x.lock')).size, 0);
  });

  test('a folder that cannot be written is a failure with an advice', (t) => {
    const folder = join(temporaryFolder(t), 'closed');
    mkdirSync(folder);
    handOver(folder, 0o555);
    const failure = failureOf(() => asOrdinaryUser(() => acquireLock(join(folder, 'x.lock'))));
    assert.match(failure.message, /^Cannot lock .*x\.lock: /);
  });
}
