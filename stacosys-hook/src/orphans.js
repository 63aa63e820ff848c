import { distance } from 'fastest-levenshtein';

/**
 * @typedef {import('./site.js').Page} Page
 *
 * @typedef {object} Orphan comments that belong to no page of the site
 * @property {string} key
 * @property {number} comments
 * @property {{key: string, path: string} | null} nearest the page that is probably meant
 */

/** With more than this share of the letters of its last segment changed, a page is a guess. */
const FAR = 0.4;

/**
 * The commented keys that are no page and no alias of the site.
 *
 * @param {Map<string, number>} counts canonical key → comments
 * @param {Page[]} pages
 * @returns {Orphan[]} in the order of the keys
 */
export function findOrphans(counts, pages) {
  const known = new Set(pages.flatMap(({ key, aliases }) => [key, ...aliases]));
  const candidates = pages.map(({ key, path }) => ({ key, path, slug: slug(key) }));
  return [...counts]
    .filter(([key]) => !known.has(key))
    .map(([key, comments]) => ({ key, comments, nearest: nearestPage(key, candidates) }));
}

/**
 * The page whose last segment is alike, and of these the one with the fewest letters changed:
 * a slug is mistyped or mended now and then, and an article is moved with its slug.
 *
 * @param {string} key
 * @param {{key: string, path: string, slug: string}[]} candidates
 */
function nearestPage(key, candidates) {
  const wanted = slug(key);
  const lowerCase = key.toLowerCase();
  const far = Math.round(FAR * wanted.length); // 2 letters of 4: a swap of two is two changes
  let nearest = null;
  let fewest = Infinity;
  for (const page of candidates) {
    if (Math.abs(page.slug.length - wanted.length) > far) continue; // the least that distance can be
    if (distance(page.slug, wanted) > far) continue;
    const changed = distance(page.key.toLowerCase(), lowerCase);
    if (changed < fewest) {
      nearest = { key: page.key, path: page.path };
      fewest = changed;
    }
  }
  return nearest;
}

/**
 * In lower case, because Hugo puts the name of a file into lower case and older blogs did not.
 *
 * @param {string} key
 */
function slug(key) {
  const segment =
    key
      .replace(/\/$|\.html?$/, '')
      .split('/')
      .at(-1) ?? '';
  return (segment.includes('%') ? decodeURIComponent(segment) : segment).toLowerCase();
}
