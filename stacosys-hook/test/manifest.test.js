import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { HUGO_VERSIONS, pinnedHugo } from '../../scripts/tools.js';
import { inspect, manifestPath, readManifest, requireHomePage, writeManifest } from '../src/manifest.js';
import { failureOf, temporaryFolder } from './database.js';
import { hugoSite, writeFiles } from './hugo-site.js';

/** The smallest PNG that can be resized. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGMQaGgAIgYIBQAcDgRBFQqs3gAAAABJRU5ErkJggg==',
  'base64',
);

const LAYOUT = `{{ $css := resources.Get "a.css" }}
{{ range slice "md5" "sha256" "sha384" "sha512" }}<link href="{{ ($css | fingerprint .).RelPermalink }}">{{ end }}
<link href="{{ ($css | minify | fingerprint).RelPermalink }}">
<img src="{{ ((resources.Get "p.png").Resize "1x1").RelPermalink }}"> {{ $css.RelPermalink }}`;

for (const version of HUGO_VERSIONS) {
  test(`what Hugo ${version} fingerprints is known by its name`, (t) => {
    const site = hugoSite(t, { 'layouts/index.html': LAYOUT, 'assets/a.css': 'a { color: red }' });
    writeFileSync(join(site, 'assets', 'p.png'), PNG);
    execFileSync(pinnedHugo(version), ['--source', site, '--quiet']);
    const { assets } = inspect(join(site, 'public'), '');
    const kinds = assets.map((path) => path.replace(/[0-9a-f]{16,}/, (digits) => `<${digits.length}>`));
    const images = kinds.filter((kind) => kind.startsWith('p_hu'));
    assert.deepEqual(
      kinds.filter((kind) => !images.includes(kind)).sort(),
      ['a.<128>.css', 'a.<32>.css', 'a.<64>.css', 'a.<96>.css', 'a.min.<64>.css'].sort(),
    );
    assert.equal(images.length, 1, String(assets));
  });
}

test('an ordinary file is none with a fingerprint', (t) => {
  const root = temporaryFolder(t);
  const names = [
    'a.css',
    'deadbeef.css',
    'posts/abcdef/index.html',
    'a.1234567890abcdef.js',
    'cafe.beef.txt',
    '_hugo.png',
  ];
  writeFiles(root, Object.fromEntries(['index.html', ...names].map((name) => [name, 'x'])));
  assert.deepEqual(inspect(root, 'data'), { pages: 2, data: 'data', assets: [] });
});

test('a file whose name is no UTF-8 does not stand in the way', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'stacosys-hook-'));
  t.after(() => execFileSync('rm', ['-rf', root])); // Node cannot
  execFileSync('sh', [
    '-c',
    'd=$(printf "caf\\351"); mkdir "$1/$d"; echo x > "$1/$d/x.html"; echo x > "$1/index.html"',
    'sh',
    root,
  ]);
  assert.equal(inspect(root, '').pages, 1);
});

test('a manifest is read as it was written', (t) => {
  const folder = temporaryFolder(t);
  const manifest = { pages: 3, data: 'abc', assets: ['a.css'] };
  writeManifest(folder, 'name', manifest);
  assert.deepEqual(readManifest(folder, 'name'), manifest);
});

test('a manifest that is missing or broken is made anew from the release', (t) => {
  const folder = temporaryFolder(t);
  const asset = `a.${'0'.repeat(64)}.css`;
  writeFiles(join(folder, 'releases', 'name'), { 'index.html': 'x', [asset]: 'x' });
  for (const text of [null, '', '{', '[]', 'null', '{"pages":"3"}', '{"pages":3,"data":"","assets":[1]}']) {
    if (text === null) rmSync(manifestPath(folder, 'name'), { force: true });
    else writeFileSync(manifestPath(folder, 'name'), text);
    assert.deepEqual(readManifest(folder, 'name'), { pages: 1, data: '', assets: [asset] }, String(text));
  }
});

test('a site has a home page, or one in a folder of each host', (t) => {
  const root = temporaryFolder(t);
  assert.match(failureOf(() => requireHomePage(root, null)).message, /there is no home page$/);
  writeFiles(root, { 'en/index.html': 'x' });
  requireHomePage(root, null);
  writeFileSync(join(root, 'index.html'), '');
  assert.match(failureOf(() => requireHomePage(root, null)).message, /the home page is empty$/);
  writeFileSync(join(root, 'index.html'), 'x');
  requireHomePage(root, null);
  rmSync(join(root, 'index.html'));
  mkdirSync(join(root, 'fr'));
  requireHomePage(root, null);
  const live = temporaryFolder(t);
  requireHomePage(root, live);
  writeFiles(live, { 'index.html': 'x' });
  assert.match(failureOf(() => requireHomePage(root, live)).message, /there is no home page$/);
});
