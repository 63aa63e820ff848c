/*
 * The process in which a part measures. part-process.js starts it, and ends it with all that it started.
 */

/**
 * @typedef {object} Order
 * @property {string} parts address of the module that exports PARTS
 * @property {string} name of the part
 * @property {Omit<import('./part.js').Context, 'progress'>} context
 *
 * @typedef {{step: string} | {result: import('./part.js').Result} | {error: unknown}} Message
 */

process.once('message', (/** @type {Order} */ order) => {
  // Who asked is gone, so nobody would end what runs here
  process.once('disconnect', () => process.kill(-process.pid, 'SIGTERM'));
  measure(order).then(
    (result) => leave({ result }),
    (error) => leave({ error: plain(error) }),
  );
});

/** @param {Order} order */
async function measure({ parts, name, context }) {
  /** @type {{PARTS: import('./part.js').Part[]}} */
  const { PARTS } = await import(parts);
  const part = PARTS.find((part) => part.name === name);
  if (!part) throw new Error(`There is no part "${name}"`);
  return part.run({ ...context, progress: (step) => tell({ step }) });
}

/**
 * @param {unknown} error which may carry what cannot be sent
 * @returns {Error}
 */
function plain(error) {
  if (!(error instanceof Error)) return new Error(String(error));
  return Object.assign(new Error(error.message), { stack: error.stack });
}

/** @param {Message} message */
function leave(message) {
  tell(message, () => process.exit(0));
}

/**
 * @param {Message} message
 * @param {() => void} [told]
 */
function tell(message, told = () => {}) {
  process.send?.(message, undefined, undefined, told);
}
