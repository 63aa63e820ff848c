/* The documentation of the example site says what is true: its tables, its commands, its examples. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { SCRIPTS, bundle, sizesOf } from '../../scripts/bundle.js';
import { cliPage } from '../../scripts/cli-page.js';
import { writeDatabase } from '../../scripts/stacosys-database.js';
import { HUGO_LATEST, ROOT } from '../../scripts/tools.js';
import { COMMANDS } from '../../stacosys-hook/src/cli.js';
import { OPTIONS } from '../../stacosys-hook/src/config.js';
import { temporaryFolder } from '../../stacosys-hook/test/database.js';
import { build, makeSite } from './hugo-site.js';

const DOCS = join(ROOT, 'hugo-module', 'exampleSite', 'content', 'en', 'docs');
const PARTIALS = join(ROOT, 'layouts', 'partials', 'stacosys');
const REPOSITORY = 'https://github.com/hugo-stacosys/hugo-stacosys';

const PAGES = Object.fromEntries(
  readdirSync(DOCS).map((name) => [name, readFileSync(join(DOCS, name), 'utf8')]),
);

/** What the module needs itself. A new partial belongs here, or on the page of partials. */
const INTERNAL = [
  'hosts.html',
  'unbaked.html',
  ...[
    ...[
      'alias',
      'articles',
      'baked',
      'clock',
      'commented',
      'conversation',
      'count-since',
      'data',
      'english',
      'exists',
      'feed',
      'filed',
    ],
    ...[
      'first-uncommented',
      'home',
      'json-ld-comment',
      'keys',
      'language',
      'lookup',
      'merged',
      'only',
      'own-keys',
    ],
    ...['options', 'params', 'publish', 'ranking', 'recent', 'recent-ids', 'seen-script', 'sites', 'sum'],
    ...['summary', 'translate', 'xml'],
  ].map((name) => `funcs/${name}.html`),
];

/** Isso 0.14, as it makes its tables itself. */
const ISSO = `
  CREATE TABLE threads (id INTEGER PRIMARY KEY, uri VARCHAR(256) UNIQUE, title VARCHAR(256));
  CREATE TABLE comments (tid REFERENCES threads(id), id INTEGER PRIMARY KEY, parent INTEGER, created FLOAT NOT NULL,
    modified FLOAT, mode INTEGER, remote_addr VARCHAR, text VARCHAR NOT NULL, author VARCHAR, email VARCHAR,
    website VARCHAR, likes INTEGER DEFAULT 0, dislikes INTEGER DEFAULT 0, voters BLOB NOT NULL,
    notification INTEGER DEFAULT 0);
  INSERT INTO threads VALUES (1, '/2024/hello/', 'Hello');
  INSERT INTO comments (tid, parent, created, mode, text, author, email, website, voters) VALUES
    (1, NULL, 1704110400.5, 1, 'Hello **you**', 'Ann', 'ann@mail.example', 'https://ann.example', x'00'),
    (1, 1, 1704110300, 1, 'First', NULL, NULL, NULL, x'00'),
    (1, NULL, 1704110500, 2, 'Waits', 'Bob', NULL, NULL, x'00'),
    (1, NULL, 1704110600, 4, '', NULL, NULL, NULL, x'00')`;

test('the page of the command is what its tables give (npm run docs:cli renews it)', () => {
  assert.equal(PAGES['cli.md'], cliPage(COMMANDS, OPTIONS));
});

test('the page of parameters has all of them, with their defaults', (t) => {
  const site = makeSite(t, {
    'layouts/index.html': '{{ partial "stacosys/funcs/params.html" . | jsonify | safeHTML }}',
    'data/stacosys/counts.json': '{}',
  });
  const output = build(site, HUGO_LATEST);
  assert.equal(output.status, 0, output.log);
  const told = rowsOf('parameters.md').map(([name = '', value = '']) => [
    bare(name),
    JSON.parse(bare(value)),
  ]);
  assert.deepEqual(Object.fromEntries(told), JSON.parse(output.read('index.html')));
});

test('the page of partials has all that are not for the module alone', () => {
  const told = rowsOf('partials.md').map(([name = '']) => bare(name));
  const named = told
    .filter((name) => name.startsWith('stacosys/'))
    .map((name) => name.slice('stacosys/'.length));
  const all = readdirSync(PARTIALS, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.html') && !file.startsWith('themes/'),
  );
  assert.deepEqual(named.toSorted(), all.filter((file) => !INTERNAL.includes(file)).toSorted());
  for (const file of INTERNAL) assert.ok(all.includes(file), `${file} is no more`);
});

