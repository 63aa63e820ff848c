import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { HUGO_VERSIONS, ROOT, pinnedHugo } from '../../scripts/tools.js';
import { temporaryFolder } from '../../stacosys-hook/test/database.js';
import { CONFIG, STRICT, build, makeSite, textLines } from './hugo-site.js';

const MODULE = 'github.com/hugo-stacosys/hugo-stacosys';
const VERSION = 'v0.9.9';

/** A module zip holds files only; `python3 -m zipfile -c` would add the folders. */
const ZIP = `
import pathlib, sys, zipfile
root = pathlib.Path(sys.argv[2])
with zipfile.ZipFile(sys.argv[1], 'w') as archive:
    for path in sorted(path for path in root.rglob('*') if path.is_file()):
        archive.write(path, path.relative_to(root).as_posix())
`;

const OWN_CONFIG = CONFIG.replace('theme = "hugo-stacosys"\n', '');
const IMPORT = `[[module.imports]]\npath = "${MODULE}"\n`;

const CONTENT = {
  'content/one.md': '---\ntitle: One\n---\n',
  'layouts/_default/single.html':
    '{{ partial "stacosys/count.html" . }}<hr>{{ partial "stacosys/comments.html" . }}',
  'data/stacosys/counts.json': '{"/one/": 3}',
};

for (const version of HUGO_VERSIONS) {
  test(`the module works as a theme folder (Hugo ${version})`, (t) => {
    const site = makeSite(t, { 'hugo.toml': CONFIG, ...CONTENT }, { theme: false });
    exportModule(join(site, 'themes', 'hugo-stacosys'));
    assertWorks(site, version);
  });

  test(`the module works through a replacement, without Go (Hugo ${version})`, (t) => {
    const copy = join(temporaryFolder(t), 'any name');
    exportModule(copy);
    const config = `${OWN_CONFIG}[module]\nreplacements = "${MODULE} -> ${copy}"\n${IMPORT}`;
    const site = makeSite(t, { 'hugo.toml': config, ...CONTENT }, { theme: false });
    assertWorks(site, version, { PATH: '' });
  });

  test(`hugo mod get takes the module from a proxy, and its zip is complete (Hugo ${version})`, (t) => {
    const { site, env } = siteWithModule(t, version);
    assertWorks(site, version, env);
  });

  test(`a vendored module is complete, without Go, proxy or cache (Hugo ${version})`, (t) => {
    const { site, env } = siteWithModule(t, version);
    hugoMod(version, site, env, ['vendor']);
    assert.ok(existsSync(join(site, '_vendor', MODULE, 'hugo.toml')));
    const offline = { PATH: '', HUGO_MODULE_PROXY: 'off', HUGO_CACHEDIR: temporaryFolder(t) };
    assertWorks(site, version, offline);
  });
}

test('the module brings nothing of its package.json into a site', (t) => {
  const site = makeSite(t, { ...CONTENT });
  for (const version of HUGO_VERSIONS) {
    execFileSync(pinnedHugo(version), ['mod', 'npm', 'pack', '--source', site], { stdio: 'pipe' });
    const packages = execFileSync('cat', [join(site, 'package.json')], { encoding: 'utf8' });
    assert.ok(!/better-sqlite3|eslint/.test(packages), packages);
  }
});

/**
 * @param {import('node:test').TestContext} t
 * @param {string} version of Hugo
 * @returns {{site: string, env: Record<string, string>}} a site that has the module from a proxy
 */
function siteWithModule(t, version) {
  const go = temporaryFolder(t);
  const env = {
    HUGO_MODULE_PROXY: pathToFileURL(makeProxy(temporaryFolder(t))).href, // Hugo sets GOPROXY from it
    HUGO_CACHEDIR: join(go, 'cache'),
    GOSUMDB: 'off',
    GOFLAGS: '-modcacherw',
    GOTOOLCHAIN: 'local',
  };
  const site = makeSite(t, { 'hugo.toml': OWN_CONFIG + IMPORT, ...CONTENT }, { theme: false });
  hugoMod(version, site, env, ['init', 'example.org/blog']);
  hugoMod(version, site, env, ['get', `${MODULE}@${VERSION}`]);
  return { site, env };
}

/**
 * @param {string} version of Hugo
 * @param {string} site
 * @param {Record<string, string>} env
 * @param {string[]} args
 */
function hugoMod(version, site, env, args) {
  const options = { cwd: site, env: { ...process.env, ...env }, stdio: /** @type {const} */ ('pipe') };
  execFileSync(pinnedHugo(version), ['mod', ...args], options);
}

/**
 * @param {string} site
 * @param {string} version
 * @param {NodeJS.ProcessEnv} [env]
 */
function assertWorks(site, version, env) {
  const { status, log, read } = build(site, version, STRICT, env);
  assert.equal(status, 0, log);
  const [count = '', section = ''] = read('one/index.html').split('<hr>');
  assert.deepEqual(textLines(count), ['3 comments']);
  assert.match(section, /<section class="stacosys" .*Comments <span class="stacosys-number">3</s);
  for (const kind of ['js', 'css']) {
    const [, file = ''] = new RegExp(`"/(stacosys/[^"]*\\.${kind})"`).exec(section) ?? [];
    assert.match(read(file), kind === 'js' ? /querySelector/ : /\.stacosys/);
  }
}

/**
 * Puts the tracked files of the working tree there: what a clone would hold after a commit.
 *
 * @param {string} folder
 */
function exportModule(folder) {
  const files = git(['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
    .split('\0')
    .filter(Boolean);
  for (const file of files) cpSync(join(ROOT, file), join(folder, file), { recursive: true, force: true });
}

/**
 * A Go module proxy is a folder of files. @see https://go.dev/ref/mod#goproxy-protocol
 *
 * @param {string} proxy
 */
function makeProxy(proxy) {
  const versions = join(proxy, MODULE, '@v');
  const root = `${MODULE}@${VERSION}`;
  const staged = join(proxy, 'staged', root);
  exportModule(staged);
  mkdirSync(versions, { recursive: true });
  writeFileSync(join(versions, 'list'), `${VERSION}\n`);
  writeFileSync(
    join(versions, `${VERSION}.info`),
    JSON.stringify({ Version: VERSION, Time: '2026-11-01T00:00:00Z' }),
  );
  writeFileSync(join(versions, `${VERSION}.mod`), `module ${MODULE}\n`);
  const zip = ['-c', ZIP, join(versions, `${VERSION}.zip`), join(proxy, 'staged')];
  execFileSync('python3', zip);
  return proxy;
}

/** @param {string[]} args */
function git(args) {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
}
