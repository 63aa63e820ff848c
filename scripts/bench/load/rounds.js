/**
 * The order of a round: it starts with another contender each time, and every second round goes backwards, so that
 * nobody always comes after the same other one.
 *
 * @template T
 * @param {T[]} contenders
 * @param {number} round
 * @returns {T[]}
 */
export function inTurn(contenders, round) {
  const start = round % contenders.length;
  const rotated = [...contenders.slice(start), ...contenders.slice(0, start)];
  return round % 2 === 0 ? rotated : rotated.reverse();
}
