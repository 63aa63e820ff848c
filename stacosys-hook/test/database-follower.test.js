import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { followDatabase, mayPass } from '../src/database-follower.js';
import {
  asOrdinaryUser,
  comments,
  databaseWith,
  failureOf,
  openElsewhere,
  printableFailure,
  temporaryFolder,
  writeDatabase,
} from './database.js';

const PUBLISH = `INSERT INTO comment (url, created, published, author_name, author_site, content)
  VALUES ('/a/', '2024-01-01 12:00:00', '2024-01-01 12:00:00', 'Alice', '', 'Hello')`;

/**
 * @param {string} file
 * @param {number} [busyTimeout]
 * @param {() => number} [now]
 */
function follow(file, busyTimeout = 5000, now = undefined) {
  const follower = followDatabase(file, { busyTimeout, now });
  const count = async () => JSON.parse((await follower.read()).data.counts.toString())['/a/'];
  return { ...follower, count };
}

for (const mode of ['delete', 'truncate', 'persist', 'wal']) {
  test(`with journal_mode=${mode}, each commit of another process is a change, once`, async (t) => {
    const file = databaseWith(t, comments('/a/', 1));
    const stacosys = await openElsewhere(t, file);
    await stacosys.exec(`PRAGMA journal_mode=${mode}`);
    const { hasChanged, count } = follow(file);
    assert.ok(hasChanged(), 'before the first read');
    assert.equal(await count(), 1);
    assert.ok(!hasChanged());
    for (let published = 2; published < 6; published += 1) {
      await stacosys.exec(PUBLISH);
      assert.ok(hasChanged());
      assert.ok(hasChanged(), 'until it is read');
      assert.equal(await count(), published);
      assert.ok(!hasChanged());
    }
  });

  test(`with journal_mode=${mode}, writers that come and go are seen, and find the folder as they left it`, async (t) => {
    const file = databaseWith(t, comments('/a/', 1));
    const first = await openElsewhere(t, file);
    await first.exec(`PRAGMA journal_mode=${mode}`);
    await first.kill();
    const { hasChanged, count } = follow(file);
    assert.equal(await count(), 1);
    for (let published = 2; published < 5; published += 1) {
      const next = await openElsewhere(t, file);
      await next.exec(PUBLISH);
      assert.ok(hasChanged(), `commit ${published}`);
      assert.equal(await count(), published);
      await next.kill();
      assert.equal(await count(), published);
    }
  });
}

test('a database at rest in WAL mode gets no files of WAL by being followed', async (t) => {
  const file = databaseWith(t, comments('/a/', 1));
  const writer = await openElsewhere(t, file);
  await writer.exec('PRAGMA journal_mode=wal');
  await writer.exec(PUBLISH);
  await writer.exec('PRAGMA wal_checkpoint(truncate)');
  await writer.kill();
  for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  const { hasChanged, count } = follow(file);
  assert.equal(await count(), 2);
  for (let look = 0; look < 3; look += 1) assert.ok(!hasChanged());
  assert.deepEqual(readdirSync(dirname(file)), ['db.sqlite']);
});

test('a user who may only read follows a database in WAL mode, while its writers come and go', async (t) => {
  const file = databaseWith(t, comments('/a/', 1));
  const writer = await openElsewhere(t, file);
  await writer.exec(`PRAGMA journal_mode=wal; ${PUBLISH}`);
  const { hasChanged, read } = follow(file);
  const files = () => Object.entries(ownersIn(dirname(file)));
  asOrdinaryUser(() => assert.ok(hasChanged()));
  const before = files();
  assert.equal(before.length, 3);
  for (let published = 3; published < 6; published += 1) {
    const next = await openElsewhere(t, file);
    await next.exec(PUBLISH);
    await next.kill();
    asOrdinaryUser(() => assert.ok(hasChanged()));
    assert.equal((await read()).comments, published);
  }
  assert.deepEqual(files(), before, 'and makes no file of his own');
});

/** @param {string} folder */
function ownersIn(folder) {
  return Object.fromEntries(
    readdirSync(folder).map((name) => {
      const { uid, mode } = statSync(join(folder, name));
      return [name, `${uid} ${mode}`];
    }),
  );
}

