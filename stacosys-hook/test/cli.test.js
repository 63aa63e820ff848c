import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HUGO_LATEST, pinnedHugo } from '../../scripts/tools.js';
import { BIN, run } from './command-line.js';
import {
  bytesIn,
  comments,
  databaseWith,
  edit,
  fixture,
  openElsewhere,
  temporaryFolder,
  writeDatabase,
} from './database.js';

const PACKAGE = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/**
 * A run that must fail with two lines on stderr: what happened and what to do.
 *
 * @param {string} cwd
 * @param {string[]} args
 * @param {1 | 2} code
 * @param {RegExp} message
 * @param {{env?: Record<string, string>, node?: string[]}} [options]
 */
function fails(cwd, args, code, message, options) {
  const { status, stdout, stderr } = run(cwd, args, options);
  assert.match(stderr, message);
  assert.deepEqual({ status, stdout }, { status: code, stdout: '' }, stderr);
  assert.match(stderr, /^[^\n]+\n[^\n]+\n$/);
  return stderr;
}

/**
 * @param {import('node:test').TestContext} t
 * @returns {string} an empty Hugo site
 */
function hugoSite(t) {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'hugo.toml'), 'baseURL = "https://blog.example/"\n');
  return folder;
}

/** @param {string} site */
const countsOf = (site) => JSON.parse(readFileSync(join(site, 'data/stacosys/counts.json'), 'utf8'));

// bake

test('1,234 comments on 120 pages are baked, and the second run finds them unchanged', (t) => {
  const site = hugoSite(t);
  const db = databaseWith(
    t,
    Array.from({ length: 1234 }, (_, n) => ({ url: `/2024/article-${n % 120}/` })),
  );
  const file = join(site, 'data/stacosys/counts.json');
  const first = run(site, ['bake', '--db', db]);
  assert.deepEqual([first.status, first.stderr], [0, '']);
  assert.equal(first.stdout.split('\n')[0], '1,234 comments on 120 pages → data/stacosys/counts.json');
  const { ino, mtimeNs } = statSync(file, { bigint: true });
  const second = run(site, ['bake', '--db', db]);
  assert.deepEqual([second.status, second.stderr], [0, '']);
  assert.equal(
    second.stdout.split('\n')[0],
    '1,234 comments on 120 pages → data/stacosys/counts.json unchanged',
  );
  const after = statSync(file, { bigint: true });
  assert.deepEqual([after.ino, after.mtimeNs], [ino, mtimeNs]);
  assert.deepEqual(readdirSync(join(site, 'data/stacosys')), ['counts.json']);
});

test('pending, merged and blank are reported', (t) => {
  const db = databaseWith(t, [
    ...comments('/a/', 2),
    ...comments('a', 1),
    ...comments('/a//', 1),
    ...comments(' ', 3),
    { url: '/a/', pending: true },
  ]);
  const { stdout } = run(hugoSite(t), ['bake', '--db', db]);
  assert.equal(
    stdout,
    '4 comments on 1 page → data/stacosys/counts.json\n1 pending, 2 url forms merged, 3 with a blank url (no page)\n',
  );
});

test('one comment is one comment, and none is 0 comments', (t) => {
  const site = hugoSite(t);
  assert.match(
    run(site, ['bake', '--db', databaseWith(t, [{ url: '/a/' }])]).stdout,
    /^1 comment on 1 page →/,
  );
  assert.match(run(site, ['bake', '--db', databaseWith(t, [])]).stdout, /^0 comments on 0 pages →/);
  assert.deepEqual(countsOf(site), {});
});

/** @type {[name: string, site: string[], counts: Record<string, number>][]} */
const GENERATIONS = [
  ['gen-a-2015', ['--site', 'blog'], { '/2017/hello/': 1, '/migration-du-blog-sous-pelican.html': 2 }],
  ['gen-b-2017', ['--site', 'blog2'], { '/2017/hello/': 1 }],
  ['gen-c-1.1', ['--site', 'blog'], { '/2019/bilan-h%C3%A9bergement-2018/': 1, '/2019/hello/': 1 }],
  ['gen-d-2.0', [], { '/2021/%C3%A9t%C3%A9/': 1, '/2021/hello/': 2 }],
  ['gen-d-migrated', [], { '/2019/bilan-h%C3%A9bergement-2018/': 1, '/2019/hello/': 2, '/only-site2/': 1 }],
  [
    'gen-f-3.4',
    [],
    {
      '/2019/bilan-h%C3%A9bergement-2018/': 2,
      '/2024/bad/': 1,
      '/2024/hello/': 13,
      '/2024/long/': 1,
      '/z/': 1,
    },
  ],
];

