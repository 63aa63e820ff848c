/*
 * How the charts look. They are shown between 330 (a phone) and 480 pixels (a desk) wide, so that the
 * text, 19 of 480, is between 13 and 19 pixels high.
 */

/**
 * @typedef {object} Theme
 * @property {string} ink of what is said
 * @property {string} soft of what only explains: axes, whiskers of others
 * @property {string} grid
 * @property {string} ours the accent of the project
 * @property {string} theirs of the other bars
 * @property {string[]} lines of the others, one after the other
 */

export const WIDTH = 480;
export const FONT_SIZE = 19;
export const LINE_HEIGHT = 23;
export const FONT = 'system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, Helvetica, Arial, sans-serif';

/** Width of a letter, as a share of the font's size, in the widest of these fonts (DejaVu Sans, on Linux). */
const LETTER = 0.59;
const BOLD_LETTER = 0.66;

/** On the backgrounds of GitHub's pages, which the charts leave as they are. @type {Record<'light' | 'dark', Theme>} */
export const THEMES = {
  light: {
    ink: '#1f2328',
    soft: '#59636e',
    grid: '#d8dee4',
    ours: '#0f766e',
    theirs: '#a3adb8',
    lines: ['#6e7781', '#8c6d46', '#7a6a99', '#5b7f95'],
  },
  dark: {
    ink: '#e6edf3',
    soft: '#9198a1',
    grid: '#2a3139',
    ours: '#5ec4b6',
    theirs: '#59636e',
    lines: ['#9198a1', '#b9945f', '#a796c9', '#7ba7c2'],
  },
};

/**
 * What a reader has to know of a chart before its numbers.
 *
 * @param {Pick<import('../part.js').Chart, 'scale' | 'better'>} chart
 * @returns {string} `less is better · logarithmic`
 */
export function noteOn({ scale, better }) {
  return [`${better} is better`, ...(scale === 'log' ? ['logarithmic'] : [])].join(' · ');
}

/**
 * Breaks a text into lines, between words.
 *
 * @param {string} text
 * @param {number} width that a line may have, in units of the chart
 * @param {'bold'} [weight]
 * @returns {string[]}
 */
export function wrap(text, width, weight) {
  const most = Math.floor(width / (FONT_SIZE * (weight === 'bold' ? BOLD_LETTER : LETTER)));
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && `${line} ${word}`.length <= most) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
