import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { bake, countsByUrl } from '../src/bake.js';
import { chooseSite, openSource } from '../src/source.js';
import {
  asOrdinaryUser,
  bytesIn,
  comments,
  databaseWith,
  edit,
  failureOf,
  fixture,
  handOver,
  openElsewhere,
  temporaryFolder,
  writeDatabase,
} from './database.js';

/**
 * Reads everything and checks that neither the database nor what lies beside it changes,
 * while it is open and afterwards.
 *
 * @param {string} file
 * @param {{busyTimeout?: number, site?: string}} [options]
 */
function read(file, { busyTimeout, site } = {}) {
  const before = bytesIn(dirname(file));
  const source = openSource(file, { busyTimeout });
  try {
    const chosen = chooseSite(source, site);
    const { lines, urls, comments, pending, lockMilliseconds } = source.count(chosen?.id);
    const found = countsByUrl(lines);
    assert.deepEqual([found.length, total(found)], [urls, comments]);
    assert.deepEqual(pathsIn(dirname(file)), Object.keys(before));
    assert.ok(lockMilliseconds >= 0);
    const { generation, journal, sites } = source;
    return { countsByUrl: found, pending, generation, journal, sites, site: chosen?.name };
  } finally {
    source.close();
    assert.deepEqual(bytesIn(dirname(file)), before);
  }
}

/**
 * Checks that reading fails with a message and an advice, and changes nothing.
 *
 * @param {string} file
 * @param {RegExp} message
 * @param {RegExp} [advice]
 * @param {{busyTimeout?: number, site?: string}} [options]
 */
function refuses(file, message, advice = /./, options = {}) {
  const before = bytesIn(dirname(file));
  const error = failureOf(() => read(file, options));
  assert.match(error.message, message);
  assert.match(error.advice, advice);
  assert.ok(error.message.includes(file), `${error.message} names ${file}`);
  assert.equal(error.exitCode, 1);
  assert.deepEqual(bytesIn(dirname(file)), before);
  return error;
}

/** @param {string} folder */
const pathsIn = (folder) =>
  readdirSync(folder)
    .map((name) => join(folder, name))
    .sort();

/** @param {Iterable<[string, number]>} counts */
const total = (counts) => [...counts].reduce((sum, [, published]) => sum + published, 0);

// Generations

const BLOG_2017 = { '/2017/hello/': 1, '/migration-du-blog-sous-pelican.html': 2 };

/** @type {[name: string, generation: string, site: string | undefined, counts: Record<string, number>, pending: number][]} */
const GENERATIONS = [
  ['gen-a-2015', '2015 to 2017', 'blog', BLOG_2017, 1],
  ['gen-b-2017', '2017 (July to December)', 'blog', BLOG_2017, 1],
  ['gen-c-1.1', '1.1 (2019)', 'blog', { '/2019/bilan-hébergement-2018/': 1, '/2019/hello/': 1 }, 1],
  ['gen-d-2.0', '2.0 to 3.2 (2021)', undefined, { '/2021/hello/': 2, '/2021/été/': 1 }, 1],
  [
    'gen-d-migrated',
    '2.0 to 3.2 (2021), migrated from 1.1',
    undefined,
    { '/2019/bilan-hébergement-2018/': 1, '/2019/hello/': 2, '/only-site2/': 1 },
    1,
  ],
  [
    'gen-f-3.4',
    '3.3 to 3.4 (2022 to 2024)',
    undefined,
    {
      ' ': 1,
      '/2019/bilan-h%C3%A9bergement-2018/': 1,
      '/2019/bilan-hébergement-2018/': 1,
      '/2024/bad/': 1,
      '/2024/hello': 1,
      '/2024/hello/': 10,
      '/2024/long/': 1,
      '/z/': 1,
      '2024/hello/': 1,
      'https://blog.example/2024/hello/?q=1#frag': 1,
    },
    303,
  ],
];