for (const [name, choice, counts] of GENERATIONS) {
  test(`${name} is baked, and no secret of it comes out`, (t) => {
    const site = hugoSite(t);
    const { status, stdout, stderr } = run(site, ['bake', '--db', fixture(t, name), ...choice, '--json']);
    assert.deepEqual([status, stderr], [0, '']);
    assert.deepEqual(countsOf(site), counts);
    const files = readdirSync(join(site, 'data/stacosys')).map((file) =>
      readFileSync(join(site, 'data/stacosys', file), 'utf8'),
    );
    assert.doesNotMatch([stdout, ...files].join(''), /TOKEN|9fb3fc04|a@b\.c/);
  });
}

test('--json gives the same facts for machines', (t) => {
  const site = hugoSite(t);
  const db = databaseWith(t, [
    ...comments('/a/', 2),
    ...comments('a', 1),
    { url: '' },
    { url: '/b/', pending: true },
  ]);
  const { status, stdout, stderr } = run(site, ['bake', '--db', db, '--json']);
  assert.deepEqual([status, stderr], [0, '']);
  const { lockMilliseconds, ...data } = JSON.parse(stdout);
  assert.deepEqual(data, {
    comments: 3,
    pages: 1,
    pending: 1,
    merged: 1,
    blank: 1,
    changed: true,
    file: join(site, 'data/stacosys/counts.json'),
    generation: '3.3 to 3.4 (2022 to 2024)',
    site: null,
  });
  assert.equal(typeof lockMilliseconds, 'number');
  assert.equal(JSON.parse(run(site, ['bake', '--db', db, '--json']).stdout).changed, false);
});

test('--json gives a failure as JSON, on stderr', (t) => {
  const { status, stdout, stderr } = run(hugoSite(t), ['bake', '--db', 'none.sqlite', '--json']);
  assert.deepEqual([status, stdout], [1, '']);
  const { error, advice } = JSON.parse(stderr);
  assert.match(error, /^There is no database/);
  assert.equal(typeof advice, 'string');
});

test('--quiet prints nothing but errors', (t) => {
  const site = temporaryFolder(t); // no Hugo configuration: a warning otherwise
  const db = databaseWith(t, comments('/a/', 1));
  assert.deepEqual(run(site, ['bake', '--db', db, '--quiet']), { status: 0, stdout: '', stderr: '' });
  assert.deepEqual(countsOf(site), { '/a/': 1 });
  fails(site, ['bake', '--db', 'none.sqlite', '-q'], 1, /^There is no database/);
});

test('--quiet keeps the JSON that was asked for', (t) => {
  const db = databaseWith(t, comments('/a/', 1));
  assert.equal(JSON.parse(run(hugoSite(t), ['bake', '--db', db, '--quiet', '--json']).stdout).comments, 1);
});

test('a warning goes to stderr, the result to stdout', (t) => {
  const { status, stdout, stderr } = run(temporaryFolder(t), ['bake', '--db', databaseWith(t, [])]);
  assert.equal(status, 0);
  assert.match(stdout, /^0 comments/);
  assert.match(stderr, /^[^\n]*has no Hugo configuration[^\n]*\n$/);
});

test('bake refuses a folder inside of a Hugo site, whose files Hugo would publish', (t) => {
  const site = temporaryFolder(t);
  writeFileSync(join(site, 'hugo.toml'), '');
  mkdirSync(join(site, 'content'));
  const { status, stderr } = run(join(site, 'content'), ['bake', '--db', databaseWith(t, [{ url: '/a/' }])]);
  assert.equal(status, 1);
  assert.equal(
    stderr,
    `${site}/content is not the Hugo site, but a folder in it\nRun this in ${site}, or give --source ${site}\n`,
  );
  assert.deepEqual(readdirSync(join(site, 'content')), []);
});

test('an option without its value is wrong usage', (t) => {
  const { status, stderr } = run(temporaryFolder(t), ['bake', '--db', '']);
  assert.equal(status, 2);
  assert.match(stderr, /^--db is empty\n/);
});

test('a folder whose name holds an escape sequence reaches the terminal only in escaped form', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'an\x1b[31m'));
  const { status, stdout } = run(folder, ['bake', '--db', databaseWith(t, []), '--source', 'an\x1b[31m']);
  assert.equal(status, 0);
  assert.match(stdout, /an\\u\{1b\}\[31m/);
});

