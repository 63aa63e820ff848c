// npm run lighthouse: Lighthouse on two pages of the demo. Exit code 1 where a score is below 100.
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CommentTable } from './comment-table.js';
import { demoServer } from './demo-server.js';
import { ROOT, usableChromium } from './tools.js';

/** Not among our dependencies: only this script wants it, and the packages that it brings. */
const LIGHTHOUSE = 'lighthouse@13.5.0';

const CATEGORIES = ['accessibility', 'best-practices'];

const PAGES = { 'home page': '/', article: '/2021/an-address-is-a-promise/#comments' };

/**
 * @typedef {object} Audit
 * @property {string} id
 * @property {string} title
 * @property {number | null} score
 *
 * @typedef {object} Report
 * @property {Record<string, {score: number, auditRefs: {id: string, weight: number}[]}>} categories
 * @property {Record<string, Audit>} audits
 * @property {{message: string}} [runtimeError]
 */

const chromium = usableChromium();
if (chromium === null) throw new Error('There is no Chromium: run node scripts/setup.js chromium');

execFileSync(process.execPath, [join(ROOT, 'scripts', 'demo.js'), '--once'], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
const server = demoServer({
  folder: join(ROOT, '.demo', 'public'),
  comments: new CommentTable(join(ROOT, '.demo', 'db.sqlite')),
  redirect: '/thanks/',
  rebuild: async () => {},
});
await once(server.listen(0, '127.0.0.1'), 'listening');
try {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const address = `http://127.0.0.1:${port}`;
  for (const [name, path] of Object.entries(PAGES)) print(name, await reportOn(address + path));
} finally {
  server.close();
}

/**
 * @param {string} url
 * @returns {Promise<Report>}
 */
async function reportOn(url) {
  const sandbox = process.getuid?.() === 0 ? ' --no-sandbox' : ''; // Chromium has none for root
  const options = [
    '--quiet',
    '--output=json',
    `--only-categories=${CATEGORIES.join(',')}`,
    `--chrome-flags=--headless=new${sandbox}`,
  ];
  // Lighthouse wants the Node that runs this script, not an older one of the system
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const { stdout } = await promisify(execFile)('npx', ['--yes', LIGHTHOUSE, url, ...options], {
    env: { ...process.env, PATH: path, CHROME_PATH: String(chromium) },
    maxBuffer: 64 * 1024 * 1024,
    timeout: 180_000,
  });
  const report = JSON.parse(stdout);
  if (report.runtimeError) throw new Error(report.runtimeError.message);
  return report;
}

/**
 * @param {string} name
 * @param {Report} report
 */
function print(name, { categories, audits }) {
  for (const category of CATEGORIES) {
    const { score = 0, auditRefs = [] } = categories[category] ?? {};
    console.log(`${name.padEnd(12)}${category.padEnd(16)}${String(Math.round(100 * score)).padStart(4)}`);
    if (score < 1) process.exitCode = 1;
    for (const { id } of auditRefs) {
      const audit = audits[id];
      if (audit && audit.score !== null && audit.score < 1) console.log(`  ${id}: ${audit.title}`);
    }
  }
}
