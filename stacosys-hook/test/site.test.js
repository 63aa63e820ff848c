import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HUGO_VERSIONS, pinnedHugo } from '../../scripts/tools.js';
import { canonicalKey } from '../src/key.js';
import { isHugoSite } from '../src/hugo-site.js';
import { readPages } from '../src/site.js';
import { printableFailure, temporaryFolder } from './database.js';
import { article, hugoSite, redirectsOf } from './hugo-site.js';

const CONFIG = 'baseURL = "https://blog.example/"\n';

/**
 * @param {string} site
 * @param {string} version of Hugo
 * @returns {Promise<Record<string, string[]>>} key → its content file, then its aliases
 */
async function pagesOf(site, version) {
  const pages = await readPages(site, pinnedHugo(version));
  assert.ok(pages);
  return Object.fromEntries(pages.map(({ key, path, aliases }) => [key, [path, ...aliases.toSorted()]]));
}

/**
 * @param {string} site
 * @param {string} version of Hugo
 */
async function failureOfPages(site, version) {
  try {
    await readPages(site, pinnedHugo(version));
  } catch (error) {
    return printableFailure(error);
  }
  assert.fail('it did not fail');
}

/**
 * @param {string[]} redirects files that Hugo writes
 * @param {string} base path of the baseURL
 */
const keysOf = (redirects, base) => redirects.map((file) => canonicalKey(`${base}${file}`)).sort();