test('--site has no effect on a database of one site, and that is said', (t) => {
  const { status, stderr } = run(hugoSite(t), ['bake', '--db', databaseWith(t, []), '--site', 'blog']);
  assert.equal(status, 0);
  assert.match(stderr, /--site has no effect/);
});

test('--source names the site, and the printed path leads there', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'blog'));
  writeFileSync(join(folder, 'blog/hugo.toml'), '');
  writeDatabase(join(folder, 'db.sqlite'), comments('/a/', 1));
  const { stdout } = run(folder, ['bake', '--db', 'db.sqlite', '-s', 'blog']);
  assert.match(stdout, /→ blog\/data\/stacosys\/counts\.json\n/);
  assert.deepEqual(countsOf(join(folder, 'blog')), { '/a/': 1 });
});

test('the database may come from the environment, stacosys.toml or config.ini', (t) => {
  const site = hugoSite(t);
  writeDatabase(join(site, 'db.sqlite'), comments('/a/', 1));
  assert.equal(run(site, ['bake'], { env: { STACOSYS_DB: 'db.sqlite' } }).status, 0);
  writeFileSync(join(site, 'config.ini'), '[main]\ndb = sqlite://db.sqlite\n');
  assert.equal(run(site, ['bake', '--stacosys', 'config.ini']).status, 0);
  writeFileSync(join(site, 'stacosys.toml'), 'db = "db.sqlite"\n');
  assert.match(run(site, ['bake']).stdout, /^1 comment on 1 page/);
});

test('spellings.json comes and goes with the comments that need it', (t) => {
  const site = hugoSite(t);
  const db = databaseWith(t, [{ url: '/%C3%A9t%C3%A9/' }]);
  const names = () => readdirSync(join(site, 'data/stacosys'));
  run(site, ['bake', '--db', db]);
  assert.deepEqual(names(), ['counts.json', 'spellings.json']);
  assert.match(run(site, ['bake', '--db', db]).stdout, / unchanged\n/);
  edit(db, (database) => database.exec("UPDATE comment SET url = '/ete/'"));
  assert.doesNotMatch(run(site, ['bake', '--db', db]).stdout, / unchanged\n/);
  assert.deepEqual(names(), ['counts.json']);
});

test('forms.json comes, changes and goes with the comments that need it', (t) => {
  const site = hugoSite(t);
  const db = databaseWith(t, [...comments('/b/', 2), { url: 'b' }, { url: '/a' }]);
  const baked = () => run(site, ['bake', '--db', db]).stdout;
  const forms = () => readFileSync(join(site, 'data/stacosys/forms.json'), 'utf8');
  baked();
  assert.equal(forms(), '{\n  "/a/": [\n    "/a"\n  ],\n  "/b/": [\n    "/b/",\n    "b"\n  ]\n}\n');
  assert.match(baked(), / unchanged\n/);
  edit(db, (database) => database.exec("UPDATE comment SET url = 'a' WHERE url = '/a'"));
  const { ino } = statSync(join(site, 'data/stacosys/counts.json'), { bigint: true });
  assert.doesNotMatch(baked(), / unchanged\n/);
  assert.deepEqual(JSON.parse(forms())['/a/'], ['a']);
  assert.equal(statSync(join(site, 'data/stacosys/counts.json'), { bigint: true }).ino, ino);
  edit(db, (database) => database.exec("UPDATE comment SET url = '/a/'"));
  assert.doesNotMatch(baked(), / unchanged\n/);
  assert.deepEqual(readdirSync(join(site, 'data/stacosys')), ['counts.json']);
});

// Failures

test('every failure ends with 1 and leaves the last good data byte for byte', async (t) => {
  const site = hugoSite(t);
  const db = databaseWith(t, [...comments('/a/', 3), { url: '/été/' }]);
  assert.equal(run(site, ['bake', '--db', db]).status, 0);
  const data = join(site, 'data');
  const good = bytesIn(data);
  /**
   * @param {RegExp} message
   * @param {string[]} [more]
   */
  const refused = (message, more = []) => {
    fails(site, ['bake', '--db', db, ...more], 1, message);
    assert.deepEqual(bytesIn(data), good);
    assert.deepEqual(readdirSync(join(data, 'stacosys')), ['counts.json', 'forms.json', 'spellings.json']);
  };
  const other = await openElsewhere(t, db);
  await other.exec('BEGIN EXCLUSIVE');
  refused(/stayed locked/, ['--busy-timeout', '50']);
  await other.kill();
  const bytes = readFileSync(db);
  renameSync(db, `${db}.away`);
  refused(/There is no database/);
  writeFileSync(db, '');
  refused(/is empty/);
  writeFileSync(db, 'text '.repeat(1000));
  refused(/is not a SQLite database/);
  writeFileSync(db, bytes.subarray(0, 5000));
  refused(/is damaged or cut short/);
  rmSync(db);
  edit(db, (database) => database.exec('CREATE TABLE other (id)'));
  refused(/has no table "comment"/);
  edit(db, (database) => database.exec('CREATE TABLE comment (url)'));
  refused(/lacks "published"/);
  rmSync(db);
  mkdirSync(db);
  refused(/is a folder/);
});

