import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build, makeSite } from '../../hugo-module/test/hugo-site.js';
import { BUDGET, ENTRY, bundle, sizesOf } from '../bundle.js';
import { HUGO_VERSIONS, ROOT } from '../tools.js';

const CONFIG = `baseURL = "https://example.org/"
disableKinds = ["taxonomy", "term", "RSS", "sitemap", "404"]

[[module.mounts]]
source = ${JSON.stringify(join(ROOT, 'assets'))}
target = "assets"
[[module.mounts]]
source = "layouts"
target = "layouts"
`;

const LAYOUT = `{{ $options := dict "minify" true "target" "es2020" "format" "esm" -}}
{{ (resources.Get "stacosys/comments.ts" | js.Build $options).RelPermalink }}`;

test(`the script of an article page costs at most ${BUDGET} bytes`, async () => {
  const { brotli } = sizesOf((await bundle(ENTRY)).code);
  assert.ok(brotli <= BUDGET, `${brotli} bytes, ${brotli - BUDGET} too many`);
});

test('the modules and what joins them make up the whole script', async () => {
  const { code, modules } = await bundle(ENTRY);
  const inModules = modules.reduce((sum, { bytes }) => sum + bytes, 0);
  assert.ok(modules.some(({ name }) => name === 'comments.ts'));
  assert.ok(inModules <= code.length && inModules > 0.95 * code.length, `${inModules} of ${code.length}`);
});

for (const version of HUGO_VERSIONS) {
  test(`the script that Hugo ${version} builds costs no more`, (t) => {
    const site = makeSite(t, { 'hugo.toml': CONFIG, 'layouts/index.html': LAYOUT }, { theme: false });
    const { status, log, read, files } = build(site, version);
    assert.equal(status, 0, log);
    const script = read('index.html').trim().slice(1);
    assert.ok(files().includes(script), files().join('\n'));
    const { brotli } = sizesOf(readFileSync(join(site, `public-${version}`, script)));
    assert.ok(brotli <= BUDGET, `${brotli} bytes, ${brotli - BUDGET} too many`);
  });
}

test('npm run size tells what is left of the budget', () => {
  const { status, stdout } = size([]);
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^comments\.ts +[\d,]+ B +\d+ %$/m);
  assert.match(stdout, /^left of the budget +[\d,]+ B$/m);
});

test('npm run size fails above the budget, and tells by how much', () => {
  const brotli = Number(/^brotli +([\d,]+) B$/m.exec(size([]).stdout)?.[1]?.replace(',', ''));
  const { status, stdout } = size(['--budget', '100']);
  assert.equal(status, 1, stdout);
  const above = `^ABOVE the budget +${(brotli - 100).toLocaleString('en')} B$`;
  assert.match(stdout, new RegExp(above, 'm'));
});

test('what is no number is no budget', () => {
  const { status, stderr } = size(['--budget', 'some']);
  assert.equal(status, 1);
  assert.match(stderr, /--budget some/);
});

/** @param {string[]} args */
function size(args) {
  return spawnSync(process.execPath, [join(ROOT, 'scripts', 'size.js'), ...args], { encoding: 'utf8' });
}
