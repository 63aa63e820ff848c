import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HUGO_LATEST, HUGO_VERSIONS, pinnedHugo } from '../../scripts/tools.js';
import { build, buildInPlace, hashOf } from '../src/build.js';
import { Failure } from '../src/errors.js';
import { currentRelease, listReleases, releasesFolder } from '../src/releases.js';
import { failureIn, temporaryFolder } from './database.js';
import { fakeHugo } from './fake-hugo.js';
import { article, hugoSite, writeFiles } from './hugo-site.js';

const LAYOUTS = {
  'layouts/index.html': `<title>Home</title>{{ with resources.Get "a.css" | fingerprint }}<link href="{{ .RelPermalink }}">{{ end }}
<p>{{ index (index (index hugo.Data "stacosys") "counts") "/a/" }} comments</p>`,
  'layouts/_default/single.html': '<p>{{ .Title }}</p>',
  'assets/a.css': 'a { color: red }',
};

/**
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} [files]
 * @param {Partial<import('../src/build.js').BuildOptions>} [changes]
 */
function blog(t, files = {}, changes = {}) {
  const site = hugoSite(t, {
    'hugo.toml': 'baseURL = "https://blog.example/"\ndisableKinds = ["taxonomy", "term", "rss", "sitemap"]\n',
    ...LAYOUTS,
    'data/stacosys/counts.json': '{"/a/": 3}',
    'content/a.md': article(),
    ...files,
  });
  const options = {
    site,
    hugo: pinnedHugo(HUGO_LATEST),
    hugoArgs: [],
    hugoTimeout: 60_000,
    publishTo: join(temporaryFolder(t), 'www'),
    keep: 5,
    force: false,
    ...changes,
  };
  let second = 0;
  /** @param {AbortSignal} [signal] */
  const release = (signal) =>
    build(options, 'abcdef01', new Date(Date.UTC(2026, 10, 21, 15, 0, (second += 1))), { signal });
  const current = join(options.publishTo, 'current');
  return { site, options, release, current };
}

/** @param {string} folder */
const entriesIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name !== '.next')
    .sort();

for (const version of HUGO_VERSIONS) {
  test(`a build of Hugo ${version} is live, minified, and all there`, async (t) => {
    const home = LAYOUTS['layouts/index.html'];
    const data = version === HUGO_LATEST ? home : home.replace('hugo.Data', 'site.Data');
    const { release, current, options } = blog(
      t,
      { 'layouts/index.html': data },
      { hugo: pinnedHugo(version) },
    );
    const built = await release();
    assert.equal(built.pages, 2);
    assert.equal(currentRelease(options.publishTo), built.release);
    assert.match(readFileSync(join(current, 'index.html'), 'utf8'), /<title>Home<\/title>.*<p>3 comments/);
    assert.ok(existsSync(join(current, 'a', 'index.html')));
    assert.deepEqual(entriesIn(releasesFolder(options.publishTo)), [`.${built.release}.json`, built.release]);
  });
}

test('the source of the site gets no public/', async (t) => {
  const { release, site } = blog(t);
  await release();
  assert.ok(!existsSync(join(site, 'public')));
});

test('what the owner adds reaches Hugo', async (t) => {
  const { release, current } = blog(
    t,
    { 'content/draft.md': article({ draft: true }) },
    { hugoArgs: ['--buildDrafts'] },
  );
  await release();
  assert.ok(existsSync(join(current, 'draft', 'index.html')));
});

test('fingerprinted assets of the releases that stay can still be asked for', async (t) => {
  const { release, site, current, options } = blog(t, {}, { keep: 3 });
  const assets = [];
  for (const colour of ['red', 'green', 'blue', 'black']) {
    writeFiles(site, { 'assets/a.css': `a { color: ${colour} }` });
    await release();
    assets.push(String(/a\.[0-9a-f]{64}\.css/.exec(readFileSync(join(current, 'index.html'), 'utf8'))));
  }
  assert.equal(new Set(assets).size, 4);
  assert.deepEqual(
    readdirSync(current)
      .filter((name) => name.endsWith('.css'))
      .sort(),
    assets.toSorted(),
    'the fourth build still found three earlier ones',
  );
  await release();
  assert.deepEqual(
    readdirSync(current)
      .filter((name) => name.endsWith('.css'))
      .sort(),
    assets.slice(1).sort(),
    'what no release has of its own is gone',
  );
  const [carried = ''] = assets.slice(1);
  assert.ok(statSync(join(current, carried)).nlink > 1, 'and needs no room');
  assert.equal(listReleases(options.publishTo).length, 3);
});