test('data that cannot be written is a failure', (t) => {
  const site = hugoSite(t);
  mkdirSync(join(site, 'data/stacosys/counts.json'), { recursive: true });
  fails(site, ['bake', '--db', databaseWith(t, [{ url: '/a/' }])], 1, /^Cannot write .*counts\.json/);
});

test('a disk that fills up in the middle of the file leaves the old data, and no part of the new', (t) => {
  const site = hugoSite(t);
  assert.equal(run(site, ['bake', '--db', databaseWith(t, [{ url: '/a/' }])]).status, 0);
  const good = bytesIn(join(site, 'data'));
  const many = Array.from({ length: 2000 }, (_, n) => ({ url: `/2024/article-${n}/` }));
  // a limit on the size of a file stands for the size of the disk
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -f 4 && exec "$@"', 'sh', process.execPath, BIN, 'bake', '--db', databaseWith(t, many)],
    { cwd: site, encoding: 'utf8' },
  );
  assert.equal(status, 1);
  assert.match(stderr, /^Cannot write .*counts\.json: EFBIG[^\n]*\n.*free space.*\n$/);
  assert.deepEqual(bytesIn(join(site, 'data')), good);
});

test('a FIFO in the place of the database does not hang', (t) => {
  const site = hugoSite(t);
  execFileSync('mkfifo', [join(site, 'db.sqlite')]);
  fails(site, ['bake', '--db', 'db.sqlite'], 1, /is not a regular file/);
});

test('a postgres URI is a failure that keeps its password', (t) => {
  const stderr = fails(hugoSite(t), ['bake', '--db', 'postgres://u:secret@h/d'], 1, /is a postgres database/);
  assert.doesNotMatch(stderr, /secret/);
});

test('a site name with escape sequences reaches the terminal only in escaped form', (t) => {
  const db = fixture(t, 'gen-a-2015');
  const name = '\x1b]0;owned\x07\x1b[31mblog\x9b1m\x7f\u202e\u2028second';
  edit(db, (database) => database.prepare('UPDATE site SET name = ? WHERE id = 1').run(name));
  const site = hugoSite(t);
  assert.match(fails(site, ['bake', '--db', db], 1, /2 sites/), /\\u\{1b\}\[31mblog/);
  fails(site, ['bake', '--db', db, '--site', '\x1b[31m'], 1, /no site/);
  assert.equal(run(site, ['bake', '--db', db, '--site', 'TOKEN1']).status, 0);
  const { stdout } = run(site, ['bake', '--db', db, '--site', 'TOKEN1', '--json']);
  assert.equal(JSON.parse(stdout).site, name);
  const { stderr } = run(site, ['bake', '--db', db, '--json']);
  assert.ok(JSON.parse(stderr).error.includes('\\u{1b}'));
});

test('a line break or an escape sequence in a path stays on its line', (t) => {
  fails(hugoSite(t), ['bake', '--db', 'a\nb\x1b[31m.sqlite'], 1, /a\\u\{a\}b\\u\{1b\}\[31m/);
});

// Usage

test('--help shows every command, also without any argument', (t) => {
  const folder = temporaryFolder(t);
  const { status, stdout, stderr } = run(folder, ['--help']);
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^Usage: stacosys-hook /);
  for (const command of ['bake', 'check']) assert.match(stdout, new RegExp(`^ {2}${command} `, 'm'));
  assert.equal(run(folder, []).stdout, stdout);
  assert.equal(run(folder, ['-h']).stdout, stdout);
});

for (const command of ['bake', 'check']) {
  test(`${command} --help shows its options and does nothing`, (t) => {
    const folder = temporaryFolder(t);
    const { status, stdout, stderr } = run(folder, [command, '--help']);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, new RegExp(`^Usage: stacosys-hook ${command} `));
    for (const option of [
      'db FILE',
      'stacosys FILE',
      'site NAME',
      'source DIR',
      'config FILE',
      'json',
      'quiet',
      'help',
    ]) {
      assert.match(stdout, new RegExp(`--${option}.*\\S`));
    }
    assert.deepEqual(readdirSync(folder), []);
  });
}

