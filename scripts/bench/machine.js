import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import Database from 'better-sqlite3';
import { hugoVersion } from '../tools.js';

/**
 * @typedef {object} Machine
 * @property {string} processor
 * @property {string} memory
 * @property {string} system
 * @property {string} load how many processes wanted to run, before anything was measured
 * @property {Record<string, string>} software versions
 */

/** @returns {string} of the last minute: ask before measuring */
export function currentLoad() {
  return (loadavg()[0] ?? NaN).toFixed(2);
}

/**
 * @param {string} hugo
 * @param {string} load of currentLoad()
 * @returns {Machine}
 */
export function machine(hugo, load) {
  const cores = availableParallelism();
  return {
    processor: `${cpus()[0]?.model.trim() || arch()}, ${cores} cores${isVirtual() ? ' of a virtual machine' : ''}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: [distribution(), `${type()} ${/^[\d.]*/.exec(release())}`].filter(Boolean).join(', '),
    load,
    software: {
      Node: process.versions.node,
      Hugo: hugoVersion(hugo) ?? 'none',
      'better-sqlite3': packageVersion('better-sqlite3'),
      'its SQLite': sqliteVersion(),
      'sqlite3 command':
        spawnSync('sqlite3', ['-version'], { encoding: 'utf8' }).stdout?.split(' ')[0] || 'none',
    },
  };
}

/** Linux tells; others are taken for what they seem. */
function isVirtual() {
  return /^flags\s*:.*\bhypervisor\b/m.test(readIfThere('/proc/cpuinfo'));
}

/** @returns {string} `Debian GNU/Linux 12 (bookworm)`; '' where the system does not tell */
function distribution() {
  return /^PRETTY_NAME="?([^"\n]*)/m.exec(readIfThere('/etc/os-release'))?.[1] ?? '';
}

/** @param {string} file of a Linux */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** @param {string} name */
function packageVersion(name) {
  const file = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).version;
}

function sqliteVersion() {
  const database = new Database(':memory:');
  try {
    return String(database.prepare('SELECT sqlite_version()').pluck().get());
  } finally {
    database.close();
  }
}
