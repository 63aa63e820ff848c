import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'smol-toml';
import { resolveConfig } from '../src/config.js';
import { databasePlaces } from '../src/database-places.js';
import { run } from './command-line.js';
import { bytesIn, comments, fixturePath, temporaryFolder, writeDatabase } from './database.js';
import { writeFiles } from './hugo-site.js';
import { hasTerminal, runOnTerminal } from './terminal.js';

const IGNORED = [
  '/published/',
  '/.stacosys/',
  '/assets/jsconfig.json',
  'node_modules/',
  '/data/stacosys/',
  '/assets/stacosys/comments/',
];

/**
 * A folder with a blog in it, and a Stacosys beside it.
 *
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} [files] of the blog: path → text
 */
function blogWith(t, files = {}) {
  const folder = temporaryFolder(t);
  const blog = join(folder, 'blog');
  writeFiles(blog, { 'hugo.toml': 'baseURL = "https://blog.example/"\n', ...files });
  mkdirSync(join(folder, 'stacosys'));
  const db = writeDatabase(join(folder, 'stacosys', 'db.sqlite'), comments('/one/', 2));
  return { folder, blog, db, read: (/** @type {string} */ file) => readFileSync(join(blog, file), 'utf8') };
}

/**
 * @param {string} blog
 * @param {...string} args
 */
function init(blog, ...args) {
  return run(blog, ['init', ...args], { env: { HOME: '/nowhere' } });
}

/**
 * @param {string} blog
 * @param {...string} args
 */
function succeeds(blog, ...args) {
  const { status, stdout, stderr } = init(blog, ...args);
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  return stdout;
}

/**
 * @param {string} blog
 * @param {RegExp} message
 * @param {...string} args
 * @returns {string}
 */
function fails(blog, message, ...args) {
  const before = bytesIn(blog);
  const { status, stdout, stderr } = init(blog, '--yes', ...args);
  assert.match(stderr, message);
  assert.match(stderr, /^[^\n]+\n[^\n]+\n$/, 'what happened, and what to do');
  assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
  assert.deepEqual(bytesIn(blog), before);
  return stderr;
}

// What it writes

test('init writes stacosys.toml and .gitignore, and the next bake needs no option', (t) => {
  const { blog, read } = blogWith(t);
  const stdout = succeeds(blog, '--yes');
  assert.match(stdout, /^Written: stacosys\.toml and \.gitignore$/m);
  assert.deepEqual({ ...parse(read('stacosys.toml')) }, { db: '../stacosys/db.sqlite' });
  assert.equal(read('.gitignore'), `${IGNORED.join('\n')}\n`);
  assert.match(run(blog, ['bake']).stdout, /^2 comments on 1 page /);
});

