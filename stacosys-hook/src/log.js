import { fstatSync } from 'node:fs';
import { printable, printableJson } from './printable.js';

/**
 * @typedef {'error' | 'warn' | 'info'} Level
 *
 * @typedef {(level: Level, event: string, fields?: Record<string, unknown>) => void} Log event: what
 *   happened, a word or two; the fields may hold anything that a stranger typed
 *
 * @typedef {object} LogOptions
 * @property {(line: string) => void} write
 * @property {boolean} [isJson] a JSON object a line
 * @property {boolean} [isJournal] systemd's journal reads it: it knows the time, and takes the level as `<6>`
 * @property {boolean} [isQuiet] errors only
 * @property {() => Date} [now]
 */

/** @see https://man7.org/linux/man-pages/man3/sd-daemon.3.html */
const PRIORITIES = { error: 3, warn: 4, info: 6 };

/** What needs no quotes. */
const PLAIN = /^[\w./:@%+~-]+$/;

/**
 * Structured log lines, one an event, whatever the fields hold: `time level event key=value`.
 *
 * @param {LogOptions} options
 * @returns {Log}
 */
export function createLog({
  write,
  isJson = false,
  isJournal = false,
  isQuiet = false,
  now = () => new Date(),
}) {
  return (level, event, fields = {}) => {
    if (isQuiet && level !== 'error') return;
    const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
    const time = now().toISOString();
    if (isJson) return write(printableJson({ time, level, event, ...Object.fromEntries(present) }));
    const text = [event, ...present.map(([name, value]) => `${name}=${shown(value)}`)].join(' ');
    write(isJournal ? `<${PRIORITIES[level]}>${text}` : `${time} ${level} ${text}`);
  };
}

/** @param {unknown} value */
function shown(value) {
  if (typeof value === 'number') return String(value);
  const text = printable(typeof value === 'string' ? value : JSON.stringify(value));
  return PLAIN.test(text) ? text : JSON.stringify(text);
}

/**
 * @see https://systemd.io/JOURNAL_NATIVE_PROTOCOL/#automatic-protocol-upgrading
 * @param {NodeJS.ProcessEnv} env
 * @param {number} descriptor
 * @returns {boolean} whether what is written there goes to systemd's journal
 */
export function leadsToJournal({ JOURNAL_STREAM: stream }, descriptor) {
  if (stream === undefined) return false;
  const { dev, ino } = fstatSync(descriptor);
  return stream === `${dev}:${ino}`;
}
