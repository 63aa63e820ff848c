import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { CommentTable } from '../../comment-table.js';
import { devStacosys } from '../../dev-stacosys.js';
import { writeDatabase } from '../../stacosys-database.js';
import { ROOT } from '../../tools.js';
import { ARTICLES } from './blog.js';
import { proxy } from './contender.js';

const CONFIG = `
[module]
  replacements = "github.com/hugo-stacosys/hugo-stacosys -> ${ROOT.replace(/\/$/, '')}"
  [[module.imports]]
    path = "github.com/hugo-stacosys/hugo-stacosys"
`;

const BAKED = `
[params.stacosys]
  comments = "baked"
`;

/**
 * Our module, as its documentation says. The API of Stacosys is that of scripts/dev-stacosys.js, which is
 * compared with the real one.
 *
 * @param {'live' | 'baked'} comments
 * @returns {import('./contender.js').Contender}
 */
export function stacosys(comments) {
  return {
    name: `hugo-stacosys, ${comments}`,
    ours: true,
    pages: comments === 'live' ? ['list', 'article'] : ['article'], // their lists are the same
    version: JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version,
    slots: {
      count: '{{ partial "stacosys/count.html" . }}',
      list: '',
      comments: '{{ partial "stacosys/comments.html" . }}',
    },
    config: comments === 'baked' ? CONFIG + BAKED : CONFIG,
    files: {},
    start: (site, folder) => start(site, join(folder, 'db.sqlite')),
  };
}

/**
 * @param {string} site
 * @param {string} database
 * @returns {Promise<import('./contender.js').Backend>}
 */
async function start(site, database) {
  writeDatabase(database, comments());
  const bin = join(ROOT, 'stacosys-hook', 'bin.js');
  execFileSync(process.execPath, [bin, 'bake', '--quiet', '--db', database, '--source', site]);
  const table = new CommentTable(database);
  const server = createServer(devStacosys({ comments: table }));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const api = proxy('/api/', `http://127.0.0.1:${port}/api`);
  return {
    answer: api,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      table.close();
    },
  };
}

/** @returns {Generator<import('../../stacosys-database.js').Comment>} */
function* comments() {
  for (const { path: url, notes } of ARTICLES) {
    for (const { author, text: content, date } of notes) {
      yield { url, author, content, created: date, published: date };
    }
  }
}
