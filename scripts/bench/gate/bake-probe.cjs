/*
 * Preloaded into a bake, to count what it does: when it ends, it writes to file descriptor 3 the statements
 * that SQLite ran, how often it went through the table of comments, and the files of JavaScript that were
 * loaded. CommonJS, because that is loaded before the bake.
 */
const { writeSync } = require('node:fs');
const { registerHooks } = require('node:module');

/** @type {Set<string>} */
const modules = new Set();
/** @type {string[]} */
const statements = [];
let scans = 0;
/** @type {Set<string>} */
const inPieces = new Set();

registerHooks({
  load: (url, context, nextLoad) => {
    if (url.startsWith('file:')) modules.add(url);
    return nextLoad(url, context);
  },
});

/** @type {Record<string, (...parameters: any[]) => any>} */
const prototype = /** @type {any} */ (require('better-sqlite3')).prototype;
const { prepare, pragma, exec } = /** @type {Record<'prepare' | 'pragma' | 'exec', Function>} */ (prototype);

prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql);
  for (const name of ['get', 'all', 'iterate', 'run']) {
    const run = statement[name];
    statement[name] = (/** @type {unknown[]} */ ...parameters) => {
      statements.push(sql);
      look(sql, prepare.call(this, `EXPLAIN QUERY PLAN ${sql}`).all(...parameters));
      return run.apply(statement, parameters);
    };
  }
  return statement;
};

prototype.pragma = function (source, options) {
  statements.push(`PRAGMA ${source}`);
  return pragma.call(this, source, options);
};

prototype.exec = function (sql) {
  statements.push(sql);
  return exec.call(this, sql);
};

/**
 * @param {string} sql
 * @param {{detail: string}[]} plan
 */
function look(sql, plan) {
  scans += plan.filter(({ detail }) => /^SCAN comment\b/.test(detail)).length;
  // All runs of it together go through the table once
  if (plan.some(({ detail }) => /^SEARCH comment .*\(rowid>\?\)/.test(detail))) inPieces.add(sql);
}

process.on('exit', () => {
  writeSync(3, JSON.stringify({ statements, scans: scans + inPieces.size, modules: [...modules] }));
});
