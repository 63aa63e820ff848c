/* Shared set-up of the tests of the web servers: a blog as a publish leaves it. It holds no test itself. */
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from '../../../stacosys-hook/test/database.js';
import { writeFiles } from '../../../stacosys-hook/test/hugo-site.js';
import { SHA256 } from './running.js';

/** What must never be served. */
export const SECRET = 'a secret that lies in a hidden file';

const PAGE = '<!doctype html><title>A page</title>'.padEnd(2000, ' text');

/** @type {Record<string, string>} */
const FILES = {
  'index.html': PAGE.replace('A page', 'Home'),
  '404.html': '<!doctype html><title>Nothing here</title>',
  'one/index.html': PAGE.replace('A page', 'One'),
  'web-design/index.html': PAGE.replace('A page', 'An article on web design'),
  'api-design/index.html': PAGE.replace('A page', 'An article on the design of an API'),
  [`main.min.${SHA256}.css`]: 'body{color:#222}'.padEnd(2000),
  [`stacosys/comments.min.${SHA256}.js`]: 'export {}'.padEnd(2000),
  'main.css': 'body{}',
  'images/photo_hu_0123456789abcdef.jpg': 'new',
  'images/photo_hu15210517121918042184.jpg': 'from 0.124 to 0.138',
  [`images/photo_hu${SHA256.slice(0, 32)}_1234_300x0_resize_q75_box.jpg`]: 'old',
  'images/photo_human.jpg': 'as the author named it',
  'robots.txt': 'User-agent: *',
  '.well-known/security.txt': 'Contact: mailto:alice@example.org',
  '.well-known/.git/config': SECRET,
  '.git/config': SECRET,
  '.env': SECRET,
  'one/.htpasswd': SECRET,
};

/**
 * @param {import('node:test').TestContext} t
 * @returns {{folder: string, publish: (name: string, files?: Record<string, string>) => void}}
 *   the folder that holds `current`; `publish` makes another release live
 */
export function publishedBlog(t) {
  const folder = temporaryFolder(t);
  /**
   * @param {string} name
   * @param {Record<string, string>} files
   */
  const publish = (name, files = {}) => {
    const release = join(folder, 'releases', name);
    mkdirSync(release, { recursive: true });
    writeFiles(release, { ...FILES, ...files });
    symlinkSync(join('releases', name), join(folder, '.current.new'));
    renameSync(join(folder, '.current.new'), join(folder, 'current'));
  };
  publish('20261121T120000.000Z-00000001');
  return { folder, publish };
}

/**
 * Puts a compressed file beside another, with something else in it, so that a test sees which one came.
 *
 * @param {string} folder of the blog
 * @param {string} file
 * @param {string} text
 */
export function addGzipped(folder, file, text) {
  writeFileSync(join(folder, 'current', `${file}.gz`), gzipSync(text));
}
