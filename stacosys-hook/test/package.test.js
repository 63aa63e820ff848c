import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../scripts/tools.js';
import { BIN } from './command-line.js';
import { comments, databaseWith, temporaryFolder } from './database.js';

const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/**
 * @param {string} cwd
 * @param {string} program
 * @param {string[]} args
 * @returns {string} its standard output
 */
function run(cwd, program, args) {
  // What npm hands to the scripts it runs is about this package, not about the one under test; but
  // NODE_EXTRA_CA_CERTS stays, without which npm may reach no registry and tries for minutes
  const inherited = Object.entries(process.env).filter(
    ([name]) =>
      !/^(STACOSYS_|HUGO_|NODE_(OPTIONS|PATH|TEST)|INIT_CWD$|npm_(package|lifecycle)_|npm_config_local_prefix$)/.test(
        name,
      ),
  );
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env: { ...Object.fromEntries(inherited), PATH: path },
    encoding: 'utf8',
    timeout: 120_000,
  });
  assert.equal(status, 0, `${program} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return stdout;
}

/**
 * @param {string} folder
 * @returns {{filename: string, files: {path: string, mode: number}[]}} the tarball in that folder
 */
function pack(folder) {
  const [packed] = JSON.parse(run(ROOT, 'npm', ['pack', '--json', '--pack-destination', folder]));
  return packed;
}

test('the package contains what a user needs, and nothing else', (t) => {
  const sources = ['stacosys-hook/src', 'hugo-module/deploy'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length)),
  );
  const { files } = pack(temporaryFolder(t));
  assert.deepEqual(
    files.map(({ path }) => path).sort(),
    ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json', 'stacosys-hook/bin.js', ...sources].sort(),
  );
});

test('the packed tarball installs into an empty folder and bakes there', (t) => {
  const tarball = temporaryFolder(t);
  const { filename } = pack(tarball);
  const site = temporaryFolder(t);
  const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  run(site, 'npm', ['install', '--prefix', site, ...quick, join(tarball, filename)]);
  writeFileSync(join(site, 'hugo.toml'), '');
  const db = databaseWith(t, [...comments('/a/', 2), ...comments('a', 1)]);
  const hook = ['--no-install', 'stacosys-hook'];
  assert.equal(run(site, 'npx', [...hook, '--version']), `${PACKAGE.version}\n`);
  const output = run(site, 'npx', [...hook, 'bake', '--db', db, '--source', site]);
  assert.match(output, /^3 comments on 1 page → data\/stacosys\/counts\.json\n/);
  assert.deepEqual(JSON.parse(readFileSync(join(site, 'data/stacosys/counts.json'), 'utf8')), { '/a/': 3 });
});

test('what the installed package imports is among its dependencies', () => {
  const sources = readdirSync(join(ROOT, 'stacosys-hook/src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  const imported = sources.flatMap((text) =>
    [...text.matchAll(/\b(?:from |import\()'([^.'\n][^'\n]*)'/g)].map(([, name]) => String(name)),
  );
  const packages = imported.filter((name) => !name.startsWith('node:')).map((name) => name.split('/')[0]);
  assert.deepEqual([...new Set(packages)].sort(), Object.keys(PACKAGE.dependencies).sort());
});

test('the command is an executable file', () => {
  assert.deepEqual(PACKAGE.bin, { 'stacosys-hook': 'stacosys-hook/bin.js' });
  assert.equal(statSync(BIN).mode & 0o111, 0o111);
  assert.match(readFileSync(BIN, 'utf8'), /^#!\/usr\/bin\/env node\n/);
});

test('an install runs no script of ours', () => {
  const onInstall = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare'];
  const onPack = ['prepack', 'postpack', 'prepublish', 'prepublishOnly'];
  for (const name of [...onInstall, ...onPack]) assert.equal(PACKAGE.scripts[name], undefined, name);
});
