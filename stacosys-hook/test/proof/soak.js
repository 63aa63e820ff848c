/*
 * How long the proofs go on: a few seconds each in `npm test`, as long as they were asked for in
 * `npm run test:soak`. The only place that reads these variables. It holds no test itself.
 */
const IS_SOAK = process.env.STACOSYS_SOAK === '1';

/**
 * @template T
 * @param {T} small for every day
 * @param {T} full
 * @returns {T}
 */
export function sized(small, full) {
  return IS_SOAK ? full : small;
}

/** @returns {number} the seed of a run that failed, or a new one */
export function chosenSeed() {
  const given = process.env.STACOSYS_SEED;
  return given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given);
}
