import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { build, makeSite } from '../../hugo-module/test/hugo-site.js';
import { SCRIPTS, bundle, sizesOf } from '../bundle.js';
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
{{ range slice "comments" "baked" -}}
{{ (resources.Get (printf "stacosys/%s.ts" .) | js.Build $options).RelPermalink }}
{{ end }}`;

for (const { what, entry, budget } of SCRIPTS) {
  test(`the script for ${what} costs at most ${budget} bytes`, async () => {
    withinBudget((await bundle(entry)).code, budget);
  });

  test(`the modules and what joins them make up the whole script for ${what}`, async () => {
    const { code, modules } = await bundle(entry);
    const inModules = modules.reduce((sum, { bytes }) => sum + bytes, 0);
    assert.ok(modules.some(({ name }) => name === basename(entry)));
    assert.ok(inModules <= code.length && inModules > 0.95 * code.length, `${inModules} of ${code.length}`);
  });
}

test('a page with baked comments loads no Markdown renderer', async () => {
  const [live, baked] = await Promise.all(SCRIPTS.map(({ entry }) => bundle(entry)));
  const hasMarkdown = (/** @type {typeof live} */ script) =>
    script?.modules.some(({ name }) => name === 'markdown.ts');
  assert.equal(hasMarkdown(live), true);
  assert.equal(hasMarkdown(baked), false);
});

for (const version of HUGO_VERSIONS) {
  test(`the scripts that Hugo ${version} builds cost no more`, (t) => {
    const site = makeSite(t, { 'hugo.toml': CONFIG, 'layouts/index.html': LAYOUT }, { theme: false });
    const { status, log, read, files } = build(site, version);
    assert.equal(status, 0, log);
    const scripts = read('index.html').match(/\S+/g) ?? [];
    assert.equal(scripts.length, SCRIPTS.length);
    for (const [index, { budget }] of SCRIPTS.entries()) {
      const script = String(scripts[index]).slice(1);
      assert.ok(files().includes(script), files().join('\n'));
      withinBudget(readFileSync(join(site, `public-${version}`, script)), budget);
    }
  });
}

test('npm run size tells what is left of each budget', () => {
  const { status, stdout } = size([]);
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^comments\.ts +[\d,]+ B +\d+ %$/m);
  assert.match(stdout, /^baked\.ts +[\d,]+ B +\d+ %$/m);
  assert.equal(stdout.match(/^left of the budget +[\d,]+ B$/gm)?.length, SCRIPTS.length);
});

test('npm run size fails above the budget, and tells by how much', () => {
  const sizes = size([]).stdout.matchAll(/^brotli +([\d,]+) B$/gm);
  const { status, stdout } = size(['--budget', '100']);
  assert.equal(status, 1, stdout);
  const above = [...stdout.matchAll(/^ABOVE the budget +([\d,]+) B$/gm)].map(([, bytes]) => number(bytes));
  assert.deepEqual(
    above,
    [...sizes].map(([, bytes]) => number(bytes) - 100),
  );
  assert.equal(above.length, SCRIPTS.length);
});

test('one script above its budget is enough to fail', async () => {
  const sizes = await Promise.all(
    SCRIPTS.map(async ({ entry }) => sizesOf((await bundle(entry)).code).brotli),
  );
  const { status, stdout } = size(['--budget', String(Math.max(...sizes) - 1)]);
  assert.equal(status, 1, stdout);
  assert.match(stdout, /^ABOVE the budget +1 B$/m);
  assert.match(stdout, /^left of the budget/m);
});

test('what is no number is no budget', () => {
  const { status, stderr } = size(['--budget', 'some']);
  assert.equal(status, 1);
  assert.match(stderr, /--budget some/);
});

/**
 * @param {Uint8Array} code
 * @param {number} budget
 */
function withinBudget(code, budget) {
  const { brotli } = sizesOf(code);
  assert.ok(brotli <= budget, `${brotli} bytes, ${brotli - budget} too many`);
}

/** @param {string} [text] as `1,234` */
function number(text) {
  return Number(text?.replace(',', ''));
}

/** @param {string[]} args */
function size(args) {
  return spawnSync(process.execPath, [join(ROOT, 'scripts', 'size.js'), ...args], { encoding: 'utf8' });
}
