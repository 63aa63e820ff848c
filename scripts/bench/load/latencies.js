/*
 * The latencies that wrk hands over: a histogram, and what wrk does to it.
 */

/** @typedef {[microseconds: number, count: number][]} Histogram in ascending order */

/**
 * Takes back what wrk adds to its histogram "for coordinated omission": for each latency of more than
 * twice the time that a connection took per answer, one more for each such time that fits into it. That
 * time is of one answer, but our latency is of a whole page view of many answers, so that wrk would add ten
 * made-up short latencies to each true one.
 *
 * @see https://github.com/wg/wrk/blob/4.1.0/src/stats.c stats_correct(), which goes up; this goes down
 * @param {Histogram} corrected
 * @param {number} expected microseconds that a connection took per answer, as wrk computes them
 * @returns {Histogram}
 */
export function uncorrected(corrected, expected) {
  const counts = new Map(corrected);
  for (const [latency] of corrected.toReversed()) {
    const count = counts.get(latency) ?? 0;
    if (count === 0 || latency < 2 * expected) continue;
    for (let added = latency - expected; added > expected; added -= expected) {
      counts.set(added, (counts.get(added) ?? 0) - count);
    }
  }
  const histogram = [...counts].filter(([, count]) => count !== 0);
  if (histogram.some(([, count]) => count < 0)) throw new Error('wrk corrects its latencies in another way');
  return histogram;
}

/**
 * @param {Histogram} histogram
 * @returns {number}
 */
export function countOf(histogram) {
  return histogram.reduce((sum, [, count]) => sum + count, 0);
}

/**
 * @param {Histogram} histogram
 * @returns {number} microseconds
 */
export function meanOf(histogram) {
  return histogram.reduce((sum, [latency, count]) => sum + latency * count, 0) / countOf(histogram);
}

/**
 * @param {Histogram} histogram
 * @param {number} share 0.99: so many of all took at most as long as the result
 * @returns {number} microseconds
 */
export function percentileOf(histogram, share) {
  const rank = Math.ceil(countOf(histogram) * share);
  let counted = 0;
  return histogram.find(([, count]) => (counted += count) >= rank)?.[0] ?? NaN;
}
