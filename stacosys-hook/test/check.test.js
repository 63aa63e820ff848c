import assert from 'node:assert/strict';
import { dirname, relative } from 'node:path';
import { test } from 'node:test';
import { HUGO_VERSIONS, HUGO_LATEST, HUGO_OLDEST, pinnedHugo } from '../../scripts/tools.js';
import { run } from './command-line.js';
import { bytesIn, comments, databaseWith, fixture, temporaryFolder } from './database.js';
import { article, hugoSite } from './hugo-site.js';

const HUGO = ['--hugo', pinnedHugo(HUGO_LATEST)];

/**
 * @param {string} site
 * @param {string} db
 * @param {string[]} [more]
 */
const check = (site, db, more = HUGO) => run(site, ['check', '--db', db, ...more]);

/**
 * Runs without any hugo to be found.
 *
 * @param {string} site
 * @param {string} db
 * @param {string[]} [more]
 */
const checkDatabase = (site, db, more = []) =>
  run(site, ['check', '--db', db, ...more], { env: { PATH: '' } });

for (const version of HUGO_VERSIONS) {
  const hugo = ['--hugo', pinnedHugo(version)];

  test(`Hugo ${version}: all is well where every commented url is a page or an alias of one`, (t) => {
    const site = hugoSite(t, {
      'content/2021/slug.md': article({ aliases: ['/old/'] }),
      'content/été.md': article({ draft: true }),
    });
    const db = databaseWith(t, [{ url: '/2021/slug/' }, { url: 'old' }, { url: '/%C3%A9t%C3%A9/' }]);
    const { status, stdout, stderr } = check(site, db, hugo);
    assert.deepEqual([status, stderr], [0, '']);
    assert.ok(stdout.endsWith(`\nEvery commented url is one of the 2 pages of ${site}.\n`), stdout);
  });

  test(`Hugo ${version}: comments that are lost give exit code 1 and the page that is probably meant`, (t) => {
    const site = hugoSite(t, { 'content/2021/slug.md': article(), 'content/about.md': article() });
    const db = databaseWith(t, [
      ...comments('/2021/slug/', 2),
      ...comments('/2021/slgu/', 4),
      ...comments('/wp-login.php', 1),
    ]);
    const { status, stdout, stderr } = check(site, db, hugo);
    assert.deepEqual([status, stderr], [1, '']);
    assert.ok(
      stdout.endsWith(`
Comments that are lost, because their url is none of the 2 pages of ${site}:
  /2021/slgu/ (4 comments): did you mean /2021/slug/? add it to \`aliases\` in content/2021/slug.md
  /wp-login.php (1 comment): no page resembles it
A page that moved takes its old address as one of its \`aliases\`. Where a page is gone, its comments count in the total only.
`),
      stdout,
    );
  });

  test(`Hugo ${version}: after the advice was taken, no comment is lost`, (t) => {
    const site = hugoSite(t, { 'content/2021/slug.md': article({ aliases: ['/2021/slgu/'] }) });
    assert.equal(check(site, databaseWith(t, comments('/2021/slgu/', 4)), hugo).status, 0);
  });

  test(`Hugo ${version}: a site that Hugo cannot read is a failure`, (t) => {
    const site = hugoSite(t, { 'content/broken.md': '---\ntitle: "x\n---\n' });
    const { status, stdout, stderr } = check(site, databaseWith(t, []), hugo);
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /^hugo list failed: [^\n]*broken\.md[^\n]*\nRun hugo in the site[^\n]*\n$/);
  });
}

/**
 * What `hugo list all` itself leaves in a site: an empty lock, and the old one empty folders.
 *
 * @type {Record<string, string[]>}
 */
const LEFT_BY_HUGO = {
  [HUGO_OLDEST]: [
    '.hugo_build.lock',
    'public',
    'resources',
    'resources/_gen',
    'resources/_gen/assets',
    'resources/_gen/images',
  ],
  [HUGO_LATEST]: ['.hugo_build.lock'],
};

for (const version of HUGO_VERSIONS) {
  test(`nothing is written, but for what Hugo ${version} leaves when it lists a site`, (t) => {
    const site = hugoSite(t, {
      'content/2021/slug.md': article({ aliases: ['/old/'] }),
      'data/stacosys/counts.json': '{}\n',
      'static/a.txt': 'a',
    });
    const db = databaseWith(t, [{ url: '/2021/slgu/' }]);
    const before = bytesIn(site);
    const database = bytesIn(dirname(db));
    assert.equal(check(site, db, ['--hugo', pinnedHugo(version)]).status, 1);
    const after = bytesIn(site);
    assert.deepEqual(bytesIn(dirname(db)), database);
    const added = Object.keys(after).filter((path) => !(path in before));
    assert.deepEqual(added.map((path) => relative(site, path)).sort(), LEFT_BY_HUGO[version]);
    for (const path of added) assert.match(String(after[path]), /^(no file)?$/, `${path} is empty`);
    assert.deepEqual({ ...after, ...before }, after);
  });
}

