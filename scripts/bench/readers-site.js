import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { generateSite } from './generated-site.js';
import { wallTime } from './measure.js';
import { writeReadersDatabase } from './readers-database.js';

/** @typedef {'baked' | 'bare' | 'places'} Variant of the home page: with its counts, without, with empty places */

/**
 * @typedef {object} ReadersSite
 * @property {string} database
 * @property {Record<Variant, string>} pages folders that hold `current`
 */

const HOOK = fileURLToPath(new URL('../../stacosys-hook/bin.js', import.meta.url));

export const ARTICLES_PER_LIST = 10;

/** @type {Record<Variant, string>} what stands where a count belongs */
const COUNTS = {
  baked: '{{ partial "stacosys/count.html" . }}',
  bare: '',
  places: '<a class="stacosys-count" href="{{ .RelPermalink }}#comments"></a>',
};

const BASE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ .Title }}</title>
<meta name="description" content="Notes on programs, servers and other things that run at night.">
<link rel="canonical" href="{{ .Permalink }}">
<link rel="stylesheet" href="/css/main.css">
</head>
<body>
<header><a href="/">{{ site.Title }}</a><nav><a href="/posts/">All articles</a> <a href="/about/">About</a></nav></header>
<main>{{ block "main" . }}{{ end }}</main>
<footer><p>Written by its author, built by Hugo.</p>{{ partial "stacosys/endpoint.html" . }}</footer>
</body>
</html>
`;

/** @param {string} count */
function home(count) {
  return `{{ define "main" }}{{ range first ${ARTICLES_PER_LIST} site.RegularPages }}<article>
<h2><a href="{{ .RelPermalink }}">{{ .Title }}</a></h2>
<p class="meta"><time datetime="{{ .Date.Format "2006-01-02" }}">{{ .Date.Format "2 January 2006" }}</time> ${count}</p>
<p>{{ .Summary }}</p>
</article>{{ end }}{{ end }}
`;
}

/**
 * Builds a blog with comments three times with Hugo. The home page lists the first ten articles, and each publishes
 * /stacosys/counts.json.
 *
 * @param {string} folder that is made anew
 * @param {{articles: number, hugo: string}} options
 * @returns {ReadersSite}
 */
export function buildReadersSite(folder, { articles, hugo }) {
  const { folder: site } = generateSite(folder, articles);
  const database = join(folder, 'readers.sqlite');
  writeReadersDatabase(database, articles);
  wallTime(process.execPath, [HOOK, 'bake', '--quiet', '--db', database, '--source', site]);
  const config = readFileSync(join(site, 'hugo.toml'), 'utf8');
  const build = (/** @type {Variant} */ name) => {
    writeFileSync(join(site, `${name}.toml`), `layoutDir = "layouts-${name}"\n${config}`);
    write(join(site, `layouts-${name}`, '_default', 'baseof.html'), BASE);
    write(join(site, `layouts-${name}`, 'index.html'), home(COUNTS[name]));
    for (const kind of ['list', 'single']) {
      const text = '{{ define "main" }}{{ .Content }}{{ end }}';
      write(join(site, `layouts-${name}`, '_default', `${kind}.html`), text);
    }
    return publish(hugo, site, name, join(folder, name));
  };
  return { database, pages: { baked: build('baked'), bare: build('bare'), places: build('places') } };
}

/**
 * @param {string} hugo
 * @param {string} site
 * @param {Variant} name
 * @param {string} folder
 * @returns {string} the folder, with the files in `current` and the home page also compressed, as nginx wants it
 */
function publish(hugo, site, name, folder) {
  const current = join(folder, 'current');
  const args = [
    '--source',
    site,
    '--config',
    `${name}.toml`,
    '--minify',
    '--quiet',
    '--destination',
    current,
  ];
  const { status, stderr, stdout } = spawnSync(hugo, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`hugo ${args.join(' ')}: ${stderr}${stdout}`);
  const index = join(current, 'index.html');
  writeFileSync(`${index}.gz`, gzipSync(readFileSync(index), { level: 9 }));
  return folder;
}

/**
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
