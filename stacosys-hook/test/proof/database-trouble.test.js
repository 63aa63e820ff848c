/* Proof: whatever becomes of the database, the live site stays, and follows it again afterwards. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { edit, openElsewhere } from '../database.js';
import { blog, cleanBuild, moderateAnew, statesOf } from './blog.js';
import { assertWhole, bakedState, liveState, observe } from './live.js';
import { startService } from './service.js';
import { sized } from './soak.js';

/**
 * @typedef {import('./service.js').Service} Service
 *
 * @typedef {object} Patient
 * @property {string} file the database
 * @property {string} backup as it was at the start
 * @property {Service} service
 * @property {'delete' | 'wal'} journal mode
 * @property {import('node:test').TestContext} t
 *
 * @typedef {(patient: Patient) => unknown} Trouble and its end
 */

const BUSY_TIMEOUT = 300; // milliseconds

/** @type {Record<string, Trouble>} */
const TROUBLES = {
  'overwritten with something else': async ({ file, backup, service }) => {
    writeFileSync(file, 'no database '.repeat(1000));
    await isUnreadable(service, /is not a SQLite database|damaged/);
    copyFileSync(backup, file);
  },
  'cut short': async ({ file, backup, service }) => {
    truncateSync(file, Math.floor(statSync(file).size / 2) + 100);
    await isUnreadable(service, /damaged|cut short/);
    copyFileSync(backup, file);
  },
  emptied: async ({ file, backup, service }) => {
    truncateSync(file);
    await isUnreadable(service, /is empty|damaged|no such table/);
    copyFileSync(backup, file);
  },
  'moved away for a while': async ({ file, service }) => {
    renameSync(file, `${file}.away`);
    await isUnreadable(service, /There is no database/);
    moderateAnew({ database: `${file}.away` });
    renameSync(`${file}.away`, file);
  },
  'replaced by another file': async ({ file, backup, service }) => {
    renameSync(backup, file);
    await service.shows(String(statesOf({ database: file }).at(-1)));
  },
  'deleted and written anew': ({ file, backup }) => {
    rmSync(file);
    copyFileSync(backup, file);
  },
  vacuumed: ({ file }) => edit(file, (connection) => connection.exec('VACUUM')),
  'switched from one journal mode to the other and back': async ({ file, service }) => {
    for (let turn = 0; turn < 2; turn += 1) {
      edit(file, switchJournal);
      await service.shows(moderateAnew({ database: file }));
    }
  },
  'written by somebody who takes seconds': async ({ t, file }) => {
    const other = await openElsewhere(t, file);
    await other.exec('BEGIN EXCLUSIVE');
    await other.exec("DELETE FROM comment WHERE url = '/a/'");
    await pause(4 * BUSY_TIMEOUT);
    await other.exec('ROLLBACK');
  },
  'left in the middle of a change by a crash': async ({ t, file, service, journal }) => {
    const other = await openElsewhere(t, file);
    await other.exec('PRAGMA cache_size = 1');
    await other.exec('BEGIN IMMEDIATE');
    await other.exec("UPDATE comment SET content = content || 'more'");
    await other.kill();
    if (journal === 'delete') await isUnreadable(service, /left in the middle of a change/);
  },
};

/**
 * @param {Service} service
 * @param {RegExp} error
 */
async function isUnreadable(service, error) {
  const { level, advice } = await service.says('database unreadable', (entry) => error.test(entry.error));
  assert.equal(level, 'error');
  assert.match(advice, /\w/);
}

describe('the live site outlives a database that is', { concurrency: 4 }, () => {
  for (const [index, [trouble, happens]] of Object.entries(TROUBLES).entries()) {
    const journals = /** @type {const} */ (['delete', 'wal']);
    for (const journal of sized([journals[index % 2] ?? 'wal'], [...journals])) {
      test(`${trouble}, journal mode ${journal}`, async (t) => {
        const ours = blog(t, { journal });
        const file = ours.database;
        const service = startService(t, ours, { args: ['--busy-timeout', String(BUSY_TIMEOUT)] });
        await service.says('published');
        const end = observe(t, ours);
        const clean = cleanBuild(t, ours);
        const backup = join(dirname(file), 'backup.sqlite');
        copyFileSync(file, backup);
        for (let turn = 0; turn < 3; turn += 1) moderateAnew({ database: backup }); // other states than ours
        await service.shows(moderateAnew(ours));
        const states = statesOf(ours);
        await happens({ t, file, backup, service, journal });
        const state = moderateAnew(ours);
        await service.shows(state);
        states.push(...statesOf(ours));
        assert.deepEqual(
          end().filter((seen) => !states.includes(seen)),
          [],
          'states that never existed',
        );
        assert.equal(assertWhole(ours, clean, states), state);
        assert.equal(bakedState(ours), state);
      });
    }
  }
});

describe('the service can start before', { concurrency: 4 }, () => {
  test('the database', async (t) => {
    const ours = blog(t);
    renameSync(ours.database, `${ours.database}.away`);
    const service = startService(t, ours);
    await isUnreadable(service, /There is no database/);
    assert.equal(liveState(ours), null);
    renameSync(`${ours.database}.away`, ours.database);
    await service.shows(moderateAnew(ours));
  });

  test('the folder of the database', async (t) => {
    const ours = blog(t);
    const folder = dirname(ours.database);
    const service = startService(t, { ...ours, database: join(folder, 'later', 'db.sqlite') });
    await isUnreadable(service, /There is no database/);
    mkdirSync(join(folder, 'later'));
    renameSync(ours.database, join(folder, 'later', 'db.sqlite'));
    await service.shows(moderateAnew({ database: join(folder, 'later', 'db.sqlite') }));
  });

  test('whoever has locked the database lets go of it', async (t) => {
    const ours = blog(t);
    const other = await openElsewhere(t, ours.database);
    await other.exec('BEGIN EXCLUSIVE');
    const service = startService(t, ours, { args: ['--busy-timeout', String(BUSY_TIMEOUT)] });
    const { error, advice } = await service.says('build failed');
    assert.match(error, /stayed locked/);
    assert.match(advice, /\w/);
    await other.exec('COMMIT');
    await service.shows(moderateAnew(ours));
  });
});

/**
 * @param {import('better-sqlite3').Database} connection
 */
function switchJournal(connection) {
  const isWal = connection.pragma('journal_mode', { simple: true }) === 'wal';
  try {
    connection.pragma(`journal_mode = ${isWal ? 'delete' : 'wal'}`);
  } catch (error) {
    // Nobody leaves WAL while another connection is open, ours too: then he stays there
    assert.ok(isWal && Object(error).code === 'SQLITE_BUSY', String(error));
  }
}