test('without Hugo nothing at all is written', (t) => {
  const site = hugoSite(t, { 'content/2021/slug.md': article() });
  const db = databaseWith(t, [{ url: '/a/' }]);
  const before = [bytesIn(site), bytesIn(dirname(db))];
  assert.equal(checkDatabase(site, db).status, 0);
  assert.deepEqual([bytesIn(site), bytesIn(dirname(db))], before);
});

test('the database is explained', (t) => {
  const site = hugoSite(t);
  const db = databaseWith(t, [
    ...comments('/a/', 2),
    ...comments('a', 1),
    ...comments('/b/', 1),
    ...comments(' ', 3),
    { url: '/a/', pending: true },
  ]);
  const { status, stdout } = checkDatabase(site, db);
  assert.equal(status, 0);
  assert.equal(
    stdout.replace(/[\d.]+ ms/, '1.0 ms'),
    `Database    ${db}
Written by  Stacosys 3.3 to 3.4 (2022 to 2024)
Journal     rollback journal: a read and a write wait for each other, so that a bake keeps Stacosys waiting as long as one count
Read lock   1.0 ms for a count
Comments    8 (7 published, 1 pending)
Urls        4 with published comments, which mean 2 pages
Blank       3 published with a url that names no page: no page can count them

Urls that are read as another form of their page:
  /a/ ← "/a/" (2), "a" (1)
`,
  );
});

test('a folder that is no Hugo site is said to be none: only the database is checked', (t) => {
  const folder = temporaryFolder(t);
  const { status, stdout, stderr } = check(folder, databaseWith(t, [{ url: '/a/' }]));
  assert.equal(status, 0);
  assert.match(stderr, /^[^\n]* is no Hugo site: the comments were not compared[^\n]* --source DIR\.\n$/);
  assert.match(stdout, /^Comments {4}1 \(1 published, 0 pending\)$/m);
  assert.doesNotMatch(stdout, /lost|Every commented url/);
});

test('a missing hugo is said to be missing: only the database is checked', (t) => {
  const site = hugoSite(t, { 'content/a.md': article() });
  const { status, stdout, stderr } = checkDatabase(site, databaseWith(t, [{ url: '/b/' }]));
  assert.equal(status, 0);
  assert.match(stderr, /^There is no hugo on the PATH to list the pages with[^\n]* --hugo FILE\.\n$/);
  assert.doesNotMatch(stdout, /lost|Every commented url/);
});

test('a hugo that was named and is missing is a failure: nothing was compared', (t) => {
  const site = hugoSite(t, { 'content/a.md': article() });
  const { status, stdout, stderr } = check(site, databaseWith(t, [{ url: '/a/' }]), ['--hugo', '/none']);
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^There is no \/none\n[^\n]*--hugo FILE[^\n]*\n$/);
});

test('an alias is suggested as front matter wants it, not escaped, whatever the case of the old url', (t) => {
  const site = hugoSite(t, { 'content/été chaud.md': article(), 'content/upper.md': article() });
  const db = databaseWith(t, [{ url: '/Été-chauD/' }, { url: '/UPPER/' }]);
  const { stdout } = check(site, db, HUGO);
  assert.match(stdout, /did you mean \/%C3%A9t%C3%A9-chaud\/\? add "\/Été-chauD\/" to `aliases`/);
  assert.match(stdout, /\/UPPER\/ \(1 comment\): did you mean \/upper\/\? add it to `aliases`/);
});

test('hugo may be named by HUGO_BIN', (t) => {
  const site = hugoSite(t, { 'content/a.md': article() });
  const db = databaseWith(t, [{ url: '/a/' }]);
  const env = { HUGO_BIN: pinnedHugo(HUGO_LATEST) };
  const { stdout, stderr } = run(site, ['check', '--db', db], { env });
  assert.match(stdout, /Every commented url is one of the 1 page/);
  assert.equal(stderr, '');
});

for (const name of ['gen-a-2015', 'gen-b-2017', 'gen-c-1.1']) {
  test(`${name}: all sites are listed, and the comments are those of the chosen one`, (t) => {
    const db = fixture(t, name);
    const folder = temporaryFolder(t);
    const { status, stdout } = check(folder, db, ['--site', 'blog2']);
    assert.equal(status, 0);
    assert.match(stdout, /^Site {8}blog \(blog\.example\)$/m);
    assert.match(stdout, /^Site {8}blog2 \(other\.example\), the chosen one$/m);
    assert.doesNotMatch(stdout, /TOKEN|9fb3fc04|a@b\.c/);
    const { sites } = JSON.parse(check(folder, db, ['--site', 'blog2', '--json']).stdout);
    assert.deepEqual(sites, [
      { name: 'blog', url: 'blog.example', chosen: false },
      { name: 'blog2', url: 'other.example', chosen: true },
    ]);
  });
}