test('the page of themes says of each what the adapters say', () => {
  const adapters = readFileSync(join(ROOT, 'hugo-module', 'adapters', 'README.md'), 'utf8');
  const tables = [tableRows(adapters), rowsOf('themes.md')].map((rows) =>
    rows.map(([theme = '', ...rest]) => [/^\[(.*)\]/.exec(theme)?.[1], ...rest]),
  );
  assert.ok(Number(tables[0]?.length) >= 6);
  assert.deepEqual(tables[1], tables[0]);
});

test('what the pages tell to run exists: commands, their options, scripts of npm', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  let commands = 0;
  for (const [page, text] of Object.entries(PAGES)) {
    for (const [line, name = ''] of text.matchAll(/npm run ([\w:]+)/g)) {
      assert.ok(scripts[name], `${page}: ${line}`);
    }
    for (const [line, name = '', rest = ''] of text.matchAll(/npx stacosys-hook ([a-z]+)([^\n`&]*)/g)) {
      commands += 1;
      assert.ok(COMMANDS[name], `${page}: ${line}`);
      for (const [, option = ''] of rest.matchAll(/--([a-z-]+)/g)) {
        assert.ok(COMMANDS[name]?.options.includes(option), `${page}: ${line}`);
      }
    }
  }
  assert.ok(commands > 20, String(commands));
});

test('the page of performance has the sizes that npm run size prints', async () => {
  const text = PAGES['performance.md'] ?? '';
  for (const { entry, what, budget } of SCRIPTS) {
    const { brotli } = sizesOf((await bundle(entry)).code);
    const row = `| ${brotli.toLocaleString('en')} | ${budget.toLocaleString('en')} |`;
    assert.ok(text.includes(row), `${what}: ${row}`);
  }
});

test('every number that the README takes from the benchmarks stands in BENCHMARKS.md', () => {
  const [readme = '', benchmarks = ''] = ['README.md', 'BENCHMARKS.md'].map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  const numbers = (/** @type {string} */ text) => text.replaceAll(',', '').match(/\d+(?:\.\d+)?/g) ?? [];
  const section = /\n## Numbers\n[^]*?(\n- [^]*?)\n\n/.exec(readme)?.[1] ?? '';
  const measured = new Set(numbers(benchmarks));
  assert.ok(numbers(section).length >= 10);
  assert.deepEqual(
    numbers(section).filter((number) => !measured.has(number)),
    [],
  );
});

test('what the pages link to in the repository is there, headings too', () => {
  const links = Object.values(PAGES).flatMap((text) => [
    ...text.matchAll(new RegExp(`${REPOSITORY}/blob/HEAD/([^)#\\s]+)(?:#([^)\\s]+))?`, 'g')),
  ]);
  assert.ok(links.length > 5);
  for (const [link, file = '', heading] of links) {
    const path = join(ROOT, file);
    assert.ok(existsSync(path), link);
    if (heading) {
      assert.match(readFileSync(path, 'utf8').toLowerCase(), new RegExp(`^#+ ${heading}$`, 'm'), link);
    }
  }
});

test('the way from Isso brings its published comments into Stacosys, and no address', (t) => {
  const folder = temporaryFolder(t);
  const isso = new Database(join(folder, 'comments.db'));
  isso.exec(ISSO);
  isso.close();
  const stacosys = join(folder, 'db.sqlite');
  writeDatabase(stacosys, []);
  const database = new Database(stacosys);
  database.exec(
    blockOf('coming-from.md', 'sql').replace('/path/to/isso/comments.db', join(folder, 'comments.db')),
  );
  const columns =
    'url, author_name, author_site, author_gravatar, content, published = created AS isPublished';
  assert.deepEqual(database.prepare(`SELECT ${columns} FROM main.comment ORDER BY id`).raw().all(), [
    ['/2024/hello/', 'Anonymous', '', '', 'First', 1],
    ['/2024/hello/', 'Ann', 'https://ann.example', '', 'Hello **you**', 1],
  ]);
  const dates = database.prepare('SELECT published FROM main.comment').pluck().all();
  for (const date of dates) {
    assert.match(String(date), /^2024-01-01 \d\d:\d\d:\d\d$|^2023-12-31 \d\d:\d\d:\d\d$/);
  }
  database.close();
});

/**
 * @param {string} page
 * @param {string} language
 */
function blockOf(page, language) {
  const block = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(PAGES[page] ?? '')?.[1];
  assert.ok(block, `${page} has no ${language}`);
  return block;
}

/** @param {string} page */
function rowsOf(page) {
  return tableRows(PAGES[page] ?? '');
}

/**
 * @param {string} text
 * @returns {string[][]} the cells of all its tables, without their heads
 */
function tableRows(text) {
  const lines = text.split('\n');
  return lines
    .filter(
      (line, at) =>
        line.startsWith('|') && !/^\|[-| ]+\|$/.test(line) && !/^\|[-| ]+\|$/.test(lines[at + 1] ?? ''),
    )
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** @param {string} cell */
function bare(cell) {
  return cell.replace(/^`(.*)`$/, '$1');
}