for (const [name, generation, site, counts, pending] of GENERATIONS) {
  test(`${name} is of the generation "${generation}" and gives its counts`, (t) => {
    const found = read(fixture(t, name), { site });
    assert.equal(found.generation, generation);
    assert.deepEqual(Object.fromEntries(found.countsByUrl), counts);
    assert.equal(found.pending, pending);
    assert.equal(found.journal, 'rollback journal');
    assert.equal(found.sites.length, site === undefined ? 0 : 2);
  });
}

test('an empty database of Stacosys holds no comment', (t) => {
  const { countsByUrl: counts, pending } = read(databaseWith(t, []));
  assert.deepEqual({ counts, pending }, { counts: [], pending: 0 });
});

test('a url with pending comments only has no count', (t) => {
  const { countsByUrl: counts, pending } = read(
    databaseWith(t, [{ url: '/a/', pending: true }, { url: '/b/' }]),
  );
  assert.deepEqual({ counts, pending }, { counts: [['/b/', 1]], pending: 1 });
});

// Several sites

const TOKENS = ['TOKEN1', 'TOKEN2', '9fb3fc042c572cb831005fd16186126765140fa2bd9bb2d4a28e47a9457dc26c'];

for (const name of ['gen-a-2015', 'gen-b-2017', 'gen-c-1.1']) {
  test(`${name} lists its sites, but no token, where none or a wrong one is chosen`, (t) => {
    const file = fixture(t, name);
    const failures = [
      refuses(
        file,
        /holds the comments of 2 sites: blog \(blog\.example\), blog2 \(other\.example\)$/,
        /--site/,
      ),
      refuses(file, /holds no site/, /blog \(blog\.example\), blog2 \(other\.example\)$/, { site: 'nope' }),
      refuses(file, /holds no site/, /./, { site: '' }),
      refuses(file, /holds no site/, /./, { site: 'TOKEN' }),
    ];
    for (const { message, advice } of failures) {
      for (const token of TOKENS) assert.ok(!`${message}${advice}`.includes(token));
    }
  });
}

test('a wrong --site is not printed, because it may be a token with a typing error', (t) => {
  const { message, advice } = refuses(fixture(t, 'gen-a-2015'), /holds no site/, /./, { site: 'TOKEN11' });
  assert.ok(!`${message}${advice}`.includes('TOKEN'));
});

/** @type {[how: string, site: string, name: string][]} */
const CHOICES = [
  ['name', 'blog2', 'blog2'],
  ['url', 'other.example', 'blog2'],
  ['url with https', 'https://other.example', 'blog2'],
  ['url with http and a slash', 'http://other.example/', 'blog2'],
  ['url in upper case', 'HTTPS://OTHER.EXAMPLE', 'blog2'],
  ['token', 'TOKEN2', 'blog2'],
  ['name of the other', 'blog', 'blog'],
  ['url of the other', 'https://blog.example/', 'blog'],
  ['token of the other', 'TOKEN1', 'blog'],
];

for (const [how, site, name] of CHOICES) {
  test(`a site is chosen by its ${how}`, (t) => {
    assert.equal(read(fixture(t, 'gen-a-2015'), { site }).site, name);
  });
}

test('a site is found where its url is stored with a scheme', (t) => {
  const file = fixture(t, 'gen-a-2015');
  edit(file, (database) =>
    database.exec("UPDATE site SET url = 'https://blog.example/' WHERE name = 'blog'"),
  );
  assert.equal(read(file, { site: 'blog.example' }).site, 'blog');
});

test('comments of two sites on one url are never mixed', (t) => {
  const file = fixture(t, 'gen-c-1.1');
  assert.deepEqual(Object.fromEntries(read(file, { site: 'blog2' }).countsByUrl), {
    '/2019/hello/': 1,
    '/only-site2/': 1,
  });
  assert.equal(read(file, { site: 'blog2' }).pending, 0);
  assert.deepEqual(Object.fromEntries(read(file, { site: 'blog' }).countsByUrl), {
    '/2019/bilan-hébergement-2018/': 1,
    '/2019/hello/': 1,
  });
});

