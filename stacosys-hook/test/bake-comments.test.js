import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from './command-line.js';
import { bytesIn, databaseWith, edit, fixture, temporaryFolder } from './database.js';

/**
 * @typedef {import('node:test').TestContext} TestContext
 *
 * @typedef {object} Comment
 * @property {string | Buffer} [url]
 * @property {unknown} [published]
 * @property {string | Buffer} [author]
 * @property {string | Buffer} [site]
 * @property {string | Buffer | null} [avatar]
 * @property {string | Buffer} [content]
 */

const INSERT = `INSERT INTO comment (url, created, published, author_name, author_site, author_gravatar, content)
  VALUES (?, '2024-01-01 12:00:00', ?, ?, ?, ?, ?)`;

/**
 * @param {string} file
 * @param {Comment[]} comments
 */
function add(file, comments) {
  edit(file, (database) => {
    const insert = database.prepare(INSERT);
    for (const { url = '/a/', published = '2024-01-02 12:00:00', author = 'Alice', ...rest } of comments) {
      const { site = '', avatar = '', content = 'Hello' } = rest;
      insert.run(url, published, author, site, avatar, content);
    }
  });
}

/**
 * A Hugo site beside a database of these comments.
 *
 * @param {TestContext} t
 * @param {Comment[]} comments
 */
function blog(t, comments) {
  const db = databaseWith(t, []);
  add(db, comments);
  const site = temporaryFolder(t);
  writeFileSync(join(site, 'hugo.toml'), '[params.stacosys]\ncomments = "baked"\n');
  const bake = (/** @type {string[]} */ ...more) => run(site, ['bake', '--db', db, ...more]);
  return { db, site, bake };
}

