/**
 * Counts in the form in which a source gives them: a line each, sorted by the bytes of the url,
 * none twice.
 *
 * @param {Iterable<[url: string, published: number]>} counts
 * @returns {import('../src/bake.js').Lines}
 */
export function rows(counts) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const [url, published] of counts) sums.set(url, (sums.get(url) ?? 0) + published);
  const sorted = [...sums].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const lines = sorted.map(([url, published]) => `  ${JSON.stringify(url)}: ${published},\n`);
  return { lines: lines.join(''), urls: sorted.length };
}
