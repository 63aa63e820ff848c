import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { resolveConfig } from '../src/config.js';
import { databasePlaces } from '../src/database-places.js';
import { findDatabases } from '../src/find-database.js';
import { lookAtDatabase } from '../src/look-at-database.js';
import {
  asOrdinaryUser,
  bytesIn,
  comments,
  handOver,
  printableFailure,
  temporaryFolder,
  writeDatabase,
} from './database.js';

test('the nearest folders come first, each once, with and without a home', () => {
  const places = databasePlaces('/home/u/blog', '/home/u');
  assert.deepEqual(places.slice(0, 4), [
    '/home/u/blog',
    '/home/u/blog/stacosys',
    '/home/u',
    '/home/u/stacosys',
  ]);
  assert.equal(new Set(places).size, places.length);
  assert.ok(databasePlaces('/srv/blog', '').every((place) => place.startsWith('/')));
});

test('looking for a database changes nothing', (t) => {
  const folder = temporaryFolder(t);
  writeDatabase(join(folder, 'db.sqlite'), comments('/a/', 1));
  writeFileSync(join(folder, 'config.ini'), '[main]\ndb = sqlite://none.sqlite\n');
  const before = bytesIn(folder);
  const { databases, refused } = findDatabases([folder, join(folder, 'missing'), join(folder, 'db.sqlite')]);
  assert.deepEqual(databases, [{ file: join(folder, 'db.sqlite') }]);
  assert.match(refused[0]?.message ?? '', /There is no database .*none\.sqlite/);
  assert.deepEqual(bytesIn(folder), before);
});

test('a FIFO, a folder or a huge file as config.ini does not hang it', (t) => {
  const folder = temporaryFolder(t);
  const places = ['fifo', 'folder', 'huge'].map((name) => join(folder, name));
  for (const place of places) mkdirSync(place);
  execFileSync('mkfifo', [join(folder, 'fifo', 'config.ini'), join(folder, 'fifo', 'db.sqlite')]);
  mkdirSync(join(folder, 'folder', 'config.ini'));
  const text = '[main]\ndb = sqlite://db.sqlite\n';
  writeFileSync(join(folder, 'huge', 'config.ini'), text + '#'.repeat(70_000));
  const { databases, refused } = findDatabases(places);
  assert.deepEqual(databases, []);
  assert.deepEqual(
    refused.map(({ message }) => message),
    [`${folder}/fifo/db.sqlite is not a regular file`],
  );
});

test('a database, or a folder, that may not be read is told of', (t) => {
  const folder = temporaryFolder(t);
  const [readable, closed] = [join(folder, 'readable'), join(folder, 'closed')];
  for (const place of [readable, closed]) mkdirSync(place);
  handOver(writeDatabase(join(readable, 'db.sqlite'), []), 0o000);
  handOver(closed, 0o000);
  const { databases, refused } = asOrdinaryUser(() => findDatabases([readable, closed]));
  assert.deepEqual(databases, []);
  const messages = refused.map((failure) => printableFailure(failure).message);
  assert.deepEqual(
    messages,
    [readable, closed].map((place) => `No permission to read ${place}/db.sqlite`),
  );
});

test('a database is taken with a warning of another one that may not be read', async (t) => {
  const blog = temporaryFolder(t);
  mkdirSync(join(blog, 'stacosys'));
  writeDatabase(join(blog, 'db.sqlite'), comments('/a/', 3));
  handOver(writeDatabase(join(blog, 'stacosys', 'db.sqlite'), []), 0o000);
  const config = await resolveConfig({}, {}, blog, { comments: true, seeks: true });
  const database = asOrdinaryUser(() => lookAtDatabase(config, ''));
  assert.deepEqual([database?.file, database?.comments], [join(blog, 'db.sqlite'), 3]);
  assert.deepEqual(database?.warnings, [`No permission to read ${blog}/stacosys/db.sqlite`]);
});