for (const version of HUGO_VERSIONS) {
  test(`Hugo ${version}: a preview has the pages of the live site that basePath names`, async (t) => {
    const preview = 'baseURL = "https://preview.example/pr-12/"\n[params.stacosys]\n';
    const files = { 'content/about.md': article({ aliases: ['/info/'] }) };
    const site = hugoSite(t, { 'hugo.toml': `${preview}avatars = "none"\nbasePath = "/blog/"\n`, ...files });
    assert.deepEqual(await pagesOf(site, version), {
      '/blog/about/': ['content/about.md', '/blog/info/'],
    });
    const own = hugoSite(t, { 'hugo.toml': `${preview}avatars = "none"\n`, ...files });
    assert.deepEqual(Object.keys(await pagesOf(own, version)), ['/pr-12/about/']);
  });

  test(`Hugo ${version}: a page is known by its permalink, wherever that comes from`, async (t) => {
    const site = hugoSite(t, {
      'hugo.toml': `${CONFIG}[permalinks]\nposts = "/:year/:slug/"\n`,
      'content/about.md': article(),
      'content/posts/one.md': article({ slug: 'first', date: '2021-05-06' }),
      'content/été.md': article(),
      'content/old.md': article({ url: '/migration.html' }),
      'content/deep/er/page.md': article(),
    });
    assert.deepEqual(await pagesOf(site, version), {
      '/2021/first/': ['content/posts/one.md'],
      '/about/': ['content/about.md'],
      '/%C3%A9t%C3%A9/': ['content/été.md'],
      '/migration.html': ['content/old.md'],
      '/deep/er/page/': ['content/deep/er/page.md'],
    });
  });

  test(`Hugo ${version}: an ugly url is the key of its page`, async (t) => {
    const site = hugoSite(t, { 'hugo.toml': `uglyURLs = true\n${CONFIG}`, 'content/posts/a.md': article() });
    assert.deepEqual(await pagesOf(site, version), { '/posts/a.html': ['content/posts/a.md'] });
  });

  for (const base of ['/', '/blog/']) {
    test(`Hugo ${version}: aliases below ${base} are the redirects that Hugo writes`, async (t) => {
      const site = hugoSite(t, {
        'hugo.toml': `baseURL = "https://blog.example${base}"\n`,
        'content/posts/a.md': article({ aliases: ['/2017/a/', 'beside', '../above/', '/été 1/', 'x.html'] }),
        'content/b.md': '+++\naliases = "/old-b/ /older-b"\n+++\n',
        'content/c.md': '{"title": "c", "Aliases": ["/old-c.html", 2017]}\n',
        'content/d.md': '\uFEFF---\r\ntitle: d\r\naliases:\r\n  - /old-d/../old-d2/\r\n---\r\nText',
      });
      const pages = await pagesOf(site, version);
      assert.deepEqual(pages[`${base}posts/a/`], [
        'content/posts/a.md',
        ...[
          `${base}%C3%A9t%C3%A9%201/`,
          `${base}2017/a/`,
          `${base}above/`,
          `${base}posts/beside/`,
          `${base}posts/x.html`,
        ].sort(),
      ]);
      const aliases = Object.values(pages).flatMap(([, ...keys]) => keys);
      assert.equal(aliases.length, 10);
      assert.deepEqual(aliases.sort(), keysOf(redirectsOf(t, site, version), base));
    });
  }

  test(`Hugo ${version}: drafts, future and expired pages are pages, too`, async (t) => {
    const site = hugoSite(t, {
      'content/draft.md': article({ draft: true }),
      'content/future.md': article({ date: '2999-01-01' }),
      'content/expired.md': article({ expiryDate: '2001-01-01' }),
    });
    assert.deepEqual(Object.keys(await pagesOf(site, version)).sort(), ['/draft/', '/expired/', '/future/']);
  });

  test(`Hugo ${version}: a title may hold commas, quotes and line breaks`, async (t) => {
    const titles = ['a, b, c', '"quoted"', 'one\ntwo', '"\n,"\r\n', 'path,slug,title\npath,x', "it's", ''];
    const site = hugoSite(
      t,
      Object.fromEntries(titles.map((title, n) => [`content/p${n}.md`, article({ title })])),
    );
    assert.deepEqual(
      await pagesOf(site, version),
      Object.fromEntries(titles.map((_, n) => [`/p${n}/`, [`content/p${n}.md`]])),
    );
  });

  test(`Hugo ${version}: a page bundle is one page, what lies in it is none`, async (t) => {
    const site = hugoSite(t, {
      'content/posts/bundle/index.md': article({ aliases: ['/old/', 'beside'] }),
      'content/posts/bundle/part.md': article(),
      'content/posts/bundle/picture.svg': '<svg/>',
    });
    assert.deepEqual(await pagesOf(site, version), {
      '/posts/bundle/': ['content/posts/bundle/index.md', '/old/', '/posts/beside/'],
    });
  });

  for (const inFolder of [false, true]) {
    test(`Hugo ${version}: two languages are read, the first one ${inFolder ? 'in a folder' : 'at the root'}`, async (t) => {
      const languages = '[languages.en]\nweight = 1\n[languages.fr]\nweight = 2\n';
      const site = hugoSite(t, {
        'hugo.toml': `${CONFIG}defaultContentLanguageInSubdir = ${inFolder}\n${languages}`,
        'content/posts/a.md': article({ aliases: ['beside'] }),
        'content/posts/a.fr.md': article({ slug: 'un', aliases: ['à-côté'] }),
      });
      const english = inFolder ? '/en' : '';
      const pages = await pagesOf(site, version);
      assert.deepEqual(pages, {
        [`${english}/posts/a/`]: ['content/posts/a.md', `${english}/posts/beside/`],
        '/fr/posts/un/': ['content/posts/a.fr.md', '/fr/posts/%C3%A0-c%C3%B4t%C3%A9/'],
      });
      const redirects = keysOf(redirectsOf(t, site, version), '/');
      for (const key of Object.values(pages).flatMap(([, ...keys]) => keys)) {
        assert.ok(redirects.includes(key), `${key} is a redirect`);
      }
    });
  }

  test(`Hugo ${version}: a site without content has no pages`, async (t) => {
    assert.deepEqual(await pagesOf(hugoSite(t), version), {});
  });

  test(`Hugo ${version}: a content file may lie elsewhere`, async (t) => {
    const site = hugoSite(t, {
      'hugo.toml': `${CONFIG}theme = "shared"\n`,
      'themes/shared/content/shared.md': article(),
    });
    assert.deepEqual(Object.keys(await pagesOf(site, version)), ['/shared/']);
  });

  test(`Hugo ${version}: broken front matter is a failure that names the file`, async (t) => {
    const site = hugoSite(t, {
      'content/good.md': article(),
      'content/posts/broken.md': '---\ntitle: "x\naliases: [\n---\nText',
    });
    const { message, advice } = await failureOfPages(site, version);
    assert.match(message, /^hugo list failed: .*content\/posts\/broken\.md/);
    assert.match(advice, /Run hugo in the site/);
  });

  test(`Hugo ${version}: a broken configuration is a failure that names the file`, async (t) => {
    const { message, exitCode } = await failureOfPages(hugoSite(t, { 'hugo.toml': 'x = [\n' }), version);
    assert.match(message, /^hugo list failed: .*hugo\.toml/);
    assert.equal(exitCode, 1);
  });
}

test('no such binary gives no pages, which is not the same as a site without pages', async (t) => {
  const site = hugoSite(t, { 'content/a.md': article() });
  assert.equal(await readPages(site, join(site, 'none')), null);
  assert.equal(await readPages(site, 'no-such-hugo-on-the-path'), null);
});

test('a binary that is not Hugo is a failure', async (t) => {
  const site = hugoSite(t);
  await assert.rejects(readPages(site, 'false'), /hugo list failed: exit 1/);
  await assert.rejects(readPages(site, site), /Cannot run \(EACCES\)/);
});

test('every name of a configuration makes a folder a Hugo site', (t) => {
  for (const name of ['hugo.toml', 'hugo.yaml', 'hugo.yml', 'hugo.json', 'config.toml', 'config.yaml']) {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, name), '');
    assert.ok(isHugoSite(folder), name);
  }
  const folder = temporaryFolder(t);
  assert.ok(!isHugoSite(folder));
  mkdirSync(join(folder, 'config', '_default'), { recursive: true });
  assert.ok(isHugoSite(folder));
});