test('the folders of pages that are no more are gone, also those around them', async (t) => {
  const { release, site, current } = blog(t, {
    'content/deep/er/b.md': article(),
    'content/deep/c.md': article(),
  });
  await release();
  await release();
  assert.ok(existsSync(join(current, 'deep', 'er', 'b', 'index.html')));
  rmSync(join(site, 'content', 'deep'), { recursive: true });
  const { pages } = await release();
  assert.equal(pages, 2);
  assert.deepEqual(
    entriesIn(current).filter((name) => !name.endsWith('.css')),
    ['a', 'index.html'],
  );
  writeFiles(site, { 'content/new/d.md': article() });
  await release();
  assert.ok(existsSync(join(current, 'new', 'd', 'index.html')));
});

test('a build that fails leaves the live site, and nothing else', async (t) => {
  const { release, site, options } = blog(t);
  const { release: first } = await release();
  writeFiles(site, { 'content/a.md': '---\ntitle: "open\n---\n' });
  const failure = await failureIn(release());
  assert.match(failure.message, /^Hugo failed: .*a\.md/);
  assert.equal(currentRelease(options.publishTo), first);
  assert.deepEqual(entriesIn(releasesFolder(options.publishTo)), [`.${first}.json`, first]);
});

test('a Hugo that builds nothing, or an empty home page, publishes nothing', async (t) => {
  const { release, options } = blog(t);
  const { release: first } = await release();
  for (const [script, message] of [
    ['exit 0', /built nothing$/],
    ['mkdir -p "$destination/x"; echo x > "$destination/x/x"', /there is no home page$/],
    ['mkdir -p "$destination"; : > "$destination/index.html"', /the home page is empty$/],
  ]) {
    options.hugo = fakeHugo(t, String(script));
    assert.match((await failureIn(release())).message, /** @type {RegExp} */ (message));
    assert.equal(currentRelease(options.publishTo), first);
    assert.deepEqual(entriesIn(releasesFolder(options.publishTo)), [`.${first}.json`, first]);
  }
});

test('a site that lost more than half of its pages is published only by force', async (t) => {
  const { release, options } = blog(t);
  const pages = (/** @type {number} */ count) =>
    fakeHugo(
      t,
      `mkdir -p "$destination"; for n in index $(seq 2 ${count}); do echo x > "$destination/$n.html"; done`,
    );
  options.hugo = pages(10);
  const { release: first } = await release();
  options.hugo = pages(4);
  assert.equal(
    (await failureIn(release())).message,
    'This build has 4 HTML files, the live site 10: that looks like a mishap',
  );
  assert.equal(currentRelease(options.publishTo), first);
  options.hugo = pages(5);
  assert.equal((await release()).pages, 5);
  options.force = true;
  options.hugo = pages(1);
  assert.equal((await release()).pages, 1);
});

test('a build that is ended is not published', async (t) => {
  const { release, options } = blog(t);
  const { release: first } = await release();
  const stopping = new AbortController();
  options.hugo = fakeHugo(t, 'mkdir -p "$destination"; echo x > "$destination/index.html"; sleep 600');
  const building = failureIn(release(stopping.signal));
  stopping.abort();
  assert.equal((await building).message, 'The build was ended before it was complete');
  assert.equal(currentRelease(options.publishTo), first);
  assert.deepEqual(entriesIn(releasesFolder(options.publishTo)), [`.${first}.json`, first]);
});

test('what an earlier build left unfinished is swept', async (t) => {
  const { release, options } = blog(t);
  mkdirSync(join(releasesFolder(options.publishTo), '20260101T000000.000Z-00000000.partial', 'x'), {
    recursive: true,
  });
  const { release: first } = await release();
  assert.deepEqual(entriesIn(releasesFolder(options.publishTo)), [`.${first}.json`, first]);
});