test('--version prints the version of the package', (t) => {
  assert.deepEqual(run(temporaryFolder(t), ['--version']), {
    status: 0,
    stdout: `${PACKAGE.version}\n`,
    stderr: '',
  });
});

/** @type {[what: string, args: string[], message: RegExp][]} */
const WRONG = [
  ['an unknown flag', ['bake', '--nope'], /--nope/],
  ['an unknown short flag', ['bake', '-x'], /-x/],
  ['an unknown command', ['nope'], /There is no command "nope"/],
  ['an unknown command that asks for help', ['nope', '--help'], /There is no command "nope"/],
  ['a command that is a property of every object', ['constructor'], /There is no command "constructor"/],
  ['a flag without a command', ['--db', 'x'], /No command is given/],
  ['two words', ['bake', 'check'], /"check" is one word too many/],
  ['a flag of another command', ['bake', '--hugo', 'x'], /bake has no option --hugo/],
  ['a flag without its value', ['bake', '--db'], /--db/],
  ['a value for a flag that has none', ['bake', '--json=yes'], /--json/],
  ['no database', ['bake'], /No database is named/],
  ['db and stacosys both', ['bake', '--db', 'a', '--stacosys', 'b'], /Both db and stacosys/],
  [
    'a busy timeout that is no number',
    ['bake', '--db', 'a', '--busy-timeout', 'long'],
    /busy-timeout is "long"/,
  ],
  ['an escape sequence as a command', ['\x1b[31m'], /There is no command "\\u\{1b\}\[31m"/],
  ['an escape sequence as a flag', ['bake', '--\x1b[31m\n'], /\\u\{1b\}/],
];

for (const [what, args, message] of WRONG) {
  test(`${what} is wrong usage: exit code 2`, (t) => {
    const folder = temporaryFolder(t);
    fails(folder, args, 2, message);
    assert.deepEqual(readdirSync(folder), []);
  });

  if (args.some((arg) => arg.startsWith('--json'))) continue;
  test(`${what} is told as JSON where --json is given`, (t) => {
    const { status, stdout, stderr } = run(temporaryFolder(t), ['--json', ...args]);
    assert.deepEqual([status, stdout], [2, '']);
    const { error, advice } = JSON.parse(stderr);
    assert.match(error, message);
    assert.equal(typeof advice, 'string');
  });
}

