import { join } from 'node:path';

/**
 * The folders in which a Stacosys is looked for, the nearest ones first: in each of them its config.ini
 * and a db.sqlite, no deeper.
 *
 * @param {string} blog absolute
 * @param {string} home folder of the user; '' for none
 * @returns {string[]} absolute, each once
 */
export function databasePlaces(blog, home) {
  const near = [blog, join(blog, 'stacosys'), join(blog, '..'), join(blog, '..', 'stacosys')];
  const own = home === '' ? [] : [home, join(home, 'stacosys')];
  const usual = ['/var/lib', '/etc', '/opt', '/srv'].map((folder) => join(folder, 'stacosys'));
  return [...new Set([...near, ...own, ...usual])];
}