test('an owner who changes the journal mode is followed, and no file is made for him', async (t) => {
  const file = databaseWith(t, comments('/a/', 1));
  const { hasChanged, count } = follow(file);
  assert.equal(await count(), 1);
  const writer = await openElsewhere(t, file);
  await writer.exec('PRAGMA journal_mode=wal');
  await writer.exec('PRAGMA wal_checkpoint(truncate)');
  await writer.kill();
  for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  hasChanged();
  assert.equal(await count(), 1);
  assert.deepEqual(readdirSync(dirname(file)), ['db.sqlite']);
  const back = await openElsewhere(t, file);
  await back.exec(`PRAGMA journal_mode=delete; ${PUBLISH}`);
  assert.ok(hasChanged());
  assert.equal(await count(), 2);
});

test('a file that was replaced, deleted or made anew is seen', async (t) => {
  const file = databaseWith(t, comments('/a/', 1));
  const { hasChanged, count } = follow(file);
  assert.equal(await count(), 1);
  const other = databaseWith(t, comments('/a/', 7));
  copyFileSync(other, `${file}.new`);
  renameSync(`${file}.new`, file);
  assert.ok(hasChanged(), 'replaced by rename');
  assert.equal(await count(), 7);
  rmSync(file);
  assert.match(failureOf(hasChanged).message, /^There is no database /);
  writeDatabase(file, comments('/a/', 9));
  assert.ok(hasChanged(), 'made anew');
  assert.equal(await count(), 9);
});

test('a database that is not there yet is followed as soon as it is', async (t) => {
  const file = join(temporaryFolder(t), 'later', 'db.sqlite');
  const { hasChanged, read, count } = follow(file);
  assert.match(failureOf(hasChanged).message, /^There is no database /);
  await assert.rejects(read(), /There is no database/);
  assert.ok(!existsSync(dirname(file)), 'and nothing was made');
  const made = databaseWith(t, comments('/a/', 2));
  const { hasChanged: sees, count: countMade } = follow(made);
  assert.ok(sees());
  assert.equal(await countMade(), 2);
  await assert.rejects(count(), /There is no database/);
});

test('a reader that finds the database locked waits without stopping the process', async (t) => {
  const file = databaseWith(t, comments('/a/', 1));
  const writer = await openElsewhere(t, file);
  const { count } = follow(file, 60_000);
  await writer.exec(`BEGIN EXCLUSIVE; ${PUBLISH}`);
  let isDone = false;
  const counting = count().finally(() => (isDone = true));
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(!isDone, 'it waits, and this process runs on');
  await writer.exec('COMMIT');
  assert.equal(await counting, 2);
});

test('a database that stays locked is a failure, and is read when it is free', async (t) => {
  const file = databaseWith(t, comments('/a/', 1));
  const writer = await openElsewhere(t, file);
  await writer.exec('BEGIN EXCLUSIVE');
  const { read, count } = follow(file, 100);
  const failure = printableFailure(await read().catch((error) => error));
  assert.match(failure.message, /stayed locked for more than 0\.1 s/);
  await writer.exec('COMMIT');
  assert.equal(await count(), 1);
});

test('a reader never keeps a writer waiting between two reads', async (t) => {
  const file = databaseWith(t, comments('/a/', 1));
  const writer = await openElsewhere(t, file); // its busy timeout is 0: any lock of ours would be an error
  const { hasChanged, count } = follow(file);
  for (let turn = 0; turn < 20; turn += 1) {
    hasChanged();
    await count();
    await writer.exec(PUBLISH);
  }
  assert.equal(await count(), 21);
});

test('a VACUUM is a change that changes no count', async (t) => {
  const file = databaseWith(t, comments('/a/', 3));
  const writer = await openElsewhere(t, file);
  const { hasChanged, read } = follow(file);
  const before = await read();
  await writer.exec('VACUUM');
  hasChanged();
  const after = await read();
  assert.ok(after.data.counts.equals(before.data.counts));
});

test('a file that is no database any more is a failure, until it is one again', async (t) => {
  const file = databaseWith(t, comments('/a/', 1));
  const copy = databaseWith(t, comments('/a/', 4));
  const { hasChanged, count } = follow(file);
  assert.equal(await count(), 1);
  writeFileSync(file, 'x'.repeat(8192));
  await assert.rejects(count(), /Failure/);
  copyFileSync(copy, file);
  assert.ok(hasChanged());
  assert.equal(await count(), 4);
});

