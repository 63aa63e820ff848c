import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { HUGO_LATEST, HUGO_VERSIONS } from '../../scripts/tools.js';
import { write } from '../../stacosys-hook/src/write.js';
import { bakedFiles, fileOf } from './baked-files.js';
import { startServer, shows } from './hugo-server.js';
import { CONFIG, makeSite } from './hugo-site.js';

/** @typedef {import('node:test').TestContext} TestContext */

const said = (/** @type {string} */ content) => ({ author: 'Alice', content, date: '2024-05-06 07:08:09' });

const BEFORE = { '/one/': [said('Before')], '/two/': [said('Beside')] };

const FILES = {
  'hugo.toml': `${CONFIG}[params.stacosys]\ncomments = "baked"\n`,
  'content/one.md': '---\ntitle: One\n---\n',
  'content/two.md': '---\ntitle: Two\n---\n',
  'content/three.md': '---\ntitle: Three\n---\n',
  // So that a page which was rendered again is another one
  'layouts/_default/single.html': '{{ partial "stacosys/comments.html" . }}<i>{{ now.UnixNano }}</i>',
  'layouts/_default/list.html': '',
};

for (const version of HUGO_VERSIONS) {
  test(
    `hugo server shows a changed comment at once, a first one, and that the last one is gone (Hugo ${version})`,
    { timeout: 60_000 },
    async (t) => {
      const { site, address } = await served(t, version, BEFORE);
      await shows(`${address}/one/`, '<p>Before</p>', t.signal);
      await shows(`${address}/three/`, '<span class="stacosys-number">0<', t.signal);
      bake(site, { ...BEFORE, '/one/': [said('After')] });
      await shows(`${address}/one/`, '<p>After</p>', t.signal);
      bake(site, { ...BEFORE, '/one/': [said('After'), said('More')], '/three/': [said('First')] });
      await shows(`${address}/three/`, '<p>First</p>', t.signal);
      await shows(`${address}/one/`, '<p>More</p>', t.signal);
      bake(site, { '/one/': [said('After')] });
      const three = await shows(`${address}/three/`, '<span class="stacosys-number">0<', t.signal);
      assert.doesNotMatch(three, /<p>First<\/p>|data-requests/);
      const one = await shows(`${address}/one/`, '<span class="stacosys-number">1<', t.signal);
      assert.doesNotMatch(one, /<p>More<\/p>/);
    },
  );
}

test('hugo server renders only the page whose comment was edited', { timeout: 60_000 }, async (t) => {
  const { site, address } = await served(t, HUGO_LATEST, BEFORE);
  await shows(`${address}/one/`, '<p>Before</p>', t.signal);
  const [two, three] = [
    await shows(`${address}/two/`, '<i>', t.signal),
    await shows(`${address}/three/`, '<i>', t.signal),
  ];
  for (const text of ['Once', 'Twice']) {
    bake(site, { ...BEFORE, '/one/': [said(text)] });
    await shows(`${address}/one/`, `<p>${text}</p>`, t.signal);
  }
  assert.equal(await shows(`${address}/two/`, '<i>', t.signal), two);
  assert.equal(await shows(`${address}/three/`, '<i>', t.signal), three);
  bake(site, { ...BEFORE, '/two/': [said('Now')] });
  assert.notEqual(await shows(`${address}/two/`, '<p>Now</p>', t.signal), two);
});

/**
 * @param {TestContext} t
 * @param {string} version of Hugo
 * @param {Record<string, import('./baked-files.js').Answered[]>} comments
 */
async function served(t, version, comments) {
  const site = makeSite(t, { ...FILES, ...bakedFiles(comments) });
  const { address } = await startServer(t, site, version);
  return { site, address };
}

/**
 * As the hook does it: only what changed, each file in one step, the counts at last.
 *
 * @param {string} site
 * @param {Record<string, import('./baked-files.js').Answered[]>} comments
 */
function bake(site, comments) {
  const files = bakedFiles(comments);
  for (const key of ['/one/', '/two/', '/three/']) {
    if (!(key in comments)) rmSync(join(site, fileOf(key)), { force: true });
  }
  for (const [file, text] of Object.entries(files).reverse()) {
    mkdirSync(dirname(join(site, file)), { recursive: true });
    write(join(site, file), text);
  }
}
