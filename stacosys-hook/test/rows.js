/*
 * The rows of a source without a database, for the tests of both folders. It holds no test itself.
 */

/**
 * @param {Iterable<[url: string, published: number]>} entries in any order; a url may come twice
 * @returns {import('../src/bake.js').Lines} as `count` of a source gives them
 */
export function rows(entries) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const [url, published] of entries) counts.set(url, (counts.get(url) ?? 0) + published);
  const sorted = [...counts].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const lines = sorted.map(([url, published]) => `  ${JSON.stringify(url)}: ${published},\n`);
  return { lines: lines.join(''), urls: counts.size };
}