/** @param {string} site */
function filesOf(site) {
  const folder = join(site, 'assets/stacosys/comments');
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

/**
 * @param {string} site
 * @param {string} key
 */
function commentsOf(site, key) {
  return fileOf(site, key).comments;
}

/**
 * @param {string} site
 * @param {string} key
 */
function fileOf(site, key) {
  const file = join(site, 'assets/stacosys/comments', `${hash('sha256', key)}.json`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * @param {string} site
 * @param {string} name
 */
function dataOf(site, name) {
  return JSON.parse(readFileSync(join(site, 'data/stacosys', `${name}.json`), 'utf8'));
}

test('a comment is baked with everything that a page shows of it, and nothing else', (t) => {
  const avatar = '0BC83CB571CD1C50BA6F3E8A78EF1346';
  const { site, bake } = blog(t, [
    { author: 'Zoé', site: 'https://zoe.example/', avatar, content: 'Hi **you**' },
  ]);
  const { status, stdout } = bake();
  assert.equal(status, 0);
  assert.match(
    stdout,
    /^the comments themselves → assets\/stacosys\/comments\/ \(1 file written, 0 removed\)$/m,
  );
  assert.deepEqual(commentsOf(site, '/a/'), [
    {
      id: 'comment-20240102120000',
      date: '2024-01-02 12:00:00',
      at: '2024-01-02T12:00:00Z',
      author: 'Zoé',
      initial: 'Z',
      site: 'https://zoe.example/',
      avatar: avatar.toLowerCase(),
      html: '<p>Hi <strong>you</strong></p>\n',
    },
  ]);
  assert.equal(fileOf(site, '/a/').known, '1rn460a');
});

test('a page has its comments by date, those of one second in the order in which they came, under ids of their own', (t) => {
  const { site, bake } = blog(t, [
    { content: 'third', published: '2024-01-03 12:00:00' },
    { content: 'first', published: '2024-01-01 12:00:00' },
    { content: 'fourth', published: '2024-01-03 12:00:00', url: 'a' },
    { content: 'second', published: '2024-01-02 12:00:00', url: 'https://blog.example/a/?x#y' },
    { content: 'fifth', published: '2024-01-03 12:00:00' },
  ]);
  bake();
  const comments = commentsOf(site, '/a/');
  assert.deepEqual(
    comments.map((/** @type {{html: string}} */ { html }) => html.trim()),
    ['first', 'second', 'third', 'fourth', 'fifth'].map((text) => `<p>${text}</p>`),
  );
  assert.deepEqual(
    comments.slice(2).map((/** @type {{id: string}} */ { id }) => id),
    ['comment-20240103120000', 'comment-20240103120000-2', 'comment-20240103120000-2-2'],
  );
  assert.equal(filesOf(site).length, 1);
});

test('only what changed is written, and a page without a comment any more loses its file', (t) => {
  const { db, site, bake } = blog(t, [{ url: '/a/' }, { url: '/b/' }, { url: '/c/' }]);
  bake();
  const before = filesOf(site).map((name) => statSync(join(site, 'assets/stacosys/comments', name)).ino);
  assert.match(bake().stdout, /comments\/ unchanged$/m);
  edit(db, (database) => database.exec(`UPDATE comment SET content = 'edited' WHERE url = '/b/'`));
  const edited = bake();
  assert.match(edited.stdout, /counts\.json$/m, 'an edited text is a change, though no count is');
  assert.match(edited.stdout, /\(1 file written, 0 removed\)/);
  assert.equal(commentsOf(site, '/b/')[0].html, '<p>edited</p>\n');
  const after = filesOf(site).map((name) => statSync(join(site, 'assets/stacosys/comments', name)).ino);
  assert.equal(after.filter((inode) => before.includes(inode)).length, 2);
  edit(db, (database) => database.exec(`DELETE FROM comment WHERE url = '/c/'`));
  assert.match(bake().stdout, /\(0 files written, 1 removed\)/);
  assert.equal(filesOf(site).length, 2);
});

test('a file that somebody cut short, emptied or edited at its head is written anew', (t) => {
  const { site, bake } = blog(t, [{ url: '/a/' }, { url: '/b/' }, { url: '/c/' }]);
  bake();
  const folder = join(site, 'assets/stacosys/comments');
  const good = bytesIn(folder);
  const [first = '', second = '', third = ''] = filesOf(site);
  writeFileSync(join(folder, first), readFileSync(join(folder, first)).subarray(0, 120));
  writeFileSync(join(folder, second), '');
  writeFileSync(
    join(folder, third),
    readFileSync(join(folder, third), 'utf8').replace(/[0-9a-f]{64}/, '0'.repeat(64)),
  );
  assert.match(bake().stdout, /\(3 files written, 0 removed\)/);
  assert.deepEqual(bytesIn(folder), good);
});

test('what a killed bake left behind goes with the next one, but not what another bake is writing', (t) => {
  const { site, bake } = blog(t, [{}]);
  bake();
  const folder = join(site, 'assets/stacosys/comments');
  const [name = ''] = filesOf(site);
  writeFileSync(join(folder, `.${name}.left.tmp`), 'the text of a comment');
  utimesSync(join(folder, `.${name}.left.tmp`), 0, 0);
  writeFileSync(join(folder, `.${name}.new.tmp`), '');
  symlinkSync('nowhere', join(folder, `${'0'.repeat(64)}.json`));
  assert.equal(bake().status, 0);
  assert.deepEqual(filesOf(site), [`.${name}.new.tmp`, name]);
});

test('the newest comments cost nothing extra, however long or many of one second they are', (t) => {
  const { site, bake } = blog(
    t,
    Array.from({ length: 300 }, (_, index) => ({ content: `${index} ${'!['.repeat(20_000)}` })),
  );
  bake();
  const { comments } = dataOf(site, 'recent');
  assert.equal(comments.length, 100);
  const ids = commentsOf(site, '/a/').map((/** @type {{id: string}} */ { id }) => id);
  assert.deepEqual(
    comments.map((/** @type {{id: string}} */ { id }) => id).toSorted(),
    ids
      .filter((/** @type {string} */ id) => comments.some((/** @type {{id: string}} */ one) => one.id === id))
      .toSorted(),
  );
  assert.equal(new Set(ids).size, 300);
});

test('what is not ours in that folder stays', (t) => {
  const { db, site, bake } = blog(t, [{}]);
  mkdirSync(join(site, 'assets/stacosys/comments'), { recursive: true });
  writeFileSync(join(site, 'assets/stacosys/comments/notes.json'), '{}');
  bake();
  edit(db, (database) => database.exec('DELETE FROM comment'));
  bake();
  assert.deepEqual(filesOf(site), ['notes.json']);
});

test('no pending comment, no e-mail address and no IP comes out of any generation', (t) => {
  for (const [name, ...args] of [
    ['gen-a-2015', '--site', 'Blog A'],
    ['gen-b-2017', '--site', 'Blog A'],
    ['gen-c-1.1', '--site', 'Blog A'],
    ['gen-d-2.0'],
    ['gen-d-migrated'],
    ['gen-f-3.4'],
  ]) {
    const db = fixture(t, String(name));
    edit(db, (database) => {
      const columns = database.prepare(`SELECT name FROM pragma_table_info('comment')`).pluck().all();
      for (const column of ['author_email', 'author_gravatar', 'ip']) {
        if (columns.includes(column)) {
          database.exec(`UPDATE comment SET ${column} = 'secret@planted.example'`);
        }
      }
      database.exec(`UPDATE comment SET content = 'secret@planted.example' WHERE published IS NULL`);
    });
    const site = temporaryFolder(t);
    writeFileSync(join(site, 'hugo.toml'), '');
    const sites = name?.match(/gen-[abc]/) ? siteArgs(db) : args;
    const { status, stderr } = run(site, ['bake', '--comments', '--db', db, ...sites]);
    assert.equal(status, 0, stderr);
    assert.ok(filesOf(site).length > 0, name);
    const all = Object.values(bytesIn(site)).map((bytes) => Buffer.from(bytes, 'base64').toString());
    assert.doesNotMatch(all.join('\n'), /secret@planted/, name);
  }
});

/** @param {string} db of several sites */
function siteArgs(db) {
  let name = '';
  edit(db, (database) => {
    name = String(database.prepare('SELECT name FROM site ORDER BY id').pluck().get());
  });
  return ['--site', name];
}

test('a database can hold anything, and every comment comes out as safe text', (t) => {
  const odd = Buffer.from([0xff, 0x00, 0xc3, 0x28]);
  const { db, site, bake } = blog(t, [
    { published: 'never', author: '', content: '' },
    { published: 1700000000 },
    { published: '2024-02-30 12:00:00' },
    { published: '2024-01-05 12:00:00.123456', content: 'fractions' },
    { published: '2024-01-06T12:00:00', content: 'T' },
    { author: odd, site: odd, avatar: odd, content: odd },
    { author: 'a\0b\ud800', site: 'javascript:alert(1)', avatar: 'mail@example.org', content: '\0{{< x >}}' },
    { avatar: null, site: 'http://x.example/"><script>', content: 'x'.repeat(400_000) },
    { url: '/\u0000/' },
    { url: Buffer.from('/blob/') },
    { url: `/${'long/'.repeat(1000)}` },
    { url: '/../../../../etc/passwd/' },
    { url: '/__proto__/' },
    { url: '__proto__' },
    { url: ' ' },
  ]);
  edit(db, (database) => database.exec(`UPDATE comment SET url = '/__proto__/' WHERE url = '__proto__'`));
  const { status, stderr } = bake();
  assert.equal(status, 0, stderr);
  const comments = commentsOf(site, '/a/');
  assert.equal(comments.length, 8);
  assert.equal(new Set(comments.map((/** @type {{id: string}} */ { id }) => id)).size, 8);
  for (const { date, site: link, avatar, html } of comments) {
    assert.match(date, /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)?$/);
    assert.match(link ?? 'http://', /^https?:\/\//);
    assert.equal(avatar, undefined);
    assert.doesNotMatch(html, /<(?!\/?(p|br)\b)/);
  }
  const text = filesOf(site).map((name) =>
    readFileSync(join(site, 'assets/stacosys/comments', name), 'utf8'),
  );
  assert.doesNotMatch(text.join(''), /\\u0000|\\ud800/);
  assert.deepEqual(
    dataOf(site, 'recent').comments.map((/** @type {{date: string}} */ { date }) => date.slice(0, 4)),
    Array.from(dataOf(site, 'recent').comments, () => '2024'),
  );
});

test('recent.json has the newest hundred, the newest first, each with a short text', (t) => {
  const { site, bake } = blog(
    t,
    Array.from({ length: 150 }, (_, index) => ({
      url: `/${index % 7}/`,
      published: `2024-01-01 12:${String(Math.floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}`,
      content: `# Title\n\n*Number* ${index} ${'word '.repeat(100)}`,
    })),
  );
  bake();
  const { comments } = dataOf(site, 'recent');
  assert.equal(comments.length, 100);
  assert.deepEqual(
    comments.map((/** @type {{excerpt: string}} */ { excerpt }) => /Number (\d+)/.exec(excerpt)?.[1]),
    Array.from({ length: 100 }, (_, index) => String(149 - index)),
  );
  for (const { key, id, excerpt } of comments) {
    assert.match(excerpt, /^Title – Number \d+ (word )+word…$/);
    assert.ok(excerpt.length <= 160);
    assert.ok(commentsOf(site, key).some((/** @type {{id: string}} */ comment) => comment.id === id));
  }
});

test('activity.json tells when people commented, up to 400 days before the newest comment', (t) => {
  const { site, bake } = blog(t, [
    { published: '2020-05-05 08:00:00' },
    { published: '2024-05-05 08:00:00' },
    { published: '2024-05-05 09:00:00' },
    { url: '/old/', published: '2019-01-01 00:00:00' },
    { url: '/none/', published: 'x' },
  ]);
  bake();
  assert.deepEqual(dataOf(site, 'activity'), {
    '/a/': { newest: '2024-05-05 09:00:00', days: { '2024-05-05': 2 } },
    '/old/': { newest: '2019-01-01 00:00:00', days: {} },
  });
});

test('the same comments give the same bytes, whatever the order of their rows', (t) => {
  const comments = [
    { url: '/b/', content: 'x' },
    { content: 'y', published: '2024-03-03 03:03:03' },
    { url: '/c' },
  ];
  const [first, second] = [comments, comments.toReversed()].map((rows) => {
    const { site, bake } = blog(t, rows);
    bake();
    return Object.fromEntries(
      Object.entries(bytesIn(site)).map(([file, bytes]) => [file.slice(site.length), bytes]),
    );
  });
  assert.deepEqual(first, second);
});

test('a site that does not ask for its comments gets none, and loses those of before', (t) => {
  const { site, bake } = blog(t, [{}]);
  bake();
  assert.equal(filesOf(site).length, 1);
  writeFileSync(join(site, 'hugo.toml'), '# comments = "baked"\n');
  assert.doesNotMatch(bake().stdout, /comments themselves/);
  assert.deepEqual(filesOf(site), []);
  assert.deepEqual(readdirSync(join(site, 'data/stacosys')), ['counts.json']);
  assert.match(bake('--comments').stdout, /1 file written/);
});

for (const text of [
  '# comments = "baked"',
  'description = "My comments: baked goods"',
  'comments = "live" # or comments = "baked"',
]) {
  test(`a site does not ask for its comments by ${text}`, (t) => {
    const { site, db } = blog(t, [{}]);
    writeFileSync(join(site, 'hugo.toml'), `title = "x"\n${text}\n`);
    mkdirSync(join(site, 'config/folder.toml'), { recursive: true });
    symlinkSync('.', join(site, 'config/loop'));
    assert.doesNotMatch(run(site, ['bake', '--db', db]).stdout, /the comments themselves/);
  });
}

for (const [file, text] of [
  ['hugo.toml', 'Comments = "baked" # a comment\n'],
  ['hugo.json', '{"title": "C# blog", "params": {"stacosys": {"comments": "baked"}}}'],
  ['hugo.yaml', 'params: {color: "#fff", stacosys: {comments: baked}}\n'],
  ['hugo.toml', '[params]\n[params.stacosys]\n  comments = "baked"\n'],
  ['config.toml', "params.stacosys.comments = 'baked'\n"],
  ['hugo.yaml', 'params:\n  stacosys:\n    comments: baked\n'],
  ['config.json', '{"params": {"stacosys": {"comments": "baked"}}}'],
  ['config/_default/params.toml', 'stacosys = { comments = "baked" }\n'],
]) {
  test(`a site asks for its comments in ${file}`, (t) => {
    const { site, db } = blog(t, [{}]);
    writeFileSync(join(site, 'hugo.toml'), '');
    mkdirSync(join(site, String(file), '..'), { recursive: true });
    writeFileSync(join(site, String(file)), String(text));
    assert.match(run(site, ['bake', '--db', db]).stdout, /the comments themselves/);
    writeFileSync(join(site, 'stacosys.toml'), 'comments = false\n');
    assert.doesNotMatch(run(site, ['bake', '--db', db]).stdout, /the comments themselves/);
  });
}

test('whether comments are baked is said by the option, else the environment, else stacosys.toml, else the site', (t) => {
  const { site, db } = blog(t, [{}]);
  /** @param {{args?: string[], env?: Record<string, string>}} [said] */
  const isBaked = ({ args = [], env = {} } = {}) =>
    run(site, ['bake', '--db', db, ...args], { env }).stdout.includes('the comments themselves');
  assert.ok(isBaked());
  assert.ok(!isBaked({ env: { HUGO_PARAMS_STACOSYS_COMMENTS: 'live' } }));
  writeFileSync(join(site, 'stacosys.toml'), 'comments = true\n');
  assert.ok(isBaked({ env: { HUGO_PARAMS_STACOSYS_COMMENTS: 'live' } }));
  assert.ok(!isBaked({ env: { STACOSYS_COMMENTS: 'false' } }));
  assert.deepEqual(filesOf(site), [], 'the files of before are gone');
  assert.ok(isBaked({ env: { STACOSYS_COMMENTS: 'false' }, args: ['--comments'] }));
});

test('numbers fetched from elsewhere do not stand in for the comments that a site asks for', (t) => {
  const { site } = blog(t, [{}]);
  const { status, stderr } = run(site, ['bake', '--from', 'http://127.0.0.1:9/counts.json']);
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^The site asks for comments = "baked", but --from brings their numbers only\n.+comments = false/,
  );
});

test('a folder that cannot be written leaves the counts as they were', (t) => {
  const { db, site, bake } = blog(t, [{}]);
  bake();
  const before = bytesIn(join(site, 'data'));
  add(db, [{ url: '/new/' }]);
  writeFileSync(join(site, 'assets/stacosys/comments', '.x'), '');
  const folder = join(site, 'assets/stacosys');
  const name = `${hash('sha256', '/new/')}.json`;
  mkdirSync(join(folder, 'comments', name));
  const { status, stderr } = bake();
  assert.equal(status, 1);
  assert.match(stderr, /^Cannot (read|write) /);
  assert.deepEqual(bytesIn(join(site, 'data')), before);
});
