/**
 * @typedef {import('./service-state.js').BuildRecord} BuildRecord
 * @typedef {Pick<import('./service-state.js').BuildState, 'records' | 'totals' | 'seconds' | 'lastSuccess'>} Facts
 */

const KEPT = 20;

/**
 * What became of the builds of this process.
 *
 * @returns {{add: (record: BuildRecord) => BuildRecord, facts: () => Facts}} add: returns what it was given
 */
export function createBuildHistory() {
  /** @type {BuildRecord[]} newest first */
  let records = [];
  const totals = { published: 0, unchanged: 0, failed: 0 };
  let seconds = 0;
  /** @type {number | null} */
  let lastSuccess = null;
  return {
    add: (record) => {
      totals[record.result] += 1;
      if (record.result !== 'failed') lastSuccess = record.started + record.milliseconds;
      if (record.result !== 'unchanged') seconds += record.milliseconds / 1000;
      // A new comment that waits for its moderation changes nothing: it is no news, but after a failure
      const isNews = record.result !== 'unchanged' || records[0]?.result === 'failed';
      if (isNews) records = [record, ...records].slice(0, KEPT);
      return record;
    },
    facts: () => ({ records, totals, seconds, lastSuccess }),
  };
}
