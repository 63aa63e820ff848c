// npm run lighthouse: Lighthouse on two pages of the demo. Exit code 1 where a score is below 100.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CommentTable } from './comment-table.js';
import { demoServer } from './demo-server.js';
import { lighthouseReport } from './lighthouse-report.js';
import { ROOT, usableChromium } from './tools.js';

const CATEGORIES = ['accessibility', 'best-practices'];

const PAGES = { 'home page': '/', article: '/2021/an-address-is-a-promise/#comments' };

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
  const options = { chromium, categories: CATEGORIES };
  for (const [name, path] of Object.entries(PAGES)) {
    print(name, await lighthouseReport(address + path, options));
  }
} finally {
  server.close();
}

/**
 * @param {string} name
 * @param {import('./lighthouse-report.js').Report} report
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
