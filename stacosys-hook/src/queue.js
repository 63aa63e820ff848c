/**
 * @typedef {object} Queue
 * @property {(cause: string) => void} add asks for a run
 * @property {() => boolean} isRunning
 * @property {() => boolean} isWaiting whether another run follows at once
 * @property {() => number | null} nextTry when a failed run is repeated, ms since the epoch
 * @property {() => Promise<void>} stop begins no further run; resolves when the running one has ended
 *
 * @typedef {object} QueueOptions
 * @property {(causes: Set<string>) => Promise<void | 'futile'>} run rejects where it has to be repeated; futile:
 *   it would have failed as the last one did, so that one's repetition stands
 * @property {(attempt: number) => number} [pauseBefore] milliseconds before the nth repetition, from 1
 */

const FIRST_PAUSE = 1000; // milliseconds
const LONGEST_PAUSE = 300_000;

/**
 * One run at a time, and at most one waiting: whatever is asked for during a run causes exactly
 * one more. A run that fails is repeated after growing pauses, and at once when asked.
 *
 * @param {QueueOptions} options
 * @returns {Queue}
 */
export function createQueue({ run, pauseBefore = growingPause }) {
  /** @type {Set<string>} */
  let waiting = new Set();
  /** @type {Promise<void> | null} */
  let running = null;
  /** @type {{timer: NodeJS.Timeout, at: number} | null} */
  let repetition = null;
  let failures = 0;
  let isStopped = false;

  const cancelRepetition = () => {
    clearTimeout(repetition?.timer);
    repetition = null;
  };
  const repeatLater = () => {
    const pause = pauseBefore(failures);
    repetition = { timer: setTimeout(() => add('retry'), pause), at: Date.now() + pause };
  };
  const runOnce = async () => {
    const causes = waiting;
    waiting = new Set();
    if (causes.has('retry')) repetition = null;
    try {
      if ((await run(causes)) === 'futile') return;
      failures = 0;
      cancelRepetition();
    } catch {
      failures += 1; // whoever runs has told why
      cancelRepetition();
      if (!isStopped) repeatLater();
    }
  };
  const runAll = async () => {
    while (waiting.size > 0 && !isStopped) await runOnce();
    running = null;
  };
  const add = (/** @type {string} */ cause) => {
    if (isStopped) return;
    waiting.add(cause);
    running ??= Promise.resolve().then(runAll);
  };
  return {
    add,
    isRunning: () => running !== null,
    isWaiting: () => waiting.size > 0,
    nextTry: () => repetition?.at ?? null,
    stop: async () => {
      isStopped = true;
      cancelRepetition();
      await running;
    },
  };
}

/** @param {number} attempt */
function growingPause(attempt) {
  return Math.min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE);
}
