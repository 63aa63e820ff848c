/**
 * @param {import('./part.js').Part[]} parts that are to run, in their order
 * @param {boolean} quick
 * @param {number} done how many of them are over
 * @param {number} spent seconds of the one that runs
 * @returns {number} seconds, as far as the parts know
 */
export function timeLeft(parts, quick, done, spent) {
  const [current = 0, ...later] = parts.slice(done).map((part) => part.seconds(quick));
  return Math.max(0, current - spent) + later.reduce((sum, seconds) => sum + seconds, 0);
}

/**
 * @param {number} seconds
 * @returns {string} `about 12 minutes`
 */
export function aboutTime(seconds) {
  if (seconds < 10) return 'a few seconds';
  if (seconds < 90) return `about ${Math.round(seconds / 10) * 10} seconds`;
  return `about ${Math.round(seconds / 60)} minutes`;
}