test('the pending comments are those of the site, not of the database', (t) => {
  const file = fixture(t, 'gen-c-1.1');
  edit(file, (database) => {
    database.exec("UPDATE comment SET published = NULL WHERE site_id = 2 OR url = '/2019/hello/'");
  });
  const [blog, blog2] = ['blog', 'blog2'].map((site) => read(file, { site }));
  assert.deepEqual([blog?.pending, blog?.countsByUrl], [2, [['/2019/bilan-hébergement-2018/', 1]]]);
  assert.deepEqual([blog2?.pending, blog2?.countsByUrl], [2, []]);
});

test('the only site of an old database needs no choice', (t) => {
  const file = fixture(t, 'gen-c-1.1');
  edit(file, (database) => {
    database.exec("DELETE FROM comment WHERE site_id = 2; DELETE FROM site WHERE name = 'blog2'");
  });
  const { site, countsByUrl: counts } = read(file);
  assert.deepEqual([site, total(counts)], ['blog', 2]);
});

for (const name of ['gen-a-2015', 'gen-b-2017', 'gen-c-1.1']) {
  test(`${name} without a row in its table of sites gives no counts, which would be mixed`, (t) => {
    const file = fixture(t, name);
    edit(file, (database) => database.exec('PRAGMA foreign_keys = OFF; DELETE FROM site'));
    refuses(file, /its table "site" is empty$/, /backup/);
    refuses(file, /its table "site" is empty$/, /backup/, { site: 'blog' });
  });
}

test('the name of a site cannot send an escape sequence to the terminal', (t) => {
  const file = fixture(t, 'gen-a-2015');
  edit(file, (database) => {
    database.prepare('UPDATE site SET name = ? WHERE id = 1').run('\x1b[31mblog\nsecond line\x9b');
  });
  assert.ok(refuses(file, /2 sites/).message.includes('\\u{1b}[31mblog\\u{a}second line\\u{9b}'));
});

// Files that are no database

test('a missing database is said to be missing and stays so', (t) => {
  const file = join(temporaryFolder(t), 'db.sqlite');
  refuses(file, /^There is no database/, /config\.ini/);
  refuses(join(dirname(file), 'none', 'db.sqlite'), /^There is no database/);
});

test('a link that leads nowhere is a missing database', (t) => {
  const folder = temporaryFolder(t);
  symlinkSync(join(folder, 'none'), join(folder, 'db.sqlite'));
  refuses(join(folder, 'db.sqlite'), /^There is no database/);
});

test('links that lead in a circle are a failure', (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'db.sqlite');
  symlinkSync(file, join(folder, 'other'));
  symlinkSync(join(folder, 'other'), file);
  refuses(file, /^Cannot open .*ELOOP/);
});

test('a link to a database is as good as the database', (t) => {
  const file = databaseWith(t, comments('/a/', 2));
  const link = join(temporaryFolder(t), 'link.sqlite');
  symlinkSync(file, link);
  assert.deepEqual(read(link).countsByUrl, [['/a/', 2]]);
});

test('a folder is said to be a folder', (t) => {
  const folder = join(temporaryFolder(t), 'db');
  mkdirSync(folder);
  refuses(folder, /is a folder/, /--db .*db\.sqlite/);
});

test('a file without read permission is told from a missing one', (t) => {
  const file = databaseWith(t, comments('/a/', 1));
  handOver(file, 0o000);
  const error = failureOf(() => asOrdinaryUser(() => openSource(file)));
  assert.match(error.message, /^No permission to read/);
  assert.match(error.advice, /user who runs Stacosys/);
});

test('a folder that may not be entered is a missing permission too', (t) => {
  const folder = join(temporaryFolder(t), 'stacosys');
  mkdirSync(folder);
  const file = writeDatabase(join(folder, 'db.sqlite'), comments('/a/', 1));
  handOver(folder, 0o600);
  const error = failureOf(() => asOrdinaryUser(() => openSource(file)));
  assert.match(error.message, /^No permission to read/);
});

test('read permission is enough: neither the file nor its folder need to be writable', (t) => {
  const file = databaseWith(t, comments('/a/', 2));
  handOver(file, 0o444);
  handOver(dirname(file), 0o555);
  assert.deepEqual(asOrdinaryUser(() => read(file)).countsByUrl, [['/a/', 2]]);
});

