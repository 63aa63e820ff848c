// npm run demo: a demo database → bake → hugo → served, with comments.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { readPages } from '../stacosys-hook/src/site.js';
import { CommentTable } from './comment-table.js';
import { demoComments } from './demo-comments.js';
import { MODERATION } from './demo-moderation.js';
import { demoServer } from './demo-server.js';
import { writeDatabase } from './stacosys-database.js';
import { ROOT, hugoVersion, usableHugo } from './tools.js';
import { readOptions, refuse } from './read-options.js';

const SITE = join(ROOT, 'hugo-module', 'exampleSite');
const DEMO = join(ROOT, '.demo');
const DATABASE = join(DEMO, 'db.sqlite');
const OUTPUT = join(DEMO, 'public');

/** The page that thanks for a comment. */
const REDIRECT = '/thanks/';

const USAGE = `Usage: npm run demo [-- OPTIONS]

Bakes a demo database into the example site, builds it with Hugo, and serves it with comments.

  --once    build only
  --port N  where to serve (default: 1314)
  --help    show this help`;

const values = readOptions(USAGE, {
  once: { type: 'boolean', default: false },
  port: { type: 'string', default: '1314' },
});

const port = Number(values.port);
if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  refuse(`--port is "${values.port}": it is a whole number between 1 and 65535`, USAGE);
}
const hugo = usableHugo();
if (hugo === null) throw new Error('There is no usable Hugo: run node scripts/setup.js hugo');
const address = `http://127.0.0.1:${port}/`;

if (!values.once) await refuseTakenPort(); // before anything of a demo that runs there is lost
rmSync(DEMO, { recursive: true, force: true });
mkdirSync(DEMO);
const comments = demoComments((await readPages(SITE, hugo)) ?? []);
writeDatabase(DATABASE, comments);
console.log(await build());
summarise();
if (values.once) console.log('To look at it in a browser: npm run demo');
else serve();

/** @returns {Promise<string>} what the two commands said; the server answers meanwhile */
async function build() {
  const bake = [
    join(ROOT, 'stacosys-hook', 'bin.js'),
    'bake',
    '--comments',
    '--db',
    DATABASE,
    '--source',
    SITE,
  ];
  const render = ['--minify', '--quiet', '--source', SITE, '--destination', OUTPUT, '--baseURL', address];
  return `${await run(process.execPath, bake)}${await run(String(hugo), render)}`.trim();
}

/**
 * @param {string} program
 * @param {string[]} args
 */
async function run(program, args) {
  // An error holds what the program printed to standard error
  const { stdout, stderr } = await promisify(execFile)(program, args, { cwd: ROOT });
  return stdout + stderr;
}

function summarise() {
  const home = readFileSync(join(OUTPUT, 'index.html'), 'utf8');
  const counts = home.match(/class=["']?stacosys-count/g)?.length ?? 0;
  const scripts = home.match(/<script/g)?.length ?? 0;
  console.log(`
Hugo ${hugoVersion(String(hugo))} built ${relative(ROOT, OUTPUT)}/ from the published ones of ${comments.length} comments.
The home page shows ${counts} comment counts and carries ${scripts} scripts, ${Buffer.byteLength(home).toLocaleString('en')} bytes of HTML.
Database: ${relative(ROOT, DATABASE)}`);
}

async function refuseTakenPort() {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch (error) {
    console.error(`Cannot serve on port ${port}: ${error instanceof Error ? error.message : error}`);
    console.error('Choose another: npm run demo -- --port 8080');
    process.exit(1);
  }
  await once(probe.close(), 'close');
}

function serve() {
  const table = new CommentTable(DATABASE);
  const server = demoServer({ folder: OUTPUT, comments: table, redirect: REDIRECT, rebuild: build });
  server.listen(port, '127.0.0.1', () => {
    const waiting = table.pending().length;
    console.log(`
Open       ${address}
Moderate   ${new URL(MODERATION, address)} (${waiting} comments wait)
Ctrl+C ends it. The comments go to a Stacosys for development: no mail, no password.`);
  });
}
