import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { watchContent } from '../src/content-watcher.js';
import { article, hugoSite, writeFiles } from './hugo-site.js';
import { until } from './until.js';

/**
 * @param {import('node:test').TestContext} t
 * @param {string} site
 */
async function watched(t, site) {
  let changes = 0;
  const end = await watchContent(
    site,
    () => (changes += 1),
    (error) => assert.fail(String(error)),
  );
  t.after(end);
  /**
   * @param {() => void} change
   * @param {string} what
   */
  const seen = async (change, what) => {
    const before = changes;
    change();
    await until(what, () => changes > before);
  };
  return { seen, changes: () => changes };
}

test('what the owner writes into his site is seen, in folders that are new too', async (t) => {
  const site = hugoSite(t, { 'content/a.md': article(), 'layouts/index.html': '' });
  const { seen } = await watched(t, site);
  await seen(() => writeFileSync(join(site, 'content', 'a.md'), 'changed'), 'a changed article');
  await seen(() => writeFiles(site, { 'content/deep/er/b.md': 'new' }), 'a new folder');
  await seen(() => writeFileSync(join(site, 'content', 'deep', 'er', 'b.md'), 'again'), 'a file in it');
  await seen(() => rmSync(join(site, 'content', 'a.md')), 'a deletion');
  await seen(
    () => renameSync(join(site, 'content', 'deep'), join(site, 'content', 'moved')),
    'a folder that moved',
  );
  await seen(() => writeFileSync(join(site, 'hugo.toml'), 'title = "x"'), 'the configuration');
  await seen(() => writeFiles(site, { 'static/new.txt': 'x' }), 'a top folder that is new');
  await seen(() => writeFiles(site, { 'data/authors.json': '{}' }), 'data of the owner');
});

test('what we and Hugo write is no change of the site', async (t) => {
  const site = hugoSite(t, { 'content/a.md': article() });
  const { seen, changes } = await watched(t, site);
  const before = changes();
  writeFiles(site, {
    'data/stacosys/counts.json': '{}',
    'assets/jsconfig.json': '{}',
    'hugo_stats.json': '{}',
    'public/index.html': 'x',
    'published/releases/x/index.html': 'x',
    'resources/_gen/x': 'x',
    '.stacosys/build.lock': '',
    '.hugo_build.lock': '',
    'node_modules/x/index.js': '',
    'themes/theme/node_modules/x.js': '',
    'content/.git/index': 'x',
  });
  mkdirSync(join(site, 'public', 'new'));
  const marker = () => writeFileSync(join(site, 'content', 'a.md'), 'the last');
  await seen(marker, 'what came after all of it');
  assert.ok(
    changes() - before <= 2,
    `${changes() - before} changes; themes/ itself is new, the marker is one`,
  );
});

test('many changes in a moment are one, or a few', async (t) => {
  const site = hugoSite(t, { 'content/a.md': article() });
  const { seen, changes } = await watched(t, site);
  const before = changes();
  await seen(() => {
    for (let n = 0; n < 500; n += 1) writeFileSync(join(site, 'content', `${n}.md`), 'x');
  }, 'the changes');
  assert.ok(changes() - before <= 5, `${changes() - before} changes`);
});

test('a path that cannot be watched is told, and the others are watched', async (t) => {
  const site = hugoSite(t, { 'content/a.md': article() });
  mkdirSync(join(site, 'static'));
  symlinkSync('loop', join(site, 'static', 'loop'));
  /** @type {unknown[]} */
  const errors = [];
  let changes = 0;
  t.after(
    await watchContent(
      site,
      () => (changes += 1),
      (error) => errors.push(error),
    ),
  );
  writeFileSync(join(site, 'content', 'a.md'), 'changed');
  await until('the change', () => changes > 0);
  assert.match(String(errors[0]), /ELOOP/);
});
