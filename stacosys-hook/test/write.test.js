import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { remove, write } from '../src/write.js';
import { asOrdinaryUser, failureOf, handOver, temporaryFolder } from './database.js';

const TEXTS = ['a', 'b'].map((letter) => `${letter.repeat(1_000_000)}\n`);
const isWhole = (/** @type {string} */ text) => TEXTS.includes(text);

/** The other processes of the tests below run this file too. */
if (process.argv[2] === 'read') readUntilTold(String(process.argv[3]));
else if (process.argv[2] === 'write') writeMany(String(process.argv[3]));
else tests();

/** @param {string} file */
function readUntilTold(file) {
  let reads = 0;
  let torn = 0;
  let isEnough = false;
  process.on('message', () => (isEnough = true));
  const again = () => {
    reads += 1;
    if (!isWhole(readFileSync(file, 'utf8'))) torn += 1;
    if (reads === 1) process.send?.('reading');
    if (!isEnough) return setImmediate(again);
    process.send?.({ reads, torn }, () => process.disconnect());
  };
  again();
}

/** @param {string} file */
function writeMany(file) {
  for (let i = 0; i < 100; i += 1) write(file, String(TEXTS[i % 2]));
}

/**
 * @param {import('node:test').TestContext} t
 * @param {'read' | 'write'} role
 * @param {string} file
 */
function inAnotherProcess(t, role, file) {
  const child = fork(fileURLToPath(import.meta.url), [role, file]);
  t.after(() => child.kill('SIGKILL'));
  return child;
}

function tests() {
  test('a new file gets its folders and its bytes, and nothing stays beside it', (t) => {
    const folder = temporaryFolder(t);
    const file = join(folder, 'data', 'stacosys', 'counts.json');
    assert.equal(write(file, '{"/é/": 1}\n'), true);
    assert.equal(readFileSync(file, 'utf8'), '{"/é/": 1}\n');
    assert.deepEqual(readdirSync(join(folder, 'data', 'stacosys')), ['counts.json']);
  });

  test('a file of the same bytes is not touched', (t) => {
    const file = join(temporaryFolder(t), 'counts.json');
    write(file, 'same\n');
    const { ino, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    assert.equal(write(file, 'same\n'), false);
    const after = statSync(file, { bigint: true });
    assert.deepEqual([after.ino, after.mtimeNs, after.ctimeNs], [ino, mtimeNs, ctimeNs]);
  });

  test('other bytes replace the file, shorter ones and none too', (t) => {
    const file = join(temporaryFolder(t), 'counts.json');
    for (const text of ['long text\n', 'short\n', '']) {
      assert.equal(write(file, text), true);
      assert.equal(readFileSync(file, 'utf8'), text);
    }
  });

  test('the web server and the builder of the site may read the file', (t) => {
    const file = join(temporaryFolder(t), 'counts.json');
    const umask = process.umask(0o022);
    t.after(() => process.umask(umask));
    write(file, 'x\n');
    assert.equal(statSync(file).mode & 0o777, 0o644);
  });

  test('what a killed run left behind does not matter', (t) => {
    const folder = temporaryFolder(t);
    const file = join(folder, 'counts.json');
    writeFileSync(join(folder, '.counts.json.tmp'), 'half');
    writeFileSync(join(folder, `.counts.json.${process.pid}.tmp`), 'a longer half');
    write(file, 'whole\n');
    assert.equal(readFileSync(file, 'utf8'), 'whole\n');
  });

  test('a reader sees the old bytes or the new ones, never a part', async (t) => {
    const file = join(temporaryFolder(t), 'counts.json');
    write(file, String(TEXTS[0]));
    const reader = inAnotherProcess(t, 'read', file);
    await once(reader, 'message');
    for (let i = 1; i <= 100; i += 1) write(file, String(TEXTS[i % 2]));
    const result = once(reader, 'message');
    reader.send('enough');
    const [{ reads, torn }] = await result;
    assert.equal(torn, 0, `${torn} of ${reads} reads saw a part`);
    assert.ok(reads > 1);
  });

  test('two writers at once do not spoil each other', async (t) => {
    const file = join(temporaryFolder(t), 'counts.json');
    write(file, String(TEXTS[0]));
    const reader = inAnotherProcess(t, 'read', file);
    await once(reader, 'message');
    const writers = [inAnotherProcess(t, 'write', file), inAnotherProcess(t, 'write', file)];
    const codes = await Promise.all(writers.map(async (writer) => (await once(writer, 'exit'))[0]));
    assert.deepEqual(codes, [0, 0]);
    const result = once(reader, 'message');
    reader.send('enough');
    const [{ torn }] = await result;
    assert.equal(torn, 0);
    assert.ok(isWhole(readFileSync(file, 'utf8')));
  });

  test('a folder that cannot be written keeps the old bytes and gets no other file', (t) => {
    const folder = join(temporaryFolder(t), 'data');
    const file = join(folder, 'counts.json');
    mkdirSync(folder);
    write(file, 'old\n');
    handOver(folder, 0o555);
    const error = failureOf(() => asOrdinaryUser(() => write(file, 'new\n')));
    assert.match(error.message, /^Cannot write .*counts\.json: EACCES/);
    assert.equal(readFileSync(file, 'utf8'), 'old\n');
    assert.deepEqual(readdirSync(folder), ['counts.json']);
  });

  test('the same bytes in a folder that cannot be written are no failure', (t) => {
    const folder = join(temporaryFolder(t), 'data');
    const file = join(folder, 'counts.json');
    write(file, 'old\n');
    handOver(folder, 0o555);
    assert.equal(
      asOrdinaryUser(() => write(file, 'old\n')),
      false,
    );
  });

  test('a folder in the place of the file is a failure that leaves it alone', (t) => {
    const folder = temporaryFolder(t);
    const file = join(folder, 'counts.json');
    mkdirSync(file);
    writeFileSync(join(file, 'mine'), 'mine');
    failureOf(() => write(file, 'new\n'));
    assert.deepEqual(readdirSync(folder), ['counts.json']);
    assert.equal(readFileSync(join(file, 'mine'), 'utf8'), 'mine');
  });

  test('a file in the place of the folder is a failure that leaves it alone', (t) => {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 'data'), 'mine');
    failureOf(() => write(join(folder, 'data', 'counts.json'), 'new\n'));
    assert.equal(readFileSync(join(folder, 'data'), 'utf8'), 'mine');
  });

  test('a file is removed once', (t) => {
    const file = join(temporaryFolder(t), 'spellings.json');
    write(file, '{}\n');
    assert.equal(remove(file), true);
    assert.equal(existsSync(file), false);
    assert.equal(remove(file), false);
  });
}
