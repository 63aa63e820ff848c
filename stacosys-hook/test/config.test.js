import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { resolveConfig } from '../src/config.js';
import { databasePath } from '../src/database-path.js';
import { UsageError } from '../src/errors.js';
import { failureOf, printableFailure, temporaryFolder } from './database.js';

/**
 * @param {Record<string, string>} flags
 * @param {NodeJS.ProcessEnv} env
 * @param {string} cwd
 */
async function failureOfConfig(flags, env, cwd) {
  try {
    await resolveConfig(flags, env, cwd);
  } catch (error) {
    return printableFailure(error);
  }
  assert.fail('it did not fail');
}

/**
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} files name → text
 */
function siteWith(t, files) {
  const folder = temporaryFolder(t);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test('without any setting but the database the defaults hold', async (t) => {
  const site = siteWith(t, {});
  assert.deepEqual(await resolveConfig({ db: 'x.sqlite' }, {}, site), {
    db: join(site, 'x.sqlite'),
    site: undefined,
    source: site,
    stacosys: undefined,
    from: undefined,
    busyTimeout: 5000,
    hugo: 'hugo',
    hugoArgs: [],
    hugoTimeout: 600_000,
    mode: 'publish',
    publishTo: join(site, 'published'),
    keep: 5,
    force: false,
    yes: false,
    content: false,
    comments: undefined,
    host: '127.0.0.1',
    port: 8101,
    stopTimeout: 20_000,
    secrets: { webhook: [], targets: [], notify: undefined, token: undefined },
    release: undefined,
  });
});

test('a command that needs no comments needs no database, and takes its words', async (t) => {
  const site = siteWith(t, { 'stacosys.toml': 'publish-to = "www"' });
  const words = { hugoArgs: ['--buildDrafts'], release: '2026' };
  const config = await resolveConfig({}, {}, site, {}, words);
  assert.deepEqual([config.db, config.publishTo], ['', join(site, 'www')]);
  assert.deepEqual([config.hugoArgs, config.release], [['--buildDrafts'], '2026']);
});

test('a setting that is on or off says so in the file, in the environment and as a flag', async (t) => {
  const site = siteWith(t, { 'stacosys.toml': 'db = "x"\ncontent = true\nno-build = false\n' });
  assert.equal((await resolveConfig({}, {}, site)).content, true);
  assert.equal((await resolveConfig({}, {}, site)).mode, 'publish');
  assert.equal((await resolveConfig({}, { STACOSYS_CONTENT: '0' }, site)).content, false);
  assert.equal((await resolveConfig({}, { STACOSYS_NO_BUILD: '1' }, site)).mode, 'never');
  assert.equal((await resolveConfig({ 'no-publish': true }, {}, site)).mode, 'in place');
  const failure = await failureOfConfig({}, { STACOSYS_CONTENT: 'yes' }, site);
  assert.equal(failure.message, 'content is "yes"');
  const wrong = siteWith(t, { 'stacosys.toml': 'db = "x"\ncontent = "true"\n' });
  assert.match((await failureOfConfig({}, {}, wrong)).message, /"content" is neither true nor false$/);
});

test('numbers are whole, and within their limits', async (t) => {
  const site = siteWith(t, { 'stacosys.toml': 'db = "x"\n' });
  for (const [name, good, bad] of [
    ['keep', '2', '1'],
    ['port', '0', '65536'],
    ['hugo-timeout', '1', '0'],
    ['stop-timeout', '0', '-1'],
    ['busy-timeout', '600000', '1.5'],
  ]) {
    await resolveConfig({ [String(name)]: good }, {}, site);
    const failure = await failureOfConfig({ [String(name)]: String(bad) }, {}, site);
    assert.equal(failure.message, `${name} is "${bad}"`);
    assert.equal(failure.exitCode, 2);
  }
});

test('the releases do not go where Hugo reads or writes', async (t) => {
  const site = siteWith(t, { 'stacosys.toml': 'db = "x"\n' });
  for (const folder of ['static/p', 'content', 'public', 'public/x', './layouts/../data/y']) {
    const failure = await failureOfConfig({ 'publish-to': folder }, {}, site);
    assert.match(failure.message, /^Hugo has its own use for /, folder);
  }
  for (const folder of ['www', '../public', 'publication', '/srv/static']) {
    await resolveConfig({ 'publish-to': folder }, {}, site);
  }
});

test('an empty setting in the file is refused', async (t) => {
  const site = siteWith(t, { 'stacosys.toml': 'db = "x"\nhost = ""\n' });
  assert.match((await failureOfConfig({}, {}, site)).message, /"host" is empty$/);
});

test('the counts of another hook stand for a database, not beside one', async (t) => {
  const site = siteWith(t, {});
  const from = 'https://blog.example/stacosys/counts.json';
  const config = await resolveConfig({ from }, { STACOSYS_DB: 'x' }, site);
  assert.deepEqual([config.from, config.db], [from, '']);
  const failure = await failureOfConfig({ from, db: 'x' }, {}, site);
  assert.equal(failure.message, 'Both db and from name a database');
});

test('a flag wins over the environment, which wins over the file, which wins over the default', async (t) => {
  const site = siteWith(t, {
    'stacosys.toml': 'db = "file.sqlite"\nsite = "file"\nbusy-timeout = 3\nhugo = "file-hugo"\n',
  });
  const flags = { db: 'flag.sqlite', site: 'flag', 'busy-timeout': '1', hugo: 'flag-hugo' };
  const env = {
    STACOSYS_DB: 'env.sqlite',
    STACOSYS_SITE: 'env',
    STACOSYS_BUSY_TIMEOUT: '2',
    STACOSYS_HUGO: 'env-hugo',
  };
  /** @param {import('../src/config.js').Config} config */
  const shown = ({ db, site: name, busyTimeout, hugo }) => [
    db.slice(site.length + 1),
    name,
    busyTimeout,
    hugo,
  ];
  assert.deepEqual(shown(await resolveConfig(flags, env, site)), ['flag.sqlite', 'flag', 1, 'flag-hugo']);
  assert.deepEqual(shown(await resolveConfig({}, env, site)), ['env.sqlite', 'env', 2, 'env-hugo']);
  assert.deepEqual(shown(await resolveConfig({}, {}, site)), ['file.sqlite', 'file', 3, 'file-hugo']);
});

test('each setting takes its value from the highest level that has it', async (t) => {
  const site = siteWith(t, { 'stacosys.toml': 'db = "file.sqlite"\nsite = "file"\n' });
  const config = await resolveConfig({ 'busy-timeout': '1' }, { STACOSYS_SITE: 'env' }, site);
  assert.deepEqual([config.db, config.site, config.busyTimeout], [join(site, 'file.sqlite'), 'env', 1]);
});

test('an empty environment variable is as good as none', async (t) => {
  const site = siteWith(t, { 'stacosys.toml': 'db = "file.sqlite"\n' });
  const env = { STACOSYS_DB: '', STACOSYS_SITE: '', STACOSYS_STACOSYS: '', STACOSYS_BUSY_TIMEOUT: '' };
  const config = await resolveConfig({}, env, site);
  assert.deepEqual(
    [config.db, config.site, config.busyTimeout],
    [join(site, 'file.sqlite'), undefined, 5000],
  );
});

test('the hugo binary may come from HUGO_BIN, which is as good as none where it is empty', async (t) => {
  const site = siteWith(t, {});
  /** @param {NodeJS.ProcessEnv} env */
  const hugo = async (env) => (await resolveConfig({ db: 'x' }, env, site)).hugo;
  assert.equal(await hugo({ HUGO_BIN: '/opt/hugo' }), '/opt/hugo');
  assert.equal(await hugo({ HUGO_BIN: '' }), 'hugo');
  assert.equal(await hugo({ HUGO_BIN: '', STACOSYS_HUGO: '' }), 'hugo');
  assert.equal(await hugo({ HUGO_BIN: '/opt/hugo', STACOSYS_HUGO: '/my/hugo' }), '/my/hugo');
});

test('a path is relative to where it stands: the command line, or the folder of the file', async (t) => {
  const cwd = siteWith(t, {});
  const site = join(cwd, 'blog');
  mkdirSync(site);
  writeFileSync(join(site, 'stacosys.toml'), 'db = "../stacosys/db.sqlite"\n');
  assert.equal((await resolveConfig({ source: 'blog' }, {}, cwd)).db, join(cwd, 'stacosys/db.sqlite'));
  assert.equal((await resolveConfig({ source: 'blog', db: 'a.sqlite' }, {}, cwd)).db, join(cwd, 'a.sqlite'));
  const env = { STACOSYS_DB: 'b.sqlite' };
  assert.equal((await resolveConfig({ source: 'blog' }, env, cwd)).db, join(cwd, 'b.sqlite'));
  assert.equal((await resolveConfig({ source: 'blog' }, {}, cwd)).source, site);
});

test('--config names another file than stacosys.toml', async (t) => {
  const site = siteWith(t, { 'stacosys.toml': 'db = "a.sqlite"\n', 'other.toml': 'db = "b.sqlite"\n' });
  assert.equal((await resolveConfig({ config: 'other.toml' }, {}, site)).db, join(site, 'b.sqlite'));
});

test('a file that --config names must be there', async (t) => {
  const site = siteWith(t, {});
  const error = await failureOfConfig({ config: 'none.toml', db: 'x' }, {}, site);
  assert.match(error.message, /^Cannot read .*none\.toml/);
  assert.equal(error.exitCode, 1);
});

test('a file that is no TOML is refused with its line', async (t) => {
  const site = siteWith(t, { 'stacosys.toml': '# settings\n\nkeep = 3\ndb = /var/db.sqlite\n' });
  const { message } = await failureOfConfig({}, {}, site);
  assert.equal(message, `Cannot read ${site}/stacosys.toml, line 4: Invalid TOML document: invalid value`);
});

test('an unknown setting is refused, and the settings are listed', async (t) => {
  const site = siteWith(t, { 'stacosys.toml': 'database = "db.sqlite"\n' });
  const { message, advice } = await failureOfConfig({}, {}, site);
  assert.match(message, /there is no setting "database"/);
  assert.match(advice, /\bdb, stacosys, site\b/);
});

test('an unknown setting with an escape sequence in its name is shown without it', async (t) => {
  const site = siteWith(t, { 'stacosys.toml': '"\\u001b[31m" = 1\n' });
  assert.match((await failureOfConfig({}, {}, site)).message, /no setting "\\u\{1b\}\[31m"/);
});

test('a Hugo site that is not there is a failure', async (t) => {
  const site = siteWith(t, {});
  assert.match((await failureOfConfig({ db: 'x', source: 'none' }, {}, site)).message, /^There is no folder/);
});

test('no database at all is wrong usage', async (t) => {
  const error = await failureOfConfig({}, {}, siteWith(t, {}));
  assert.ok(error instanceof UsageError);
  assert.match(error.advice, /--db FILE/);
});

test('db and stacosys together are wrong usage on any level', async (t) => {
  const site = siteWith(t, {});
  const both = { db: 'a', stacosys: 'b' };
  assert.ok((await failureOfConfig(both, {}, site)) instanceof UsageError);
  const env = { STACOSYS_DB: 'a', STACOSYS_STACOSYS: 'b' };
  assert.ok((await failureOfConfig({}, env, site)) instanceof UsageError);
  writeFileSync(join(site, 'stacosys.toml'), 'db = "a"\nstacosys = "b"\n');
  assert.ok((await failureOfConfig({}, {}, site)) instanceof UsageError);
});

test('--db is taken although the file names a config.ini', async (t) => {
  const site = siteWith(t, { 'stacosys.toml': 'stacosys = "none.ini"\n' });
  assert.equal((await resolveConfig({ db: 'a.sqlite' }, {}, site)).db, join(site, 'a.sqlite'));
});

for (const value of ['-1', '1.5', 'abc', '600001', 'Infinity']) {
  test(`a busy timeout of ${value} is wrong usage`, async (t) => {
    const error = await failureOfConfig({ db: 'x', 'busy-timeout': value }, {}, siteWith(t, {}));
    assert.ok(error instanceof UsageError);
    assert.match(error.message, /busy-timeout/);
  });
}

/** @type {[uri: string, path: string][]} */
const URIS = [
  ['db.sqlite', 'db.sqlite'],
  ['../var/db.sqlite', '../var/db.sqlite'],
  ['/var/lib/stacosys/db.sqlite', '/var/lib/stacosys/db.sqlite'],
  ['sqlite://db.sqlite', 'db.sqlite'],
  ['sqlite://var/db.sqlite', 'var/db.sqlite'],
  ['sqlite:///var/lib/stacosys/db.sqlite', '/var/lib/stacosys/db.sqlite'],
  ['sqlite:///db.sqlite', 'db.sqlite'],
  ['sqlite:////var/lib/stacosys/db.sqlite', '/var/lib/stacosys/db.sqlite'],
  ['sqlite:db.sqlite', 'db.sqlite'],
  ['SQLite://db.sqlite', 'db.sqlite'],
  ['sqlite://été 1.sqlite', 'été 1.sqlite'],
];

for (const [uri, path] of URIS) {
  test(`the database ${uri} is the file ${path}`, () => assert.equal(databasePath(uri), path));
}

for (const scheme of ['postgres', 'postgresql', 'mysql', 'mongodb+srv']) {
  test(`a ${scheme} database is refused without showing its password`, () => {
    const { message, advice, exitCode } = failureOf(() =>
      databasePath(`${scheme}://user:secret@host/comments`),
    );
    assert.ok(message.includes(`is a ${scheme} database`));
    assert.ok(!`${message}${advice}`.includes('secret'));
    assert.equal(exitCode, 1);
  });
}

test('a postgres URI is refused wherever it stands', async (t) => {
  const uri = 'postgres://user:secret@host/comments';
  const site = siteWith(t, { 'config.ini': `[main]\ndb = ${uri}\n` });
  const all = [
    await failureOfConfig({ db: uri }, {}, site),
    await failureOfConfig({}, { STACOSYS_DB: uri }, site),
    await failureOfConfig({ stacosys: 'config.ini' }, {}, site),
  ];
  for (const { message } of all) assert.match(message, /is a postgres database/);
});

/** @type {[what: string, setting: string][]} */
const SPELLINGS = [
  ['Stacosys 3', 'db = sqlite://db.sqlite'],
  ['an absolute path', 'db = sqlite://FOLDER/db.sqlite'],
  ['Stacosys 2', 'db_sqlite_file = db.sqlite'],
  ['Stacosys 1', 'db_url = sqlite:///db.sqlite'],
  ['Stacosys 1, a bare file', 'db_url = db.sqlite'],
  ['no spaces', 'db=sqlite://db.sqlite'],
];

for (const [what, setting] of SPELLINGS) {
  test(`config.ini names the database: ${what}, ${setting}`, async (t) => {
    const stacosys = siteWith(t, { 'db.sqlite': '' });
    const text = `; Default configuration\n[main]\nlang = fr\n${setting.replace('FOLDER', stacosys)}\n\n[site]\nname = "Blog"\n`;
    writeFileSync(join(stacosys, 'config.ini'), text);
    const site = siteWith(t, {});
    const { db } = await resolveConfig({ stacosys: join(stacosys, 'config.ini') }, {}, site);
    assert.equal(db, join(stacosys, 'db.sqlite'));
  });
}

/** @type {[what: string, text: string, file: string][]} */
const INI_FILES = [
  ['a colon', '[main]\ndb: sqlite://db.sqlite\n', 'db.sqlite'],
  ['a colon without a space', '[main]\ndb:sqlite://db.sqlite\n', 'db.sqlite'],
  ['an upper-case name', '[main]\nDB = sqlite://db.sqlite\n', 'db.sqlite'],
  ['an old name in upper case', '[main]\nDb_Sqlite_File : db.sqlite\n', 'db.sqlite'],
  ['an equals sign and a colon in the value', '[main]\ndb = sqlite://a=b:c.sqlite\n', 'a=b:c.sqlite'],
  ['what elsewhere starts a comment', '[main]\ndb = sqlite://a ; b # c.sqlite\n', 'a ; b # c.sqlite'],
  [
    'comments on lines of their own',
    '# db = no\n[main]\n; db = no\n  # db = no\ndb = db.sqlite\n',
    'db.sqlite',
  ],
  [
    'other sections before',
    '[site]\ndb = no.sqlite\nname = x\n[http]\nport = 1\n[main]\ndb = db.sqlite\n',
    'db.sqlite',
  ],
  ['other sections after', '[main]\ndb = db.sqlite\n[site]\ndb = no.sqlite\n', 'db.sqlite'],
  ['a comment after the name of the section', '[main] ; the [main] one\ndb = db.sqlite\n', 'db.sqlite'],
  ['indented lines', '  [main]\n  lang = fr\n  db = db.sqlite  \n', 'db.sqlite'],
  ['lines that are no settings', '[main]\nnothing\n = nothing\ndb = db.sqlite\n', 'db.sqlite'],
  [
    'a name of an object property',
    '[__proto__]\ndb = no\n[main]\n__proto__ = no\ndb = db.sqlite\n',
    'db.sqlite',
  ],
  ['no line end at the end', '[main]\ndb = db.sqlite', 'db.sqlite'],
];

for (const [what, text, file] of INI_FILES) {
  test(`config.ini is read as Python reads it: ${what}`, async (t) => {
    const folder = siteWith(t, { 'config.ini': text });
    assert.equal((await resolveConfig({ stacosys: 'config.ini' }, {}, folder)).db, join(folder, file));
  });
}

test('a database that another section of config.ini names is not that of Stacosys', async (t) => {
  for (const text of ['[site]\ndb = a.sqlite\n', 'db = a.sqlite\n', '[Main]\ndb = a.sqlite\n']) {
    const folder = siteWith(t, { 'config.ini': text });
    const { message, advice } = await failureOfConfig({ stacosys: 'config.ini' }, {}, folder);
    assert.match(message, /names no database: no "db" in its section \[main\]$/);
    assert.match(advice, /--db FILE/);
  }
});

test('config.ini with Windows line ends and a byte order mark is read', async (t) => {
  const folder = siteWith(t, {
    'db.sqlite': '',
    'config.ini': '\ufeff[main]\r\ndb = sqlite://db.sqlite\r\n',
  });
  assert.equal((await resolveConfig({ stacosys: 'config.ini' }, {}, folder)).db, join(folder, 'db.sqlite'));
});

test('the newest spelling in config.ini wins', async (t) => {
  const folder = siteWith(t, {
    'config.ini': '[main]\ndb_url = c.sqlite\ndb_sqlite_file = b.sqlite\ndb = sqlite://a.sqlite\n',
  });
  assert.equal((await resolveConfig({ stacosys: 'config.ini' }, {}, folder)).db, join(folder, 'a.sqlite'));
});

test('a relative database of config.ini lies beside it, or in the current folder', async (t) => {
  const stacosys = siteWith(t, { 'config.ini': '[main]\ndb = sqlite://db.sqlite\n' });
  const cwd = siteWith(t, { 'db.sqlite': '' });
  const flags = { stacosys: join(stacosys, 'config.ini') };
  assert.equal((await resolveConfig(flags, {}, cwd)).db, join(cwd, 'db.sqlite'));
  writeFileSync(join(stacosys, 'db.sqlite'), '');
  assert.equal((await resolveConfig(flags, {}, cwd)).db, join(stacosys, 'db.sqlite'));
});

test('a database of config.ini that is nowhere is expected beside it', async (t) => {
  const folder = siteWith(t, { 'config.ini': '[main]\ndb = sqlite://none.sqlite\n' });
  const { db } = await resolveConfig({ stacosys: join(folder, 'config.ini') }, {}, siteWith(t, {}));
  assert.equal(db, join(folder, 'none.sqlite'));
});

test('config.ini may be named by the environment and by stacosys.toml', async (t) => {
  const folder = siteWith(t, {
    'config.ini': '[main]\ndb = sqlite://db.sqlite\n',
    'stacosys.toml': 'stacosys = "config.ini"\n',
  });
  const env = { STACOSYS_STACOSYS: join(folder, 'config.ini') };
  assert.equal((await resolveConfig({}, env, siteWith(t, {}))).db, join(folder, 'db.sqlite'));
  assert.equal((await resolveConfig({}, {}, folder)).db, join(folder, 'db.sqlite'));
});

test('config.ini without a database is a failure', async (t) => {
  const folder = siteWith(t, { 'config.ini': '[main]\nlang = fr\ndb =\n' });
  assert.match((await failureOfConfig({ stacosys: 'config.ini' }, {}, folder)).message, /names no database/);
});

test('a missing config.ini, or a folder in its place, is a failure', async (t) => {
  const folder = siteWith(t, {});
  assert.match(
    (await failureOfConfig({ stacosys: 'none.ini' }, {}, folder)).message,
    /^Cannot read .*none\.ini/,
  );
  assert.match((await failureOfConfig({ stacosys: '.' }, {}, folder)).message, /^Cannot read /);
});