test('the settings that stacosys.toml proposes in its comments are good ones', async (t) => {
  const { blog, db, read } = blogWith(t);
  succeeds(blog, '--yes');
  const proposed = read('stacosys.toml').replace(/^# (?=[a-z-]+ = )/gm, '');
  assert.ok(Object.keys(parse(proposed)).length > 1);
  writeFileSync(join(blog, 'stacosys.toml'), proposed);
  assert.equal((await resolveConfig({}, {}, blog)).db, db);
});

test('without a terminal it says what it would write, and writes nothing', (t) => {
  const { blog } = blogWith(t);
  const before = bytesIn(blog);
  const stdout = succeeds(blog);
  assert.match(stdout, /stacosys\.toml \(new\)\n {4}\| db = "\.\.\/stacosys\/db\.sqlite"\n/);
  assert.match(stdout, /^Nothing was written\. To write this: npx stacosys-hook init --yes/m);
  assert.deepEqual(bytesIn(blog), before);
});

test('the second run finds nothing to write', (t) => {
  const { blog } = blogWith(t);
  succeeds(blog, '--yes');
  const before = bytesIn(blog);
  const stdout = succeeds(blog, '--yes');
  assert.match(stdout, /^Nothing is to be written\.$/m);
  assert.doesNotMatch(stdout, /Written/);
  assert.deepEqual(bytesIn(blog), before);
});

test('a stacosys.toml that is there stays, and what it lacks is told', (t) => {
  const settings = 'keep = 3   # mine\n';
  const { blog, read } = blogWith(t, { 'stacosys.toml': settings });
  const stdout = succeeds(blog, '--yes');
  assert.equal(read('stacosys.toml'), settings);
  assert.match(stdout, /stacosys\.toml stays as it is: keep = 3$/m);
  assert.match(stdout, /Add this to your stacosys\.toml:\n\ndb = "\.\.\/stacosys\/db\.sqlite"\n/);
});

test('a stacosys.toml that names another database than --db is told of', (t) => {
  const { blog, folder } = blogWith(t, { 'stacosys.toml': 'db = "../other.sqlite"\n' });
  writeDatabase(join(folder, 'other.sqlite'), []);
  assert.match(
    succeeds(blog, '--db', '../stacosys/db.sqlite'),
    /names another database[^\n]*:\n\ndb = "\.\.\/stacosys/,
  );
  assert.doesNotMatch(succeeds(blog), /names another database/);
});

test('of .gitignore only the missing lines are added, with its own line ends', (t) => {
  const { blog, read } = blogWith(t, { '.gitignore': '/public\r\nnode_modules\r\ndata/' });
  const stdout = succeeds(blog, '--yes');
  assert.match(stdout, /^Written: stacosys\.toml and \.gitignore$/m);
  const added = ['/published/', '/.stacosys/', '/assets/jsconfig.json', '/assets/stacosys/comments/'];
  assert.equal(read('.gitignore'), `/public\r\nnode_modules\r\ndata/\r\n${added.join('\r\n')}\r\n`);
});

test('a .gitignore that is a link stays one, and keeps its rights and the bytes that are no UTF-8', (t) => {
  const { blog } = blogWith(t);
  const file = join(blog, 'shared');
  writeFileSync(file, Buffer.from([0x2f, 0xe9, 0x0a]));
  chmodSync(file, 0o640);
  symlinkSync('shared', join(blog, '.gitignore'));
  succeeds(blog, '--yes');
  assert.ok(lstatSync(join(blog, '.gitignore')).isSymbolicLink());
  assert.equal(statSync(file).mode & 0o777, 0o640);
  assert.equal(readFileSync(file, 'latin1'), `/\xe9\n${IGNORED.join('\n')}\n`);
});

test('a .gitignore that leads out of the blog is not written, and what it lacks is told', (t) => {
  const { blog, folder } = blogWith(t);
  const file = join(folder, 'shared');
  writeFileSync(file, '/published/\n');
  symlinkSync('../shared', join(blog, '.gitignore'));
  const stdout = succeeds(blog, '--yes');
  assert.match(stdout, /^Written: stacosys\.toml$/m);
  assert.equal(readFileSync(file, 'utf8'), '/published/\n');
  assert.ok(stdout.includes(`link out of the blog, to ${realpathSync(file)}, which git`), stdout);
  assert.ok(
    stdout.includes(`Make it a file, and add this to it:\n\n${IGNORED.slice(1).join('\n')}\n`),
    stdout,
  );
  writeFileSync(file, `${IGNORED.join('\n')}\n`);
  assert.doesNotMatch(succeeds(blog), /link out of the blog/);
});

test('a .gitignore that leads nowhere, or is a folder, is a failure', (t) => {
  const { blog } = blogWith(t);
  symlinkSync('nowhere', join(blog, '.gitignore'));
  fails(blog, /\.gitignore: it is a link that leads nowhere/);
  renameSync(join(blog, '.gitignore'), join(blog, 'link'));
  mkdirSync(join(blog, '.gitignore'));
  fails(blog, /Cannot read .*\.gitignore: EISDIR/);
});

test('a database in the folder of the blog stays out of git', (t) => {
  const { blog, db, read } = blogWith(t);
  renameSync(db, join(blog, 'db.sqlite'));
  succeeds(blog, '--yes');
  assert.deepEqual({ ...parse(read('stacosys.toml')) }, { db: 'db.sqlite' });
  assert.match(read('.gitignore'), /^\/db\.sqlite\*$/m);
});

test('a database that git has already is warned of, until it is taken out', (t) => {
  const { blog, db } = blogWith(t);
  const inside = join(blog, '[db].sqlite');
  renameSync(db, inside);
  const git = (/** @type {string[]} */ ...args) =>
    assert.equal(spawnSync('git', args, { cwd: blog, encoding: 'utf8' }).status, 0, args.join(' '));
  git('init', '--quiet');
  const warning = (/** @type {string} */ path) =>
    run(blog, ['init', '--yes', '--db', inside], { env: { HOME: '/nowhere', PATH: path } }).stderr;
  const path = process.env.PATH ?? '';
  assert.equal(warning(path), '');
  git('add', '--force', '--', inside);
  assert.match(warning(path), /^\S+\[db\]\.sqlite is in a git repository, .*git rm --cached/);
  assert.equal(warning('/nowhere'), '', 'without git');
  git('rm', '--quiet', '--cached', '--', '[[]db].sqlite');
  assert.equal(warning(path), '');
});

test('a database that Hugo would publish is warned of', (t) => {
  const { blog, db } = blogWith(t, { 'static/robots.txt': '' });
  renameSync(db, join(blog, 'static', 'db.sqlite'));
  assert.match(init(blog, '--db', 'static/db.sqlite').stderr, /lies where Hugo publishes files/);
});

test('a database that is far away is named by its full path', (t) => {
  const { blog, read } = blogWith(t);
  const db = writeDatabase(join(temporaryFolder(t), 'c.sqlite'), []);
  succeeds(blog, '--yes', '--db', db);
  assert.equal(parse(read('stacosys.toml')).db, db);
});

test('of a database of several sites, the chosen one is written by its name, not by its token', (t) => {
  const { blog, db, read } = blogWith(t);
  copyFileSync(fixturePath('gen-a-2015'), db);
  assert.match(fails(blog, /holds the comments of 2 sites/), /--site NAME/);
  const stdout = succeeds(blog, '--yes', '--site', 'TOKEN1');
  assert.deepEqual({ ...parse(read('stacosys.toml')) }, { db: '../stacosys/db.sqlite', site: 'blog' });
  assert.doesNotMatch(stdout + read('stacosys.toml'), /TOKEN1/);
});

test('a blog that is built elsewhere names the hook to ask, and its data is not ignored', (t) => {
  const { blog, read } = blogWith(t);
  const from = 'https://blog.example/stacosys/counts.json';
  const stdout = succeeds(blog, '--yes', '--from', from);
  assert.deepEqual({ ...parse(read('stacosys.toml')) }, { from });
  assert.equal(read('.gitignore'), '/published/\n/.stacosys/\n/assets/jsconfig.json\nnode_modules/\n');
  assert.match(stdout, /^Data of +https:\/\/blog\.example\/stacosys\/counts\.json$/m);
});

test('an address with a password in it is refused, and neither written nor printed', (t) => {
  const { blog, read } = blogWith(t);
  const { status, stdout, stderr } = run(blog, [
    'init',
    '--yes',
    '--from',
    'https://me:hush@blog.example/counts.json',
  ]);
  assert.equal(status, 1);
  assert.match(stderr, /no password/);
  assert.doesNotMatch(stdout + stderr, /hush/);
  assert.throws(() => read('stacosys.toml'), { code: 'ENOENT' });
});

// What it finds

test('config.ini leads to the database, and tells what the web server needs; its passwords stay there', (t) => {
  const { blog, folder, db, read } = blogWith(t);
  renameSync(db, join(folder, 'stacosys', 'comments.db'));
  const ini =
    '[main]\ndb = sqlite://comments.db\n[site]\nredirect = /merci/\n[http]\nport = 8123\n[web]\npassword = xyz\n';
  writeFileSync(join(folder, 'stacosys', 'config.ini'), ini);
  const stdout = succeeds(blog, '--yes');
  assert.deepEqual({ ...parse(read('stacosys.toml')) }, { db: '../stacosys/comments.db' });
  assert.match(stdout, /^ +named by .*\/stacosys\/config\.ini$/m);
  assert.match(stdout, /proxy_pass http:\/\/127\.0\.0\.1:8123;/);
  assert.match(stdout, /^\[params\.stacosys\]\n {2}redirect = "\/merci\/"$/m);
  assert.doesNotMatch(stdout, /xyz/);
  assert.equal(
    succeeds(blog, '--stacosys', '../stacosys/config.ini', '--json').includes('comments.db'),
    true,
  );
});

test('what is no database of Stacosys, or no config.ini of it, is passed by', (t) => {
  const { blog, folder } = blogWith(t, {
    'config.ini': '[database]\nurl = postgres://u:secret@h/d\n',
    'db.sqlite': 'x',
  });
  mkdirSync(join(folder, 'config.ini'));
  const { status, stdout } = init(blog);
  assert.equal(status, 0);
  assert.match(stdout, /^Database +.*\/stacosys\/db\.sqlite, of Stacosys /m);
});

test('of two databases none is taken', (t) => {
  const { blog, folder } = blogWith(t);
  writeDatabase(join(folder, 'db.sqlite'), []);
  assert.match(
    fails(blog, /There are 2 databases of Stacosys: .*\/db\.sqlite, .*\/stacosys\/db\.sqlite/),
    /--db FILE/,
  );
});

test('one database with two names is one', (t) => {
  const { blog, folder, db } = blogWith(t);
  symlinkSync(db, join(folder, 'db.sqlite'));
  succeeds(blog);
});

test('without a database it says where it looked, and how to name one', (t) => {
  const { blog, db } = blogWith(t);
  if (
    databasePlaces(blog, '').some((place) => existsSync(join(place, 'db.sqlite')) && !db.startsWith(place))
  ) {
    return t.skip('this machine has a Stacosys');
  }
  renameSync(db, `${db}.away`);
  const stderr = fails(blog, /^No database of Stacosys was found: .*\/var\/lib\/stacosys/);
  assert.match(stderr, /\nName it by --db FILE, or by --stacosys FILE/);
});

test('a database that is named and cannot be read keeps its own message', (t) => {
  const { blog } = blogWith(t);
  fails(blog, /^There is no database .*none\.sqlite/, '--db', 'none.sqlite');
  fails(blog, /^Cannot read .*none\.ini/, '--stacosys', 'none.ini');
});

// A blog that is none

test('a folder that is no Hugo site, or lies in one, is a failure', (t) => {
  const folder = temporaryFolder(t);
  fails(folder, /^.* is no Hugo site: it has no hugo\.toml/);
  const { blog } = blogWith(t, { 'content/one.md': '' });
  assert.match(fails(join(blog, 'content'), /content is not the Hugo site/), /--source /);
  assert.match(init(temporaryFolder(t), '--source', blog).stdout, /^Blog +.*\/blog \(hugo\.toml\)$/m);
});

for (const [file, text, line] of [
  ['hugo.toml', 'a = 1\ntheme =\n', ', line 2'],
  ['config/_default/module.yaml', 'imports:\n  - path: [\n', ', line \\d'],
  ['hugo.json', '{ "theme": }', ''],
  ['config/_default/hugo.yaml', '- a\n', ''],
]) {
  test(`${file} that cannot be read is a failure with its line, where there is one`, (t) => {
    const { blog } = blogWith(t, { 'hugo.toml': '', [String(file)]: String(text) });
    if (file === 'hugo.json') renameSync(join(blog, 'hugo.toml'), join(blog, 'old'));
    fails(blog, new RegExp(`^Cannot read .*${file}${line}: `));
  });
}

test('a broken stacosys.toml is a failure', (t) => {
  fails(blogWith(t, { 'stacosys.toml': 'db = \n' }).blog, /^Cannot read .*stacosys\.toml, line 1: /);
});

test('a theme that is not there is warned of', (t) => {
  const { blog } = blogWith(t, { 'hugo.toml': 'theme = "gone"\n', '.git/HEAD': '' });
  const { status, stderr } = init(blog);
  assert.equal(status, 0);
  assert.match(stderr, /^The theme gone is not in themes\/: .*git submodule update --init.*\n$/);
});

test('what a configuration holds reaches the terminal only in escaped form', (t) => {
  const config = `theme = ["\\u001b[31mred", "a\\nb", "\\u202e"]\n[languages."\\u009b1m"]\n[languages.fr]\n`;
  const { blog } = blogWith(t, { 'hugo.toml': config });
  const { stdout } = init(blog); // which looks for control characters itself
  assert.match(stdout, /\\u\{1b\}\[31mred/);
  assert.match(stdout, /\\u\{9b\}1m, fr/);
});

test('--json tells the same, --quiet nothing; neither asks', (t) => {
  const { blog, db } = blogWith(t);
  const told = JSON.parse(succeeds(blog, '--json'));
  assert.deepEqual(told.written, []);
  assert.deepEqual(
    told.changes.map((/** @type {{file: string}} */ { file }) => file),
    ['stacosys.toml', '.gitignore'],
  );
  assert.equal(told.database.file, db);
  assert.equal(succeeds(blog, '--quiet'), '');
  assert.equal(existsSync(join(blog, 'stacosys.toml')), false);
  assert.equal(succeeds(blog, '--quiet', '--yes'), '');
  assert.equal(existsSync(join(blog, 'stacosys.toml')), true);
});

// On a terminal

/** @type {[what: string, answer: string, isWritten: boolean, status: number, said: RegExp][]} */
const ANSWERS = [
  ['y', 'y\r', true, 0, /Written: stacosys\.toml and \.gitignore/],
  ['n', 'n\r', false, 0, /Nothing was written/],
  ['the Enter key alone', '\r', false, 0, /Nothing was written/],
  ['Ctrl+D', '\x04', false, 0, /Nothing was written/],
  ['Ctrl+C', '\x03', false, 1, /Nothing was written/],
];

for (const [what, answer, isWritten, status, said] of ANSWERS) {
  test(`on a terminal it asks, and ${what} ${isWritten ? 'has it write' : 'leaves everything as it was'}`, async (t) => {
    if (!hasTerminal()) return t.skip('there is no `script` of util-linux');
    const { blog } = blogWith(t);
    const before = bytesIn(blog);
    const options = { question: 'Write this? [y/N]', answer, env: { HOME: '/nowhere' } };
    const { status: ended, screen } = await runOnTerminal(blog, ['init'], options);
    assert.equal(ended, status, screen);
    assert.match(screen, /stacosys\.toml \(new\)/);
    assert.match(screen, said);
    if (isWritten) assert.ok(existsSync(join(blog, 'stacosys.toml')));
    else assert.deepEqual(bytesIn(blog), before);
  });
}
