/* What a bake says of Hugo's own folders is what a real Hugo does, and its advice helps. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HUGO_VERSIONS, pinnedHugo } from '../../scripts/tools.js';
import { unseenFolders } from '../src/unseen-folders.js';
import { run } from './command-line.js';
import { comments, temporaryFolder, writeDatabase } from './database.js';
import { writeFiles } from './hugo-site.js';
import { startService } from './proof/service.js';

const HEAD = 'disableKinds = ["taxonomy", "term", "RSS", "sitemap", "404"]\n';

/** What Hugo sees: the counts, and the comments themselves. */
const HOME = `sees {{ with site.Data.stacosys }}counts {{ end }}{{ with resources.Match "stacosys/comments/*.json" }}comments{{ end }}`;

const SEEN = {
  'no word of folders': '',
  'mounts of other folders': mount('other', 'content'),
  'mounts as Hugo has them itself': mount('data', 'data') + mount('./assets/', 'assets/'),
  'a mount of a folder that is not there': mount('nowhere', 'data') + mount('nowhere', 'assets/x'),
  'mounts of more than one folder': mount('other', 'data') + mount('data', 'data') + mount('other', 'static'),
  'a dataDir that a mount replaces': `dataDir = "other"\n${mount('data', 'data')}`,
  'a dataDir that is the usual one': 'dataDir = "./data/"\n',
  'mounts of a module':
    '[[module.imports]]\npath = "mine"\n[[module.imports.mounts]]\nsource = "data"\ntarget = "data/mine"\n',
};

const UNSEEN = {
  'another folder as data': [mount('other', 'data'), 'counts'],
  'another folder in data': [mount('other', 'data/other'), 'counts'],
  'another folder as assets': [mount('other', 'assets'), 'comments'],
  'folders in both': [mount('other', 'assets/x') + mount('other', 'data/x'), 'counts comments'],
  dataDir: ['dataDir = "other"\n', 'counts'],
  assetDir: ['assetdir = "other"\n', 'comments'],
};

for (const [index, [what, config]] of Object.entries(SEEN).entries()) {
  const version = String(HUGO_VERSIONS[index % HUGO_VERSIONS.length]);
  test(`a bake does not warn of folders that Hugo sees: ${what} (Hugo ${version})`, (t) => {
    const blog = blogWith(t, config);
    assert.equal(bake(blog), '');
    assert.equal(homeOf(blog, version), 'sees counts comments');
  });
}

for (const [index, [what, [config = '', hidden = '']]] of Object.entries(UNSEEN).entries()) {
  const version = String(HUGO_VERSIONS[index % HUGO_VERSIONS.length]);
  test(`a bake warns of folders that Hugo does not see, and what it says helps: ${what} (Hugo ${version})`, (t) => {
    const blog = blogWith(t, config);
    const warnings = bake(blog);
    assert.equal(homeOf(blog, version), `sees ${'counts comments'.replace(hidden, '').trim()}`.trim());
    assert.equal(
      /^Hugo does not see data\/stacosys\/: .*hugo\.toml/m.test(warnings),
      hidden.includes('counts'),
    );
    assert.equal(
      /^Hugo does not see assets\/stacosys\/comments\/: .*hugo\.toml/m.test(warnings),
      hidden.includes('comments'),
    );
    const advised = [...warnings.matchAll(/source = "[^"]+", target = "[^"]+"/g)].map(([text]) => text);
    const mounts = advised.map((text) => `[[module.mounts]]\n${text.replace(', ', '\n')}\n`).join('');
    writeFileSync(join(blog, 'hugo.toml'), HEAD + config + mounts);
    assert.equal(bake(blog), '');
    assert.equal(homeOf(blog, version), 'sees counts comments');
  });
}

for (const version of HUGO_VERSIONS) {
  test(`what the environment names counts more than the files (Hugo ${version})`, (t) => {
    const blog = blogWith(t, 'dataDir = "data"\n');
    const env = { ...process.env, HUGO_DATADIR: 'other' };
    const { stderr } = run(blog, ['bake', '--comments', '--db', 'db.sqlite'], { env });
    assert.match(
      stderr,
      /^Hugo does not see data\/stacosys\/: dataDir in the environment \(HUGO_DATADIR\) is other\. /,
    );
    assert.doesNotMatch(stderr, /assets/);
    assert.equal(homeOf(blog, version, env), 'sees comments');
    assert.equal(bake(blog), '');
  });
}

