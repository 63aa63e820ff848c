import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { writeDatabase } from '../../stacosys-database.js';
import { madeUpComments } from '../comments.js';

/**
 * @typedef {object} Probed what bake-probe.cjs tells
 * @property {string[]} statements
 * @property {number} scans of the table of comments
 * @property {string[]} modules urls
 */

const HOOK = fileURLToPath(new URL('../../../stacosys-hook/bin.js', import.meta.url));
const PROBE = fileURLToPath(new URL('bake-probe.cjs', import.meta.url));

const COMMENTS = 2000;
const ARTICLES = 200;

/**
 * What a bake does, whatever the machine.
 *
 * @param {string} folder empty
 * @returns {Record<string, number>}
 */
export function bakeFigures(folder) {
  const site = join(folder, 'site');
  const database = join(folder, 'db.sqlite');
  mkdirSync(site);
  writeFileSync(join(site, 'hugo.toml'), '');
  writeDatabase(database, madeUpComments(COMMENTS, ARTICLES));
  const bake = (/** @type {string[]} */ ...args) =>
    probe([HOOK, 'bake', '--quiet', '--db', database, '--source', site, ...args]);
  const counts = bake();
  const again = changedBy(site, bake);
  const comments = bake('--comments');
  const files = readdirSync(join(site, 'assets'), { recursive: true }).length;
  if (files < ARTICLES) throw new Error(`the bake wrote ${files} files for ${ARTICLES} articles`);
  addComment(database);
  const afterOne = changedBy(site, () => bake('--comments'));
  return {
    'bake-statements': counts.statements.length,
    'bake-scans': counts.scans,
    'bake-modules': counts.modules.length,
    'bake-unchanged-files': again,
    'bake-comments-statements': comments.statements.length,
    'bake-comments-scans': comments.scans,
    'bake-comments-modules': comments.modules.length,
    'bake-one-more-files': afterOne,
  };
}

/**
 * @param {string[]} args of node
 * @returns {Probed}
 */
function probe(args) {
  const { status, stderr, output } = spawnSync(process.execPath, ['--require', PROBE, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}\n${stderr}`);
  return JSON.parse(String(output[3]));
}

/** @param {string} file */
function addComment(file) {
  const database = new Database(file);
  try {
    database.exec(`INSERT INTO comment (url, created, published, author_name, author_site, content)
      SELECT url, '2026-01-01 00:00:00', '2026-01-01 00:00:00', 'New', '', 'A new comment' FROM comment
      WHERE published IS NOT NULL LIMIT 1`);
  } finally {
    database.close();
  }
}

/**
 * @param {string} folder
 * @param {() => void} act
 * @returns {number} the files of the folder that are other ones afterwards
 */
function changedBy(folder, act) {
  const before = inodes(folder);
  act();
  const after = inodes(folder);
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).length;
}

/**
 * @param {string} folder
 * @returns {Map<string, string>} file → what is another one for each that is written
 */
function inodes(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      const { ino, mtimeNs } = statSync(file, { bigint: true });
      return [file, `${ino} ${mtimeNs}`];
    }),
  );
}