test('what was published is not called failed where an old release cannot be removed', async (t) => {
  const { release, options } = blog(t, {}, { keep: 2 });
  const stubborn = '20250101T000000.000Z-00000000';
  mkdirSync(join(releasesFolder(options.publishTo), stubborn), { recursive: true });
  // In its way lies something that cannot be replaced by a folder
  writeFileSync(join(releasesFolder(options.publishTo), `${stubborn}.partial`), 'x');
  options.hugo = fakeHugo(
    t,
    `mkdir -p "$destination"; echo x > "$destination/index.html"
     : > "$(dirname "$destination")/${stubborn}.partial"`,
  );
  await release();
  const { release: live, problems } = await release();
  assert.equal(currentRelease(options.publishTo), live);
  assert.deepEqual(problems, [`${stubborn}: ENOTDIR`]);
});

test('a site that loses its home page is not published, though a section has one', async (t) => {
  const { release, options } = blog(t);
  const { release: first } = await release();
  options.hugo = fakeHugo(
    t,
    'mkdir -p "$destination/a" "$destination/b"; echo x > "$destination/a/index.html"; echo x > "$destination/b/index.html"',
  );
  assert.match((await failureIn(release())).message, /there is no home page$/);
  assert.equal(currentRelease(options.publishTo), first);
});

test('what is to be verified before it is published is, and a failure of that publishes nothing', async (t) => {
  const { options } = blog(t);
  const verify = () => {
    assert.equal(currentRelease(options.publishTo), null);
    throw new Failure('not these', 'others');
  };
  const building = build(options, 'abcdef01', new Date(), { verify });
  assert.equal((await failureIn(building)).message, 'not these');
  assert.deepEqual(entriesIn(releasesFolder(options.publishTo)), []);
});

test('an asset of an earlier release whose place is taken is left behind', async (t) => {
  const { release, options, current } = blog(t);
  const asset = `app/x.${'0'.repeat(64)}.css`;
  const site = 'mkdir -p "$destination"; echo x > "$destination/index.html"';
  options.hugo = fakeHugo(t, `${site}; mkdir "$destination/app"; echo x > "$destination/${asset}"`);
  await release();
  options.hugo = fakeHugo(t, `${site}; echo x > "$destination/app"`);
  await release();
  assert.ok(statSync(join(current, 'app')).isFile());
});

test('a variable that would send Hugo elsewhere is not heeded', async (t) => {
  const { release, current } = blog(t);
  process.env.HUGO_PUBLISHDIR = join(temporaryFolder(t), 'elsewhere');
  t.after(() => delete process.env.HUGO_PUBLISHDIR);
  await release();
  assert.ok(existsSync(join(current, 'index.html')));
});

test('after the releases were deleted, a build publishes again', async (t) => {
  const { release, options, current } = blog(t);
  await release();
  rmSync(releasesFolder(options.publishTo), { recursive: true });
  assert.equal(currentRelease(options.publishTo), null);
  await release();
  assert.ok(existsSync(join(current, 'index.html')));
});

test('a file in the place of the releases is a failure with an advice', async (t) => {
  const { release, options } = blog(t);
  writeFileSync(options.publishTo, 'mine');
  assert.match((await failureIn(release())).message, /^Cannot publish in /);
});

test('in place, Hugo writes into public/ as it does alone', async (t) => {
  const { site, options } = blog(t);
  writeFiles(site, { 'public/CNAME': 'blog.example' });
  await buildInPlace(options);
  assert.deepEqual(
    entriesIn(join(site, 'public')).filter((name) => !name.endsWith('.css')),
    ['CNAME', 'a', 'index.html'],
  );
});

test('other comments, spellings or forms have another hash, whatever is where', () => {
  const [a, b] = [Buffer.from('a'), Buffer.from('b')];
  const all = [
    { counts: a, spellings: null, forms: null },
    { counts: b, spellings: null, forms: null },
    { counts: a, spellings: b, forms: null },
    { counts: a, spellings: null, forms: b },
    { counts: Buffer.from('ab'), spellings: null, forms: null },
    { counts: a, spellings: Buffer.alloc(0), forms: null },
  ];
  assert.equal(new Set(all.map(hashOf)).size, all.length);
  assert.match(hashOf(all[0] ?? assert.fail()), /^[0-9a-f]{64}$/);
});