test('an owner who ends takes the log of his WAL away, and may leave WAL, as if nobody followed', async (t) => {
  const file = databaseWith(t, comments('/a/', 1));
  const writer = await openElsewhere(t, file);
  await writer.exec(`PRAGMA journal_mode=wal; ${PUBLISH}`);
  const { hasChanged, count } = follow(file);
  assert.equal(await count(), 2);
  await writer.exec(PUBLISH);
  assert.ok(hasChanged());
  const back = await openElsewhere(t, file);
  await writer.close();
  await back.exec('PRAGMA journal_mode=delete');
  assert.deepEqual(readdirSync(dirname(file)), ['db.sqlite']);
  await back.exec(`PRAGMA journal_mode=wal; ${PUBLISH}`);
  assert.equal(await count(), 4);
  await back.close();
  assert.deepEqual(readdirSync(dirname(file)), ['db.sqlite']);
  assert.equal(await count(), 4);
});

test('a lock that outlasted a read is seen to end, though nothing was written', async (t) => {
  const file = databaseWith(t, comments('/a/', 1));
  const writer = await openElsewhere(t, file);
  const { hasChanged, read } = follow(file, 100);
  await writer.exec('BEGIN EXCLUSIVE');
  await assert.rejects(read(), /Failure/);
  assert.match(failureOf(hasChanged).message, /locked/);
  await writer.exec('ROLLBACK');
  assert.ok(hasChanged());
});

test('a failure is told only when it stays the same: -wal and -shm come and go one after the other', async (t) => {
  const file = databaseWith(t, comments('/a/', 1));
  let time = 0;
  const { hasChanged, count } = follow(file, undefined, () => time);
  assert.equal(await count(), 1);
  rmSync(file);
  assert.ok(mayPass(failureOf(hasChanged)));
  time = 499;
  assert.ok(mayPass(failureOf(hasChanged)), 'the writer may be held up');
  time = 500;
  assert.ok(!mayPass(failureOf(hasChanged)));
  writeFileSync(file, '');
  assert.ok(mayPass(failureOf(hasChanged)));
  rmSync(file);
  assert.ok(mayPass(failureOf(hasChanged)), 'what it was before is no better now');
  time = 1000;
  assert.ok(!mayPass(failureOf(hasChanged)));
});

test('a database emptied in place is a failure, and looked at again when it changes', async (t) => {
  const file = databaseWith(t, comments('/a/', 1));
  const copy = databaseWith(t, comments('/a/', 4));
  const { hasChanged, count } = follow(file);
  assert.equal(await count(), 1);
  truncateSync(file);
  assert.match(failureOf(hasChanged).message, /is empty/);
  await assert.rejects(count(), /is empty/);
  for (let look = 0; look < 3; look += 1) assert.ok(!hasChanged(), 'its reader tries again by himself');
  await assert.rejects(count(), /is empty/);
  copyFileSync(copy, file);
  assert.ok(hasChanged());
  assert.equal(await count(), 4);
});

test('a file cut short under an open WAL is a failure, though its version stays', async (t) => {
  const file = databaseWith(t, comments('/a/', 500));
  const writer = await openElsewhere(t, file);
  await writer.exec(`PRAGMA journal_mode=wal; ${PUBLISH}`);
  const { hasChanged, count } = follow(file);
  assert.equal(await count(), 501);
  truncateSync(file, 4096 + 100);
  assert.match(failureOf(hasChanged).message, /damaged or cut short/);
});

test('comments that wait are counted apart, and change no data', async (t) => {
  const file = databaseWith(t, comments('/a/', 2));
  const writer = await openElsewhere(t, file);
  const { read } = follow(file);
  const before = await read();
  await writer.exec(PUBLISH.replace("'2024-01-01 12:00:00', 'Alice'", "NULL, 'Alice'"));
  const after = await read();
  assert.deepEqual([before.comments, before.pending, before.pages], [2, 0, 1]);
  assert.deepEqual([after.comments, after.pending, after.pages], [2, 1, 1]);
  assert.ok(after.data.counts.equals(before.data.counts));
});