test('a variable of Hugo has any case and any delimiter, and may be empty', async (t) => {
  const blog = blogWith(t, 'dataDir = "other"\n');
  const seen = async (/** @type {NodeJS.ProcessEnv} */ env) =>
    (await unseenFolders({ source: blog, comments: false }, env)).join();
  const [version = ''] = HUGO_VERSIONS.slice(-1);
  bake(blog);
  for (const name of ['HUGO_DATADIR', 'HUGO_DataDir', 'HUGOxdatadir']) {
    assert.match(homeOf(blog, version, { ...process.env, [name]: 'data' }), /counts/);
    assert.equal(await seen({ [name]: 'data' }), '', name);
  }
  assert.match(await seen({ hugo_datadir: 'data' }), /dataDir in hugo\.toml is other/);
  assert.match(
    await seen({ HUGO_DATADIR: '' }),
    /dataDir in the environment \(HUGO_DATADIR\) is empty\. Remove it/,
  );
});

test('a service warns of it when it starts', async (t) => {
  const blog = blogWith(t, UNSEEN.dataDir[0]);
  const ours = { site: blog, database: join(blog, 'db.sqlite'), published: join(blog, 'published') };
  const service = startService(t, ours, { args: ['--no-build'] });
  const { level, warning } = await service.says('Hugo does not see what is baked');
  assert.equal(level, 'warn');
  assert.match(warning, /^Hugo does not see data\/stacosys\/: dataDir in hugo\.toml is other\. /);
});

test('init and check warn of it, too; of the comments themselves only where they are baked', (t) => {
  const blog = blogWith(t, UNSEEN['folders in both'][0]);
  for (const command of ['init', 'check']) {
    const { stderr } = run(blog, [command, '--db', 'db.sqlite'], { env: { PATH: '/nowhere' } });
    assert.match(stderr, /^Hugo does not see data\/stacosys\/: /m);
    assert.doesNotMatch(stderr, /assets/);
  }
});

test('a configuration that cannot be read does not keep the counts from being baked', (t) => {
  const blog = blogWith(t, 'dataDir = \n');
  const { status, stdout, stderr } = run(blog, ['bake', '--db', 'db.sqlite']);
  assert.deepEqual([status, stdout.includes('2 comments on 1 page')], [0, true]);
  assert.match(
    stderr,
    /^Cannot tell whether Hugo sees data\/stacosys\/: Cannot read \S*hugo\.toml, line 2: /,
  );
});

/**
 * @param {import('node:test').TestContext} t
 * @param {string} [config]
 */
function blogWith(t, config = '') {
  const blog = temporaryFolder(t);
  mkdirSync(join(blog, 'content'));
  writeFiles(blog, {
    'hugo.toml': HEAD + config,
    'layouts/index.html': HOME,
    'other/x.json': '{}',
    'themes/mine/data/x.json': '{}',
  });
  writeDatabase(join(blog, 'db.sqlite'), comments('/one/', 2));
  return blog;
}

/**
 * @param {string} blog
 * @returns {string} its warnings
 */
function bake(blog) {
  const { status, stderr } = run(blog, ['bake', '--comments', '--db', 'db.sqlite']);
  assert.equal(status, 0);
  return stderr;
}

/**
 * @param {string} blog
 * @param {string} version of Hugo
 * @param {NodeJS.ProcessEnv} [env]
 */
function homeOf(blog, version, env = process.env) {
  rmSync(join(blog, 'public'), { recursive: true, force: true });
  const { status, stderr } = spawnSync(pinnedHugo(version), ['--source', blog], { encoding: 'utf8', env });
  assert.equal(status, 0, stderr);
  return readFileSync(join(blog, 'public', 'index.html'), 'utf8').trim();
}

/**
 * @param {string} source
 * @param {string} target
 */
function mount(source, target) {
  return `[[module.mounts]]\nsource = "${source}"\ntarget = "${target}"\n`;
}