test('an empty file is said to be empty and stays so', (t) => {
  const file = join(temporaryFolder(t), 'db.sqlite');
  writeFileSync(file, '');
  refuses(file, /is empty/);
  assert.equal(statSync(file).size, 0);
});

for (const [what, text] of [
  ['of text', 'This is no database.\n'.repeat(500)],
  ['shorter than the header', 'hi'],
  ['that begins like one in another spelling', `SQLite format 2\0${'x'.repeat(5000)}`],
]) {
  test(`a file ${what} is not a database`, (t) => {
    const file = join(temporaryFolder(t), 'db.sqlite');
    writeFileSync(file, String(text));
    refuses(file, /is not a SQLite database/, /config\.ini/);
  });
}

test('a file that has nothing but the first bytes of a database is refused', (t) => {
  const file = join(temporaryFolder(t), 'db.sqlite');
  writeFileSync(file, 'SQLite format 3\0');
  refuses(file, /is not a SQLite database|is damaged or cut short/);
  writeFileSync(file, `SQLite format 3\0${'x'.repeat(5000)}`);
  refuses(file, /is not a SQLite database|is damaged or cut short/);
});

// Damage

/** @param {import('node:test').TestContext} t */
function bigDatabase(t) {
  const urls = Array.from({ length: 3000 }, (_, n) => ({ url: `/2024/article-${n}/` }));
  const file = databaseWith(t, urls);
  assert.ok(statSync(file).size > 20 * 4096);
  return file;
}

test('a database that is cut short anywhere is refused', (t) => {
  const file = bigDatabase(t);
  const whole = readFileSync(file);
  for (const size of [
    50,
    100,
    511,
    1000,
    4096,
    4097,
    8192,
    Math.floor(whole.length / 2),
    whole.length - 4096,
    whole.length - 2000,
    whole.length - 1,
  ]) {
    writeFileSync(file, whole);
    truncateSync(file, size);
    refuses(file, /is damaged or cut short/, /backup/);
  }
});

for (const [what, byte] of /** @type {[string, number][]} */ ([
  ['zeros', 0],
  ['garbage', 0xa5],
])) {
  test(`a database with ${what} in the place of a page in its middle is refused`, (t) => {
    const file = bigDatabase(t);
    const bytes = readFileSync(file);
    const start = 4096 * Math.floor(bytes.length / 4096 / 2);
    writeFileSync(file, bytes.fill(byte, start, start + 4096));
    refuses(file, /is damaged or cut short/, /backup/);
  });
}

test('a damaged table of tables is refused', (t) => {
  const file = bigDatabase(t);
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xa5, 100, 4096));
  refuses(file, /is damaged or cut short/);
});

// Other databases

test('a database of another program is said to have no table "comment"', (t) => {
  const file = join(temporaryFolder(t), 'db.sqlite');
  edit(file, (database) => database.exec('CREATE TABLE bookmark (url TEXT)'));
  refuses(file, /has no table "comment"/, /config\.ini/);
});

for (const column of ['url', 'published']) {
  test(`a table without the column "${column}" is refused by its name`, (t) => {
    const file = databaseWith(t, comments('/a/', 1));
    edit(file, (database) => database.exec(`ALTER TABLE comment RENAME COLUMN ${column} TO other`));
    refuses(file, new RegExp(`the table "comment" lacks "${column}"`));
  });
}

for (const column of ['id', 'name', 'url', 'token']) {
  test(`a table of sites without the column "${column}" is refused by its name`, (t) => {
    const file = fixture(t, 'gen-a-2015');
    edit(file, (database) => database.exec(`ALTER TABLE site RENAME COLUMN ${column} TO other`));
    refuses(file, new RegExp(`the table "site" lacks "${column}"`));
  });
}

test('a database of several sites without its table of sites is refused', (t) => {
  const file = fixture(t, 'gen-a-2015');
  edit(file, (database) => {
    database.pragma('foreign_keys = OFF');
    database.exec('DROP TABLE site');
  });
  refuses(file, /the table "site" lacks/);
});

