import { rollback } from '../releases.js';

/**
 * @param {import('../config.js').Config} config
 * @returns {import('../cli.js').Result}
 */
export function rollbackCommand({ publishTo, release }) {
  const { from, to } = rollback(publishTo, release);
  return {
    data: { from, to },
    text: `${to} is live, instead of ${from ?? 'nothing'}. The next build goes live again.`,
  };
}
