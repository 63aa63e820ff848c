// npm run demo [-- --once] [-- --port N]: a demo database → bake → hugo → served.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import sirv from 'sirv';
import { readPages } from '../stacosys-hook/src/site.js';
import { demoComments } from './demo-comments.js';
import { writeDatabase } from './stacosys-database.js';
import { ROOT, hugoVersion, usableHugo } from './tools.js';

const SITE = join(ROOT, 'hugo-module', 'exampleSite');
const DEMO = join(ROOT, '.demo');
const DATABASE = join(DEMO, 'db.sqlite');
const OUTPUT = join(DEMO, 'public');

const { values } = parseArgs({
  options: {
    once: { type: 'boolean', default: false },
    port: { type: 'string', default: '1314' },
  },
});

const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new RangeError(`--port ${values.port}`);
const hugo = usableHugo();
if (hugo === null) throw new Error('There is no usable Hugo: run node scripts/setup.js hugo');
const address = `http://127.0.0.1:${port}/`;

rmSync(DEMO, { recursive: true, force: true });
mkdirSync(DEMO);
const comments = demoComments((await readPages(SITE, hugo)) ?? []);
writeDatabase(DATABASE, comments);
run(process.execPath, [join(ROOT, 'stacosys-hook', 'bin.js'), 'bake', '--db', DATABASE, '--source', SITE]);
run(hugo, ['--minify', '--quiet', '--source', SITE, '--destination', OUTPUT, '--baseURL', address]);
summarise();
if (!values.once) serve();

/**
 * @param {string} program
 * @param {string[]} args
 */
function run(program, args) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', cwd: ROOT });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? `exit ${status}`}`);
}

function summarise() {
  const home = readFileSync(join(OUTPUT, 'index.html'), 'utf8');
  const counts = home.match(/class=["']?stacosys-count/g)?.length ?? 0;
  const scripts = home.match(/<script/g)?.length ?? 0;
  console.log(`
Hugo ${hugoVersion(String(hugo))} built ${relative(ROOT, OUTPUT)}/ from ${comments.length} comments.
The home page shows ${counts} comment counts and carries ${scripts} scripts, ${Buffer.byteLength(home).toLocaleString('en')} bytes of HTML.
Database: ${relative(ROOT, DATABASE)}`);
}

function serve() {
  const serveFile = sirv(OUTPUT, { dev: true });
  const server = createServer((request, response) =>
    serveFile(request, response, () => {
      const page = join(OUTPUT, '404.html');
      response.writeHead(404, { 'Content-Type': 'text/html; charset=utf-8' });
      response.end(existsSync(page) ? readFileSync(page) : 'Not found');
    }),
  );
  server.once('error', (error) => {
    console.error(
      `Cannot serve on port ${port}: ${error.message}\nChoose another: npm run demo -- --port 8080`,
    );
    process.exitCode = 1;
  });
  server.listen(port, '127.0.0.1', () => console.log(`Open ${address} (Ctrl+C ends it)`));
}
