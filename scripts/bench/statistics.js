/*
 * Robust statistics of run times: on a busy machine a mean says more about the neighbours.
 */

/**
 * @param {number[]} values at least one
 * @returns {number}
 */
export function median(values) {
  const ordered = values.toSorted((a, b) => a - b);
  const middle = ordered.length / 2;
  const around = ordered.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return around.reduce((sum, value) => sum + value, 0) / around.length;
}

/**
 * The median of what `compare` says of each pair. Runs of one round share the state of the
 * machine, so a pair tells more than the two medians do.
 *
 * @param {number[]} ours
 * @param {number[]} theirs of the same rounds
 * @param {(ours: number, theirs: number) => number} compare
 * @returns {number}
 */
export function pairedMedian(ours, theirs, compare) {
  return median(ours.map((value, round) => compare(value, theirs[round] ?? NaN)));
}
