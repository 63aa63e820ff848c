import assert from 'node:assert/strict';
import {
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeManifest } from '../src/manifest.js';
import {
  currentRelease,
  listReleases,
  partialPath,
  prune,
  publish,
  releaseName,
  releasesFolder,
  rollback,
  sweep,
} from '../src/releases.js';
import { asOrdinaryUser, failureOf, handOver, temporaryFolder } from './database.js';

/** @param {number} second */
function nameAt(second) {
  return releaseName(new Date(Date.UTC(2026, 10, 21, 15, 0, second)), 'abcdef0123456789');
}

/**
 * @param {import('node:test').TestContext} t
 * @param {number} releases
 * @returns {{folder: string, names: string[]}} the oldest first; the last one is live
 */
function published(t, releases) {
  const folder = temporaryFolder(t);
  const names = Array.from({ length: releases }, (_, second) => nameAt(second));
  for (const name of names) {
    mkdirSync(join(releasesFolder(folder), name), { recursive: true });
    writeFileSync(join(releasesFolder(folder), name, 'index.html'), name);
    writeManifest(folder, name, { pages: 1, data: '', assets: [] });
    publish(folder, name);
  }
  return { folder, names };
}

/** @param {string} folder */
const shown = (folder) => readFileSync(join(folder, 'current', 'index.html'), 'utf8');

test('the names of releases sort by time, to the millisecond', () => {
  const times = [0, 1, 999, 1000, 60_000, 86_400_000].map((ms) => new Date(Date.UTC(2026, 0, 9) + ms));
  const names = times.map((time) => releaseName(time, 'ffff0000ffff'));
  assert.deepEqual(names.toSorted(), names);
  assert.equal(names[2], '20260109T000000.999Z-ffff0000');
});

test('a release that is published is what `current` shows, by a relative link', (t) => {
  const { folder, names } = published(t, 2);
  assert.equal(shown(folder), names[1]);
  assert.equal(readlinkSync(join(folder, 'current')), `releases/${names[1]}`);
  assert.equal(currentRelease(folder), names[1]);
  assert.deepEqual(readdirSync(folder).sort(), ['.lock', 'current', 'releases']);
});

test('without a name, rollback goes back one release after the other', (t) => {
  const { folder, names } = published(t, 3);
  assert.deepEqual(rollback(folder), { from: names[2], to: names[1] });
  assert.deepEqual(rollback(folder), { from: names[1], to: names[0] });
  assert.equal(shown(folder), names[0]);
  assert.match(failureOf(() => rollback(folder)).message, /^There is no release before /);
  assert.equal(shown(folder), names[0]);
});

test('rollback goes to the release that is named, forward too, and by its beginning', (t) => {
  const { folder, names } = published(t, 3);
  rollback(folder, names[0]);
  assert.equal(shown(folder), names[0]);
  rollback(folder, '20261121T150002');
  assert.equal(shown(folder), names[2]);
  for (const wanted of ['20261121', 'nothing', '../releases', '', `${names[1]}.partial`]) {
    assert.match(failureOf(() => rollback(folder, wanted)).message, /^There is no release /, wanted);
  }
  assert.equal(shown(folder), names[2]);
});

test('a release that does not exist is not published', (t) => {
  const { folder, names } = published(t, 1);
  assert.match(failureOf(() => publish(folder, nameAt(30))).message, /^There is no release /);
  assert.equal(shown(folder), names[0]);
});

test('a `current` that is somebody else’s is not replaced', (t) => {
  /** @type {((link: string) => void)[]} */
  const others = [
    (link) => mkdirSync(link),
    (link) => writeFileSync(link, 'mine'),
    (link) => symlinkSync('/var/www/html', link),
    (link) => symlinkSync('releases/../../elsewhere', link),
  ];
  for (const make of others) {
    const folder = temporaryFolder(t);
    mkdirSync(join(releasesFolder(folder), nameAt(1)), { recursive: true });
    make(join(folder, 'current'));
    assert.match(failureOf(() => publish(folder, nameAt(1))).message, /current is not a link to a release$/);
  }
});

test('the newest releases stay, and what is older goes with its manifest', async (t) => {
  const { folder, names } = published(t, 8);
  assert.deepEqual(await prune(folder, 5, null), []);
  assert.deepEqual(listReleases(folder), names.slice(3));
  const entries = names.slice(3).flatMap((name) => [`.${name}.json`, name]);
  assert.deepEqual(readdirSync(releasesFolder(folder)).sort(), entries.sort());
});

test('after a rollback, the live release and the one before it stay, however old', async (t) => {
  const { folder, names } = published(t, 8);
  rollback(folder, names[1]);
  await prune(folder, 2, String(names[3]));
  assert.deepEqual(
    listReleases(folder),
    [0, 1, 3, 6, 7].map((index) => names[index]),
    'and what was live until now',
  );
  assert.equal(shown(folder), names[1]);
});

test('what a crash left is swept, and nothing else', async (t) => {
  const { folder, names } = published(t, 1);
  for (const entry of [`${nameAt(9)}.partial`, 'backup', 'notes.partial']) {
    mkdirSync(join(releasesFolder(folder), entry, 'deep'), { recursive: true });
  }
  writeFileSync(join(releasesFolder(folder), `.${nameAt(9)}.json`), '{}');
  await sweep(folder);
  assert.deepEqual(
    readdirSync(releasesFolder(folder)).sort(),
    [`.${names[0]}.json`, names[0], 'backup', 'notes.partial'].sort(),
  );
});

test('a folder of releases that is not there yet is empty', async (t) => {
  const folder = join(temporaryFolder(t), 'none');
  assert.deepEqual([listReleases(folder), currentRelease(folder)], [[], null]);
  await sweep(folder);
  assert.equal(partialPath('/srv', 'x'), '/srv/releases/x.partial');
});

test('where the folder cannot be written, the live release stays', (t) => {
  const { folder, names } = published(t, 2);
  handOver(join(folder, '.lock'), 0o644);
  handOver(folder, 0o555);
  const failure = failureOf(() => asOrdinaryUser(() => rollback(folder)));
  assert.match(failure.message, /^Cannot (lock|publish in) /);
  assert.equal(shown(folder), names[1]);
});

test('only a folder is a release, and a link that leads nowhere shows none', (t) => {
  const { folder, names } = published(t, 1);
  writeFileSync(join(releasesFolder(folder), nameAt(8)), 'a file');
  symlinkSync('/', join(releasesFolder(folder), nameAt(9)));
  assert.deepEqual(listReleases(folder), names);
  rmSync(releasesFolder(folder), { recursive: true });
  assert.equal(currentRelease(folder), null);
});

test('a link that a crash left is gone after the next publish', (t) => {
  const { folder, names } = published(t, 1);
  symlinkSync('releases/x', join(folder, '.current.0123456789ab'));
  publish(folder, String(names[0]));
  assert.deepEqual(readdirSync(folder).sort(), ['.lock', 'current', 'releases']);
});
