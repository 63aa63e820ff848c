import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROCESS = fileURLToPath(new URL('count-api-process.js', import.meta.url));

/**
 * @typedef {object} CountApi
 * @property {string} address without a slash at its end
 * @property {() => Promise<number>} taken the requests since it was last asked
 */

/**
 * Runs with a server that answers `/api/comments/count?url=…` as Stacosys does, from memory. It is a process of
 * its own, and ends with `use`, or with this process.
 *
 * @template T
 * @param {string} counts file of the form of data/stacosys/counts.json
 * @param {(api: CountApi) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withCountApi(counts, use) {
  const child = fork(PROCESS, [counts]);
  const ended = once(child, 'exit');
  const next = () =>
    Promise.race([
      once(child, 'message').then(([number]) => Number(number)),
      ended.then(([status]) => Promise.reject(new Error(`the count API ended with ${status}`))),
    ]);
  try {
    const address = `http://127.0.0.1:${await next()}`;
    const taken = () => {
      const answer = next();
      child.send('taken');
      return answer;
    };
    return await use({ address, taken });
  } finally {
    if (child.connected) child.disconnect();
    await ended;
  }
}
