/**
 * @typedef {import('./stacosys-database.js').Comment} Comment
 *
 * @typedef {object} Words
 * @property {string[]} openings
 * @property {string[]} middles
 * @property {string[]} closings
 */

const AUTHORS = [
  ['Mireille', 'https://mireille.example'],
  ['Tom', ''],
  ['Agnes K.', 'https://slowbread.example/notes'],
  ['yusuf', ''],
  ['Zoé', 'http://zoe.example'],
  ['Jan', ''],
  ['Wren', 'https://wren.example'],
  ['Paulo', ''],
  ['老张', ''],
  ['Siobhán', 'https://bikeshed.example'],
  ['Karim', ''],
  ['L. Novak', ''],
];

/** @type {Record<'en' | 'fr', Words>} */
const WORDS = {
  en: {
    openings: [
      'Thank you for writing this down.',
      'I came here from a search and stayed for the whole thing.',
      'This is the **third** time I read this page.',
      'Funny, I did the opposite last year.',
      'A small correction, if I may:',
      'My father taught me the same, with more swearing.',
      'I printed this and pinned it over the bench.',
    ],
    middles: [
      'The part about patience is the part that everybody skips.',
      'Mine lasted eleven winters before I had to touch it again.',
      'I would only add: write the date on it, with a pencil.',
      'What helped me was to stop after step two and sleep over it.',
      'It took me two evenings and one trip to the shop for `M5` washers.',
      'I measured it twice and still got it wrong by a thumb.',
      'The cheap version is fine for a year, not for three.',
      'There is a good drawing of this in the old manual, page 14.',
      '> less is easier to mend\n\nThat line is on my fridge now.',
    ],
    closings: [
      'Greetings from a rainy coast.',
      'Would you do it the same way today?',
      'Please keep going.',
      'I shall report in spring.',
      'Do you have a picture of the back?',
      '',
    ],
  },
  fr: {
    openings: [
      'Merci pour ce billet.',
      'Je suis tombé ici par hasard et j’ai tout lu.',
      'C’est la **troisième** fois que je relis cette page.',
      'Tiens, j’ai fait l’inverse l’an dernier.',
      'Une petite précision, si vous permettez :',
      'Mon grand-père faisait pareil, en râlant davantage.',
    ],
    middles: [
      'C’est toujours l’étape de la patience que l’on saute.',
      'La mienne a tenu onze hivers avant que j’y retouche.',
      'J’ajouterais seulement : notez la date dessus, au crayon.',
      'Ce qui m’a aidé : m’arrêter à mi-chemin et dormir dessus.',
      'Deux soirées, et un aller-retour au magasin pour des rondelles `M5`.',
      'Mesuré deux fois, et faux quand même, d’un pouce.',
      'La version bon marché tient un an, pas trois.',
    ],
    closings: [
      'Salutations d’une côte pluvieuse.',
      'Le referiez-vous de la même façon ?',
      'Continuez !',
      'Je raconterai la suite au printemps.',
      '',
    ],
  },
};

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const FIRST = Date.UTC(2017, 2, 5, 9, 12);
const LAST = Date.UTC(2026, 10, 1, 18, 30);

/** The url forms that Stacosys collects over the years; most comments come with the first. */
const FORMS = [
  (/** @type {string} */ key) => key.replace(/\/$/, ''),
  (/** @type {string} */ key) => key.slice(1),
  (/** @type {string} */ key) => `${key}/`,
  (/** @type {string} */ key) => decodeURI(key).normalize('NFD'),
  (/** @type {string} */ key) => `https://example.org${key}?utm_source=feed#comments`,
];

/** As many wait for their moderation: enough to try it, few enough to see that one is gone. */
const PENDING = 3;

/**
 * About 200 comments over the articles of the example site, the same at every call: the last
 * few pending, some under odd forms of their url or an alias, one with none. The newest article
 * gets none.
 *
 * @param {import('../stacosys-hook/src/site.js').Page[]} pages
 * @param {number} [amount]
 * @returns {Comment[]}
 */
export function demoComments(pages, amount = 200) {
  const articles = pages.filter(({ path }) => path.includes('/notes/') && !path.endsWith('_index.md'));
  const keys = articles.flatMap(({ key, aliases }) => [key, ...aliases]).sort();
  const newest = keys.findLast((key) => /^\/\d{4}\//.test(key));
  const commented = keys.filter((key) => key !== newest);
  const all = Array.from({ length: amount }, (_, index) => {
    const key = commented[unevenly(index, commented.length)] ?? '/';
    const [author = '', site = ''] = AUTHORS[(index * 7) % AUTHORS.length] ?? [];
    const first = firstDate(key);
    const share = (LAST - first) * (index / amount);
    const created = new Date(first + share + ((index * 37) % 600) * MINUTE);
    const isPending = index % 19 === 18;
    return {
      url: index === 100 ? ' ' : spelled(key, index),
      author,
      site,
      content: content(key.startsWith('/fr/') ? WORDS.fr : WORDS.en, index),
      created: sqlDate(created),
      published: isPending ? null : sqlDate(new Date(created.getTime() + 95 * MINUTE)),
    };
  });
  all.sort((a, b) => (a.created < b.created ? -1 : 1));
  const pending = new Set(all.filter(({ published }) => published === null).slice(-PENDING));
  return all.filter((comment) => comment.published !== null || pending.has(comment));
}

/**
 * Nobody comments on an article before it is there: the year of its address is over.
 *
 * @param {string} key
 * @returns {number} milliseconds since 1970
 */
function firstDate(key) {
  const [, year] = /\/(\d{4})\//.exec(key) ?? [];
  return year === undefined ? FIRST : Math.min(Date.UTC(Number(year) + 1, 0, 2, 9, 12), LAST - 60 * DAY);
}

/**
 * Some articles are talked about more than others. The squares of an evenly spread number say
 * how much, and a stride that has no part in common with their number says which.
 *
 * @param {number} index
 * @param {number} amount
 */
function unevenly(index, amount) {
  const evenly = (index * 0.618033988749895) % 1;
  return (Math.floor(evenly * evenly * amount) * 7) % amount;
}

/**
 * @param {string} key
 * @param {number} index
 */
function spelled(key, index) {
  if (index % 11 !== 5) return key;
  if (key.endsWith('.html')) return key.slice(1);
  return FORMS[(index - 5) % FORMS.length]?.(key) ?? key;
}

/**
 * @param {Words} words
 * @param {number} index
 */
function content({ openings, middles, closings }, index) {
  return [openings, middles, closings]
    .map((sentences, place) => sentences[(index * (place + 2) + (index >> 3)) % sentences.length])
    .filter(Boolean)
    .join('\r\n'); // as a browser posts a text area
}

/** @param {Date} date as Stacosys writes it: local time without a zone */
function sqlDate(date) {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}
