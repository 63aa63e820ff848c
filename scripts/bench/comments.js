/*
 * Made-up comments that load a database as real ones do. The same size gives the same rows.
 */

const WORDS =
  'static comment engine python web server article reader feed mail spam index cache build page slow fast table link note'.split(
    ' ',
  );

const CONTENT_LENGTH = 300; // characters, about what a comment of a tech blog has
const PENDING = 0.02;
const ODD = 0.002; // their urls too: 2,000 of 1M

/** Other forms of an article's url, as real databases hold them. @type {((path: string) => string)[]} */
const ODD_FORMS = [
  (path) => path.slice(1),
  (path) => path.slice(0, -1),
  (path) => `${path}/`,
  (path) => path.replace('-', '%2D'),
  (path) => `https://blog.example${path}?utm_source=feed#comments`,
];

/**
 * @param {number} comments
 * @param {number} articles each gets at least one comment, the first ones most
 * @returns {Generator<import('../stacosys-database.js').Comment>}
 */
export function* madeUpComments(comments, articles) {
  const random = seeded(comments);
  const paths = Array.from({ length: articles }, (_, article) => pathOf(article, random));
  const text = Array.from({ length: 2000 }, () => pick(WORDS, random)).join(' ');
  for (const article of shuffledArticles(comments, articles, random)) {
    const path = paths[article] ?? '';
    const start = Math.floor(random() * (text.length - CONTENT_LENGTH));
    const created = dateOf(random);
    yield {
      url: random() < ODD ? pick(ODD_FORMS, random)(path) : path,
      author: `${pick(WORDS, random)} ${pick(WORDS, random)}`,
      content: text.slice(start, start + CONTENT_LENGTH),
      created,
      published: random() < PENDING ? null : created,
      site: random() < 0.2 ? `https://${pick(WORDS, random)}.example/` : '',
    };
  }
}

/**
 * The article of each comment. Readers comment on whatever they read, so the rows of one
 * article lie all over the file.
 *
 * @param {number} comments
 * @param {number} articles
 * @param {() => number} random
 */
function shuffledArticles(comments, articles, random) {
  const chosen = Int32Array.from({ length: comments }, (_, comment) =>
    comment < articles ? comment : Math.floor(articles * random() ** 3),
  );
  for (let last = chosen.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [chosen[last], chosen[other]] = [chosen[other] ?? 0, chosen[last] ?? 0];
  }
  return chosen;
}

/**
 * @param {number} article
 * @param {() => number} random
 */
function pathOf(article, random) {
  const slug = [pick(WORDS, random), pick(WORDS, random), pick(WORDS, random), article].join('-');
  return `/${2010 + Math.floor(random() * 15)}/${slug}/`;
}

/** @param {() => number} random */
function dateOf(random) {
  const milliseconds = Date.UTC(2010) + Math.floor(random() * 15 * 365 * 86_400) * 1000;
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
}

/**
 * @template T
 * @param {T[]} values
 * @param {() => number} random
 * @returns {T}
 */
function pick(values, random) {
  return /** @type {T} */ (values[Math.floor(random() * values.length)]);
}

/**
 * Mulberry32: small, and good enough to spread comments.
 *
 * @param {number} seed
 * @returns {() => number} from 0 to below 1
 */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
