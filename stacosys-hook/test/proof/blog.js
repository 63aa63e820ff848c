/*
 * Shared set-up of the proofs: a tiny blog whose every page tells all the counts that it was built
 * with, and the database behind it. It holds no test itself.
 */
import { execFileSync } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { HUGO_LATEST, pinnedHugo } from '../../../scripts/tools.js';
import { databaseWith, edit, temporaryFolder } from '../database.js';
import { manifestPath } from '../../src/manifest.js';
import { listReleases } from '../../src/releases.js';
import { article, hugoSite } from '../hugo-site.js';
import { filesIn } from './live.js';

/**
 * @typedef {object} Blog
 * @property {string} site the folder
 * @property {string} database the file
 * @property {string} published the folder of `current`
 *
 * @typedef {string} State all counts, such as `/a/=3 /c/=12`
 */

export const HUGO = pinnedHugo(HUGO_LATEST);

/** Comments of /a/ that can be rejected, and of /c/ that can be approved. */
const STOCK = 2000;

const CONFIG = `baseURL = "https://blog.example/"
disableKinds = ["taxonomy", "term", "section", "RSS", "sitemap", "404"]
`;

/** The style sheet tells the same as the page, and changes its name with it. */
const LAYOUT = `<!doctype html>
{{- $state := slice }}
{{- range $key, $count := hugo.Data.stacosys.counts }}
{{- $state = $state | append (printf "%s=%d" $key (int $count)) }}
{{- end }}
{{- $state = delimit $state " " }}
{{- $style := resources.FromString "state.css" (printf "/*! counts: %s. */" $state) | fingerprint }}
<meta name="state" content="counts: {{ $state }}.">
<link rel="stylesheet" href="{{ $style.RelPermalink }}">
<title>{{ .Title }}</title>
`;

const ADD_STATE = `INSERT INTO state (text)
  SELECT coalesce(group_concat(url || '=' || n, ' '), '') FROM
    (SELECT url, count(*) n FROM comment WHERE published IS NOT NULL GROUP BY url ORDER BY url)`;

/**
 * @param {import('node:test').TestContext} t
 * @param {{articles?: string[], journal?: 'delete' | 'wal'}} [options]
 * @returns {Blog}
 */
export function blog(t, { articles = ['a', 'b', 'c'], journal = 'delete' } = {}) {
  const pages = articles.map((name) => [`content/${name}.md`, article({ title: name })]);
  const layouts = ['index', '_default/single'].map((name) => [`layouts/${name}.html`, LAYOUT]);
  const site = hugoSite(t, { 'hugo.toml': CONFIG, ...Object.fromEntries([...layouts, ...pages]) });
  const database = databaseWith(t, [
    ...Array.from({ length: STOCK }, () => ({ url: '/a/' })),
    ...Array.from({ length: STOCK }, () => ({ url: '/c/', pending: true })),
  ]);
  edit(database, (connection) => {
    connection.pragma(`journal_mode = ${journal}`);
    connection.exec('CREATE TABLE state (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
    connection.exec(ADD_STATE);
  });
  return { site, database, published: join(site, 'published') };
}

/**
 * What a moderator does in one transaction: rejects a comment of /a/ and approves one of /c/. The
 * total stays, and no two states are alike.
 *
 * @param {import('better-sqlite3').Database} connection
 * @param {() => void} [beforeCommit]
 * @returns {{id: number, state: State}} counted up with every commit
 */
export function moderate(connection, beforeCommit) {
  const change = connection.transaction(() => {
    connection.exec(`DELETE FROM comment WHERE id =
      (SELECT min(id) FROM comment WHERE url = '/a/' AND published IS NOT NULL)`);
    connection.exec(`UPDATE comment SET published = '2024-01-03 12:00:00' WHERE id =
      (SELECT min(id) FROM comment WHERE url = '/c/' AND published IS NULL)`);
    connection.exec(ADD_STATE);
    beforeCommit?.();
    return connection.prepare('SELECT id, text state FROM state ORDER BY id DESC LIMIT 1').get();
  });
  return /** @type {{id: number, state: State}} */ (change.immediate());
}

/**
 * As `moderate`, in a connection of its own.
 *
 * @param {Pick<Blog, 'database'>} blog
 * @returns {State} which the live page must show soon
 */
export function moderateAnew({ database }) {
  let state = '';
  edit(database, (connection) => {
    connection.pragma('busy_timeout = 5000');
    ({ state } = moderate(connection));
  });
  return state;
}

/**
 * Lets the newest release be an old one, so that the next build need not wait for the next second:
 * what these proofs look at does not depend on it, and there are hundreds of builds.
 *
 * @param {Pick<Blog, 'published'>} blog
 */
export function age({ published }) {
  const newest = listReleases(published).at(-1);
  if (newest !== undefined) utimesSync(manifestPath(published, newest), 0, 0);
}

/**
 * @param {Pick<Blog, 'database'>} blog
 * @returns {State[]} each that the comments were ever in, the oldest first
 */
export function statesOf({ database }) {
  /** @type {unknown[]} */
  let states = [];
  edit(database, (connection) => {
    states = connection.prepare('SELECT text FROM state ORDER BY id').pluck().all();
  });
  return /** @type {State[]} */ (states);
}

/**
 * Builds the blog as Hugo alone does, from the data as it lies there.
 *
 * @param {import('node:test').TestContext} t
 * @param {Pick<Blog, 'site'>} blog
 * @returns {Map<string, string>} path → text of each file
 */
export function cleanBuild(t, { site }) {
  const output = temporaryFolder(t);
  execFileSync(HUGO, ['--minify', '--source', site, '--destination', output], { stdio: 'ignore' });
  return filesIn(output);
}