// Locks

test('a database that stays locked is given up after the busy timeout', async (t) => {
  const file = databaseWith(t, comments('/a/', 1));
  const other = await openElsewhere(t, file);
  await other.exec('BEGIN EXCLUSIVE');
  const started = performance.now();
  refuses(file, /stayed locked for more than 0\.15 s/, /again/, { busyTimeout: 150 });
  assert.ok(performance.now() - started >= 150);
});

test('a lock that goes away within the busy timeout is waited for', async (t) => {
  const file = databaseWith(t, comments('/a/', 1));
  const other = await openElsewhere(t, file);
  await other.exec("BEGIN EXCLUSIVE; UPDATE comment SET url = '/b/'");
  failureOf(() => openSource(file, { busyTimeout: 0 }));
  const released = other.exec(`
    WITH RECURSIVE work(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM work WHERE n < 1000000)
    SELECT count(*) FROM work;
    COMMIT`);
  const source = openSource(file, { busyTimeout: 60_000 });
  assert.deepEqual(countsByUrl(source.count().lines), [['/b/', 1]]);
  source.close();
  await released;
});

test('a change that is not yet committed is not seen and does not lock', async (t) => {
  const file = databaseWith(t, comments('/a/', 1));
  const other = await openElsewhere(t, file);
  await other.exec("BEGIN IMMEDIATE; UPDATE comment SET url = '/b/'");
  assert.ok(existsSync(`${file}-journal`));
  assert.deepEqual(read(file, { busyTimeout: 0 }).countsByUrl, [['/a/', 1]]);
});

test('an open source does not keep Stacosys from writing', async (t) => {
  const file = databaseWith(t, comments('/a/', 1));
  const source = openSource(file);
  t.after(() => source.close());
  assert.deepEqual(countsByUrl(source.count().lines), [['/a/', 1]]);
  const other = await openElsewhere(t, file);
  await other.exec("UPDATE comment SET url = '/b/'");
  assert.deepEqual(countsByUrl(source.count().lines), [['/b/', 1]]);
});

test('a writer that was killed in the middle of a change leaves a journal that only Stacosys may use', async (t) => {
  const file = bigDatabase(t);
  const before = readFileSync(file);
  const other = await openElsewhere(t, file);
  await other.exec("PRAGMA cache_size = 1; BEGIN; UPDATE comment SET url = url || 'x', content = url");
  await other.kill();
  assert.ok(statSync(`${file}-journal`).size > 512, 'the journal is hot');
  assert.ok(!readFileSync(file).equals(before), 'part of the change is in the database');
  const { advice } = refuses(file, /was left in the middle of a change by a crash/, /Start Stacosys once/);
  assert.ok(advice.includes(`do not delete ${file}-journal`));
});

test('the same database is read after Stacosys has repaired it', async (t) => {
  const file = bigDatabase(t);
  const other = await openElsewhere(t, file);
  await other.exec("PRAGMA cache_size = 1; BEGIN; UPDATE comment SET url = '/wrong/', content = url");
  await other.kill();
  edit(file, (database) => database.prepare('SELECT count(*) FROM comment').get());
  const { countsByUrl: counts } = read(file);
  assert.equal(total(counts), 3000);
  assert.ok(!counts.some(([url]) => url === '/wrong/'));
});

// WAL, where the owner switched it on

/**
 * @param {import('node:test').TestContext} t
 * @returns {string} a WAL database at rest
 */
function walDatabase(t) {
  const file = databaseWith(t, comments('/a/', 1));
  edit(file, (database) => database.pragma('journal_mode = WAL'));
  assert.deepEqual(readdirSync(dirname(file)), ['db.sqlite']);
  return file;
}

/**
 * @param {import('node:test').TestContext} t
 * @returns {Promise<{file: string, other: import('./database.js').OtherProcess}>} one with a live
 * writer, whose last comment stands in the -wal file only
 */
async function liveWalDatabase(t) {
  const file = walDatabase(t);
  const other = await openElsewhere(t, file);
  await other.exec("UPDATE comment SET url = '/b/'");
  assert.deepEqual(readdirSync(dirname(file)), ['db.sqlite', 'db.sqlite-shm', 'db.sqlite-wal']);
  return { file, other };
}