test('a Node that is too old gets a message instead of a crash', (t) => {
  const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })`;
  const preload = `--import=data:text/javascript,${encodeURIComponent(old)}`;
  const site = hugoSite(t);
  const db = databaseWith(t, comments('/a/', 1));
  const stderr = fails(site, ['bake', '--db', db], 1, /needs Node 22\.3 or newer; this is Node 20\.0\.0/, {
    node: [preload],
  });
  assert.match(stderr, /Install a current Node/);
  assert.deepEqual(readdirSync(site), ['hugo.toml']);
});

// build, releases, rollback

/**
 * @param {import('node:test').TestContext} t
 * @param {string[]} [args]
 */
function buildable(t, args = []) {
  const site = temporaryFolder(t);
  writeFileSync(
    join(site, 'hugo.toml'),
    'baseURL = "https://blog.example/"\ndisableKinds = ["taxonomy", "term", "rss", "sitemap", "section"]\n',
  );
  mkdirSync(join(site, 'layouts'));
  writeFileSync(
    join(site, 'layouts', 'index.html'),
    '<p>{{ index hugo.Data.stacosys.counts "/a/" }} comments</p>',
  );
  const db = databaseWith(t, comments('/a/', 3));
  const options = ['--db', db, '--hugo', pinnedHugo(HUGO_LATEST), ...args];
  const live = () => readFileSync(join(site, 'published', 'current', 'index.html'), 'utf8');
  return {
    site,
    db,
    live,
    build: (/** @type {string[]} */ ...more) => run(site, ['build', ...options, ...more]),
  };
}

test('build bakes, and makes a release live; rollback goes back to the one before', (t) => {
  const { site, db, live, build } = buildable(t);
  const first = build();
  assert.deepEqual([first.status, first.stderr], [0, '']);
  assert.match(
    first.stdout,
    /^3 comments on 1 page → data\/stacosys\/counts\.json\n.*\n1 HTML files → published\/current \(release \S+\)\n$/,
  );
  assert.match(live(), /3 comments/);
  edit(db, (database) => database.exec('DELETE FROM comment WHERE id = 1'));
  const second = build('--json');
  assert.match(live(), /2 comments/);
  const { release, pages, comments: baked } = JSON.parse(second.stdout);
  assert.deepEqual([pages, baked], [1, 2]);
  const listed = JSON.parse(run(site, ['releases', '--json']).stdout).releases;
  assert.deepEqual(
    listed.map((/** @type {any} */ { isLive }) => isLive),
    [true, false],
  );
  assert.equal(listed[0].name, release);
  const back = run(site, ['rollback']);
  assert.match(back.stdout, new RegExp(`^${listed[1].name} is live, instead of ${release}\\.`));
  assert.match(live(), /3 comments/);
  assert.match(run(site, ['releases']).stdout, new RegExp(`^  ${release} .*\\n\\* ${listed[1].name} .*live`));
  run(site, ['rollback', release]);
  assert.match(live(), /2 comments/);
});

test('after a rollback, readers of the newer pages still get what these ask for', (t) => {
  const { site, build } = buildable(t);
  const layout = (/** @type {string} */ text) =>
    writeFileSync(
      join(site, 'layouts', 'index.html'),
      `{{ (resources.FromString "a.css" "${text}" | fingerprint).RelPermalink }}`,
    );
  layout('old');
  build();
  layout('new');
  build();
  const current = join(site, 'published', 'current');
  const newer = readFileSync(join(current, 'index.html'), 'utf8').trim();
  assert.match(newer, /^\/a\.[0-9a-f]{64}\.css$/);
  assert.equal(run(site, ['rollback']).status, 0);
  assert.notEqual(readFileSync(join(current, 'index.html'), 'utf8').trim(), newer);
  assert.equal(readFileSync(join(current, newer), 'utf8'), 'new');
});

test('build hands to Hugo what follows --, but for where to build', (t) => {
  const { site, build } = buildable(t);
  const { status, stderr } = build('--', '--no-such-flag');
  assert.equal(status, 1);
  assert.match(stderr, /^Hugo failed: .*no-such-flag/);
  assert.equal(build('--', '--baseURL', 'https://other.example/').status, 0);
  for (const arg of [
    '-d',
    '-dpublic',
    '--destination',
    '--destination=x',
    '-s',
    '--source=x',
    '-w',
    '--watch',
  ]) {
    fails(site, ['build', '--db', 'x', '--', arg], 2, /is not for Hugo to be told/);
  }
  fails(site, ['bake', '--db', 'x', '--', '--minify'], 2, /^bake takes nothing after --/);
});

test('a build that fails leaves the live site and says what to do', (t) => {
  const { site, live, build } = buildable(t);
  build();
  writeFileSync(join(site, 'layouts', 'index.html'), '{{ broken');
  const { status, stdout, stderr } = build();
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(
    stderr,
    /^Hugo failed: .*\nRun hugo in the site and mend what it says; the live site is untouched\.\n$/,
  );
  assert.match(live(), /3 comments/);
});

test('build without Hugo, or without a database, publishes nothing', (t) => {
  const { site, db } = buildable(t);
  fails(site, ['build', '--db', db, '--hugo', 'no-such-hugo'], 1, /^There is no no-such-hugo on the PATH/);
  fails(
    site,
    ['build', '--db', 'none.sqlite', '--hugo', pinnedHugo(HUGO_LATEST)],
    1,
    /^There is no database /,
  );
  assert.ok(!readdirSync(site).includes('published'));
});

test('build --no-publish builds in place', (t) => {
  const { site, build } = buildable(t, ['--no-publish']);
  assert.match(build().stdout, /\nbuilt in place\n$/);
  assert.match(readFileSync(join(site, 'public', 'index.html'), 'utf8'), /3 comments/);
  assert.ok(!readdirSync(site).includes('published'));
});

test('releases and rollback say so where there is no release', (t) => {
  const site = hugoSite(t);
  assert.match(run(site, ['releases']).stdout, /^There is no release in /);
  fails(site, ['rollback'], 1, /^There is no release before the live one /);
  fails(site, ['rollback', '2026'], 1, /^There is no release 2026 /);
  fails(site, ['rollback', 'a', 'b'], 2, /"b" is one word too many/);
});