test('several sites and none chosen is a failure that lists them', (t) => {
  const { status, stdout, stderr } = check(temporaryFolder(t), fixture(t, 'gen-a-2015'), []);
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /2 sites: blog \(blog\.example\), blog2 \(other\.example\)\n[^\n]*--site[^\n]*\n$/);
});

test('--json gives the same facts for machines', (t) => {
  const site = hugoSite(t, { 'content/2021/slug.md': article() });
  const db = databaseWith(t, [
    ...comments('/2021/slug/', 2),
    ...comments('2021/slug', 1),
    ...comments('/2021/slgu/', 4),
    ...comments(' ', 1),
    { url: '/2021/slug/', pending: true },
  ]);
  const { status, stdout, stderr } = check(site, db, [...HUGO, '--json']);
  assert.deepEqual([status, stderr], [1, '']);
  const { lockMilliseconds, ...data } = JSON.parse(stdout);
  assert.equal(typeof lockMilliseconds, 'number');
  assert.deepEqual(data, {
    database: db,
    generation: '3.3 to 3.4 (2022 to 2024)',
    journal: 'rollback journal',
    sites: [],
    comments: 9,
    published: 8,
    pending: 1,
    urls: 4,
    pages: 2,
    blank: 1,
    forms: { '': { ' ': 1 }, '/2021/slug/': { '/2021/slug/': 2, '2021/slug': 1 } },
    site: { folder: site, pages: 1 },
    orphans: [
      { key: '/2021/slgu/', comments: 4, nearest: { key: '/2021/slug/', path: 'content/2021/slug.md' } },
    ],
  });
});

test('--json says so where the comments were not compared with a site', (t) => {
  const { status, stdout } = checkDatabase(hugoSite(t), databaseWith(t, [{ url: '/a/' }]), ['--json']);
  assert.equal(status, 0);
  const { site, orphans } = JSON.parse(stdout);
  assert.deepEqual([site, orphans], [null, null]);
});

test('a page with many url forms, and a long url, take a line each', (t) => {
  const site = hugoSite(t);
  const forms = Array.from({ length: 100 }, (_, index) => ({ url: `/a/?q=${index}` }));
  const db = databaseWith(t, [...forms, { url: `/${'b'.repeat(5000)}` }]);
  const { stdout } = checkDatabase(site, db);
  assert.match(stdout, /\/a\/ ← "\/a\/\?q=0" \(1\), .* and 94 more\n/);
  assert.ok(stdout.split('\n').every((line) => line.length < 500));
});

test('--quiet leaves the exit code', (t) => {
  const site = hugoSite(t, { 'content/a.md': article() });
  const quiet = check(site, databaseWith(t, [{ url: '/lost-article/' }]), [...HUGO, '--quiet']);
  assert.deepEqual(quiet, { status: 1, stdout: '', stderr: '' });
});

test('a url with escape sequences reaches the terminal only in escaped form', (t) => {
  const url = '/\x1b]0;owned\x07\x1b[31mred\x9b1m\x7f\u202e\u2028\nsecond/';
  const site = hugoSite(t, { 'content/a.md': article() });
  const db = databaseWith(t, [{ url }, { url: '\x1b[2J' }]);
  const { status, stdout } = check(site, db); // run() refuses any control character
  assert.equal(status, 1);
  assert.ok(stdout.includes('\\u{1b}]0;owned\\u{7}\\u{1b}[31mred\\u{9b}1m'), stdout);
  assert.match(stdout, /^ {2}\/%1B%5B2J\/ \(1 comment\): no page resembles it$/m);
  const { forms } = JSON.parse(check(site, db, [...HUGO, '--json']).stdout);
  assert.ok(Object.values(forms).some((urls) => Object.hasOwn(urls, url)));
});

test('more than 20 lines are cut, --json lists all', (t) => {
  const site = hugoSite(t, { 'content/a.md': article() });
  const urls = Array.from({ length: 23 }, (_, n) => `wp-content/${n}`);
  const db = databaseWith(
    t,
    urls.map((url) => ({ url })),
  );
  const { stdout } = check(site, db);
  assert.equal(stdout.match(/^ {2}… and 3 more \(--json lists all\)$/gm)?.length, 2);
  assert.equal(stdout.match(/no page resembles it$/gm)?.length, 20);
  assert.equal(stdout.match(/ ← /g)?.length, 20);
  const { orphans, forms } = JSON.parse(check(site, db, [...HUGO, '--json']).stdout);
  assert.deepEqual([orphans.length, Object.keys(forms).length], [23, 23]);
});

test('20 lines are not cut', (t) => {
  const site = hugoSite(t, { 'content/a.md': article() });
  const db = databaseWith(
    t,
    Array.from({ length: 20 }, (_, n) => ({ url: `/wp-content/${n}/` })),
  );
  assert.doesNotMatch(check(site, db).stdout, /more/);
});
