/*
 * What watch is compared with: a script that looks at the comments once a minute, and where their number
 * changed, has Hugo build the site in place. The blog of the author of Stacosys does so; this one is kinder: it
 * stays in memory, asks the database itself instead of the API, and hands Hugo the counts as one data file.
 *
 * node poller.js --db FILE --source DIR --hugo FILE --first SECONDS
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';

const PERIOD = 60_000; // milliseconds

const COUNTS = `SELECT json_group_object(url, n) FROM
  (SELECT url, count(*) n FROM comment WHERE published IS NOT NULL GROUP BY url ORDER BY url)`;

const { values } = parseArgs({
  options: {
    db: { type: 'string' },
    source: { type: 'string' },
    hugo: { type: 'string' },
    first: { type: 'string' }, // seconds until it looks, instead of those to the next full minute
  },
});
const { db = '', source = '', hugo = 'hugo', first = '60' } = values;

let built = readCounts();
build(built);
let next = performance.now() + Number(first) * 1000;
tell('ready');
for (;;) {
  await pause(Math.max(0, next - performance.now()));
  next += PERIOD;
  const counts = readCounts();
  if (counts === built) continue;
  build(counts);
  built = counts;
  tell('built');
}

/** @returns {string} JSON */
function readCounts() {
  const database = new Database(db, { readonly: true, fileMustExist: true });
  try {
    return String(database.prepare(COUNTS).pluck().get());
  } finally {
    database.close();
  }
}

/** @param {string} counts */
function build(counts) {
  const data = join(source, 'data', 'stacosys');
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, 'counts.json'), counts);
  execFileSync(hugo, ['--minify', '--quiet', '--source', source], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** @param {'ready' | 'built'} event */
function tell(event) {
  console.log(event);
}