/**
 * @param {import('node:test').TestContext} t
 * @param {string} file
 * @param {string[]} suffixes
 * @returns {string} a copy of these files only
 */
function copyOf(t, file, suffixes) {
  const copy = join(temporaryFolder(t), 'db.sqlite');
  for (const suffix of suffixes) copyFileSync(`${file}${suffix}`, `${copy}${suffix}`);
  return copy;
}

test('a WAL database at rest is read, and no file appears beside it', (t) => {
  const { countsByUrl: counts, journal } = read(walDatabase(t));
  assert.deepEqual({ counts, journal }, { counts: [['/a/', 1]], journal: 'wal' });
});

test('a WAL database with a name that is odd in a URI is read', (t) => {
  const odd = join(temporaryFolder(t), 'é ?mode=rwc&x#%41.sqlite');
  copyFileSync(walDatabase(t), odd);
  assert.deepEqual(read(odd).countsByUrl, [['/a/', 1]]);
});

test('a WAL database with a live writer is read up to the last commit', async (t) => {
  const { file, other } = await liveWalDatabase(t);
  assert.deepEqual(read(file).countsByUrl, [['/b/', 1]]);
  await other.exec("BEGIN IMMEDIATE; UPDATE comment SET url = '/c/'");
  assert.deepEqual(read(file, { busyTimeout: 0 }).countsByUrl, [['/b/', 1]]);
  await other.exec('COMMIT');
  assert.deepEqual(read(file).countsByUrl, [['/c/', 1]]);
});

test('a live WAL database is read by a user who may write nothing there', async (t) => {
  const { file } = await liveWalDatabase(t);
  for (const suffix of ['', '-wal', '-shm']) handOver(`${file}${suffix}`, 0o444);
  handOver(dirname(file), 0o555);
  assert.deepEqual(asOrdinaryUser(() => read(file)).countsByUrl, [['/b/', 1]]);
});

test('a link to a live WAL database sees the last commit too', async (t) => {
  const { file } = await liveWalDatabase(t);
  const link = join(temporaryFolder(t), 'link.sqlite');
  symlinkSync(file, link);
  assert.deepEqual(read(link).countsByUrl, [['/b/', 1]]);
  assert.deepEqual(readdirSync(dirname(file)), ['db.sqlite', 'db.sqlite-shm', 'db.sqlite-wal']);
});

test('what a killed writer left in the WAL is read, and left as it is', async (t) => {
  const { file, other } = await liveWalDatabase(t);
  await other.kill();
  assert.deepEqual(read(file).countsByUrl, [['/b/', 1]]);
});

test('a -wal file without its -shm file is left to Stacosys', async (t) => {
  const { file } = await liveWalDatabase(t);
  const copy = copyOf(t, file, ['', '-wal']);
  const { advice } = refuses(copy, /was left in the middle of a change by a crash/, /Start Stacosys once/);
  assert.ok(advice.includes(`do not delete ${copy}-wal`));
});

test('an empty -wal file, alone or with its -shm file, holds nothing to miss', async (t) => {
  const { file, other } = await liveWalDatabase(t);
  await other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  assert.equal(statSync(`${file}-wal`).size, 0);
  assert.deepEqual(read(copyOf(t, file, ['', '-wal'])).countsByUrl, [['/b/', 1]]);
  assert.deepEqual(read(copyOf(t, file, ['', '-wal', '-shm'])).countsByUrl, [['/b/', 1]]);
});

test('a -shm file without its -wal file makes no -wal file appear', async (t) => {
  const { file, other } = await liveWalDatabase(t);
  await other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  assert.deepEqual(read(copyOf(t, file, ['', '-shm'])).countsByUrl, [['/b/', 1]]);
});

test('a WAL database at rest that wakes up while it is read gives no count', async (t) => {
  const file = walDatabase(t);
  const source = openSource(file);
  t.after(() => source.close());
  const other = await openElsewhere(t, file);
  await other.exec("UPDATE comment SET url = '/b/'");
  assert.match(failureOf(() => source.count()).message, /was changed while it was read/);
});

