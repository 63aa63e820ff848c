import { clearLine, cursorTo } from 'node:readline';
import { aboutTime } from './time-left.js';

/**
 * Says what is going on: on a terminal in one line that changes, elsewhere in a line each.
 *
 * @param {import('node:tty').WriteStream | NodeJS.WriteStream} stream
 */
export function progressLine(stream) {
  const isTerminal = stream.isTTY === true;
  const clear = () => {
    if (isTerminal && cursorTo(stream, 0)) clearLine(stream, 0);
  };
  return {
    /**
     * @param {string} step
     * @param {number} left seconds
     */
    say(step, left) {
      const text = `${aboutTime(left)} left · ${step}`;
      clear();
      stream.write(isTerminal ? text.slice(0, (stream.columns || 80) - 1) : `${text}\n`);
    },
    clear,
  };
}
