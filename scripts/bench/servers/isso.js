import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { THREADS, gunicornArgs } from './gunicorn.js';
import { startPython } from './python.js';

/**
 * Isso behind gunicorn, as its documentation has it, with the published comments of a database of Stacosys.
 *
 * @see https://isso-comments.de/docs/reference/deployment/
 * @param {import('./with-processes.js').Start} start
 * @param {import('./server.js').Asked} asked
 * @returns {Promise<import('./server.js').Server>}
 */
export async function startIsso(start, { database, port, workers }) {
  const own = join(dirname(database), 'isso.sqlite');
  const settings = join(dirname(database), 'isso.cfg');
  // It looks whether its blog is there, when it starts: on this machine nobody is
  writeFileSync(
    settings,
    `[general]\ndbpath = ${own}\nhost = http://127.0.0.1:1/\n[server]\nlisten = none\n`,
  );
  const args = ['--preload', ...gunicornArgs(port, workers, 'isso.run')];
  const pid = await startPython(start, port, 'gunicorn', args, { ISSO_SETTINGS: settings });
  fill(own, database);
  return { pids: [pid], about: `gunicorn, ${workers} workers of ${THREADS} threads, its own database` };
}

/**
 * @param {string} file the database that Isso has just made
 * @param {string} stacosys
 */
function fill(file, stacosys) {
  const database = new Database(file, { fileMustExist: true });
  try {
    database.prepare('ATTACH ? AS stacosys').run(stacosys);
    database.exec(`BEGIN;
      INSERT INTO threads (uri, title) SELECT DISTINCT url, url FROM stacosys.comment;
      INSERT INTO comments (tid, created, mode, remote_addr, text, author, voters)
        SELECT threads.id, unixepoch(created), 1, '127.0.0.0', content, author_name, zeroblob(256)
        FROM stacosys.comment JOIN threads ON uri = url WHERE published IS NOT NULL ORDER BY comment.id;
      COMMIT`);
  } finally {
    database.close();
  }
}