// Odd values

test('a url that is NULL, empty or blank is counted, not lost', (t) => {
  const odd = [null, null, '', '', '', ' '].map((url) => ({ url }));
  const { countsByUrl: counts } = read(databaseWith(t, odd));
  assert.equal(total(counts), 6);
  assert.deepEqual([...new Set(counts.map(([url]) => url.trim()))], ['']);
});

test('a url that is a blob counts like the text of its bytes', (t) => {
  const { countsByUrl: counts } = read(
    databaseWith(t, [{ url: '/a/' }, { url: Buffer.from('/a/') }, { url: '/a/' }]),
  );
  assert.equal(total(counts), 3);
  assert.deepEqual([...new Set(counts.map(([url]) => url.trim()))], ['/a/']);
});

test('text and blob, NULL and nothing are one key each, though no line comes twice', (t) => {
  const text = ['/a/', '/a/', '/b/', '', ''].map((url) => ({ url }));
  const blobs = ['/a/', '/c/'].map((url) => ({ url: Buffer.from(url) }));
  const source = openSource(databaseWith(t, [...text, ...blobs, { url: null }]));
  t.after(() => source.close());
  const { lines, urls } = source.count();
  const all = lines.split('\n').filter(Boolean);
  assert.equal(all.length, urls);
  assert.equal(new Set(all.map((line) => line.replace(/: \d+,$/, ''))).size, urls, lines);
  const { counts, pages, merged, blank } = bake({ lines, urls });
  assert.equal(counts.toString(), '{\n  "/a/": 3,\n  "/b/": 1,\n  "/c/": 1\n}\n');
  assert.deepEqual({ pages, merged, blank }, { pages: 3, merged: 1, blank: 3 });
});

test('urls that are no UTF-8 do not break the rest, nor each other', (t) => {
  const file = databaseWith(t, [{ url: '/a/' }]);
  edit(file, (database) => {
    for (const bytes of ['2f62ff2f', '2f62fe2f', '2f62c32f']) {
      database.exec(`INSERT INTO comment (url, created, published, author_name, author_site, content)
        VALUES (CAST(x'${bytes}' AS TEXT), '', '', '', '', '')`);
    }
  });
  const { countsByUrl: counts } = read(file);
  assert.equal(total(counts), 4);
  assert.ok(counts.some(([url, published]) => url === '/a/' && published === 1));
});

test('a NUL in a url does not cut it into another url', (t) => {
  const { countsByUrl: counts } = read(databaseWith(t, [{ url: '/a/\0b' }, { url: '/a/' }]));
  assert.deepEqual(Object.fromEntries(counts), { '/a/': 1, '/a/\0b': 1 });
});

test('a url of 300 KB is read whole', (t) => {
  const url = `/${'é'.repeat(150_000)}/`;
  assert.deepEqual(read(databaseWith(t, comments(url, 2))).countsByUrl, [[url, 2]]);
});

test('quotes, control characters and names of object properties are ordinary in a url', (t) => {
  const urls = [
    '__proto__',
    'constructor',
    '"',
    '\\',
    "'; DROP TABLE comment; --",
    '\x1b[31m',
    '\u2028',
    '2024',
  ];
  const { countsByUrl: counts } = read(
    databaseWith(
      t,
      urls.map((url) => ({ url })),
    ),
  );
  assert.deepEqual(counts.map(([url]) => url).sort(), urls.toSorted());
});

test('a url that looks like a number is text', (t) => {
  const file = databaseWith(t, [{ url: '10' }, { url: '010' }]);
  assert.deepEqual(Object.fromEntries(read(file).countsByUrl), { 10: 1, '010': 1 });
});

test('a comment whose date is the empty text is published, as Stacosys sees it', (t) => {
  const file = databaseWith(t, [{ url: '/a/', pending: true }]);
  edit(file, (database) => database.exec("UPDATE comment SET published = ''"));
  assert.deepEqual(read(file).countsByUrl, [['/a/', 1]]);
});
