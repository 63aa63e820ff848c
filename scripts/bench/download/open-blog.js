import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ARTICLES, ARTICLE_PATH, LIST_PATH, articleAt, buildBlog, writeBlog } from './blog.js';
import { serveSite } from './serve-site.js';

/**
 * @typedef {'list' | 'article'} PageName
 *
 * @typedef {object} Blog a contender's, served
 * @property {import('./contender.js').Contender} contender
 * @property {string} origin
 * @property {() => Promise<void>} close it, and its server of comments
 */

export const PATHS = { list: LIST_PATH, article: ARTICLE_PATH };

/**
 * @param {import('./contender.js').Contender} contender
 * @param {string} folder of its own
 * @param {string} hugo
 * @param {import('../make-certificate.js').Certificate} certificate
 * @returns {Promise<Blog>}
 */
export async function openBlog(contender, folder, hugo, certificate) {
  const site = join(folder, 'site');
  mkdirSync(site, { recursive: true });
  writeBlog(site, contender.slots, contender.config);
  const { answer, stop } = await contender.start(site, folder);
  try {
    const pages = buildBlog(hugo, site);
    const server = await serveSite({ folder: pages, files: contender.files, answer }, certificate);
    const close = () => server.close().finally(stop);
    return { contender, origin: server.origin, close };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * @param {import('./contender.js').Contender} contender
 * @param {PageName} page
 * @returns {import('./load.js').Awaited} what the page has to show
 */
export function awaitedOn({ isFloor = false }, page) {
  const nothing = { counts: {}, marks: [] };
  if (isFloor) return nothing;
  const marks = articleAt(ARTICLE_PATH)?.notes.map(({ mark }) => mark) ?? [];
  if (page === 'article') return { ...nothing, marks };
  return { ...nothing, counts: Object.fromEntries(ARTICLES.map(({ path, notes }) => [path, notes.length])) };
}
