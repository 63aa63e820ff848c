import { validDate } from './baked-comments.js';

/**
 * @typedef {import('./bake-comments.js').Conversation} Conversation
 *
 * @typedef {object} Activity of one article
 * @property {string} newest the date of its newest comment
 * @property {Record<string, number>} days `2026-11-20` → the comments of that day
 */

const DAYS = 400; // a year, and some more

const DAY = 86_400_000; // milliseconds

/**
 * When people commented on each article. The days are those before the newest comment of all, not before
 * today, so that the same comments give the same bytes.
 *
 * @param {Conversation[]} conversations
 * @returns {Record<string, Activity>} by key
 */
export function activityOf(conversations) {
  const newest = new Map(conversations.map(({ key, dates }) => [key, newestOf(dates)]));
  const last = [...newest.values()].reduce((a, b) => (a > b ? a : b), '');
  if (last === '') return {};
  const since = new Date(Date.parse(last.slice(0, 10)) - DAYS * DAY).toISOString().slice(0, 10);
  const entries = conversations.flatMap(({ key, dates }) => {
    const date = newest.get(key) ?? '';
    return date === '' ? [] : [[key, { newest: date, days: daysOf(dates, since) }]];
  });
  return Object.fromEntries(entries);
}

/** @param {string[]} dates ascending */
function newestOf(dates) {
  return validDate(dates.findLast((date) => validDate(date) !== '') ?? '');
}

/**
 * @param {string[]} dates ascending
 * @param {string} since a day
 */
function daysOf(dates, since) {
  /** @type {Record<string, number>} */
  const days = {};
  for (const date of dates) {
    const day = date < since ? '' : validDate(date).slice(0, 10);
    if (day !== '') days[day] = (days[day] ?? 0) + 1;
  }
  return days;
}
