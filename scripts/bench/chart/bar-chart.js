import { figure, summary, tickFigure } from './figure.js';
import { median } from '../statistics.js';
import { scaleOf } from './scale.js';
import { FONT_SIZE, LINE_HEIGHT, WIDTH, noteOn, wrap } from './theme.js';

/**
 * @typedef {import('../part.js').Chart} Chart
 * @typedef {import('./theme.js').Theme} Theme
 * @typedef {import('vega').Spec} Spec
 */

const MARGIN = 8;
const BAR = 18;
const GAP = 16;
const AXIS = 40;
const INNER_WIDTH = WIDTH - 2 * MARGIN;

/** What the value of a bar may take, at the end of the line that names it. */
const VALUE_WIDTH = 90;

/**
 * Bars that lie, the best one on top, each below its name and its value: nothing has to fit beside anything.
 *
 * @param {Chart} chart
 * @param {Theme} theme
 * @returns {Spec}
 */
export function barChart(chart, theme) {
  const { title, scale: type, better, points } = chart;
  const titleLines = wrap(title, INNER_WIDTH, 'bold');
  const bars = barsOf(points.toSorted(byValue(better)), theme);
  const scale = scaleOf(
    bars.flatMap(({ least, most }) => [least / 2, most]), // on a log scale, the least bar has a length
    type,
  );
  const height = bars.at(-1)?.end ?? 0;
  return {
    width: INNER_WIDTH,
    height,
    padding: { left: MARGIN, right: MARGIN, top: (titleLines.length + 1) * LINE_HEIGHT + 14, bottom: AXIS },
    autosize: 'none',
    data: [{ name: 'bars', values: bars }],
    scales: [{ name: 'x', type, domain: scale.domain, range: 'width', nice: false, zero: false }],
    axes: [axis(scale, theme)],
    marks: [
      ...heading(titleLines, noteOn(chart), theme),
      names(theme),
      figures(theme),
      rects(scale),
      ...whiskers(theme),
    ],
  };
}

/**
 * @param {Chart['better']} better
 * @returns {(one: import('../part.js').Point, other: import('../part.js').Point) => number}
 */
function byValue(better) {
  const sign = better === 'more' ? -1 : 1;
  return (one, other) => sign * (median(one.values) - median(other.values));
}

/**
 * @param {Chart['points']} points
 * @param {Theme} theme
 */
function barsOf(points, theme) {
  let end = 0;
  return points.map(({ label, values, ours }) => {
    const lines = wrap(label, INNER_WIDTH - VALUE_WIDTH, ours ? 'bold' : undefined);
    const top = end + (end === 0 ? 4 : GAP);
    const bar = top + lines.length * LINE_HEIGHT;
    end = bar + BAR;
    const color = ours ? theme.ours : theme.theirs;
    return {
      lines,
      top,
      bar,
      end,
      color,
      weight: ours ? 700 : 400,
      ...summary(values),
      text: figure(summary(values).middle),
    };
  });
}

/**
 * @param {import('./scale.js').Scale} scale
 * @param {Theme} theme
 * @returns {import('vega').Axis}
 */
function axis({ ticks }, theme) {
  return {
    orient: 'bottom',
    scale: 'x',
    values: ticks,
    grid: true,
    gridColor: theme.grid,
    domain: false,
    ticks: false,
    labelPadding: 8,
    labelColor: theme.soft,
    labelFontSize: FONT_SIZE - 3,
    labelBound: true,
    labelFlush: true,
    labelOverlap: 'greedy',
    encode: { labels: { update: { text: { signal: textOfTicks(ticks) } } } },
  };
}

/**
 * Vega's own formats write a thousandth as 1m.
 *
 * @param {number[]} ticks
 * @returns {string} an expression
 */
export function textOfTicks(ticks) {
  const texts = Object.fromEntries(ticks.map((tick) => [String(tick), tickFigure(tick)]));
  return `${JSON.stringify(texts)}[toString(datum.value)]`;
}

/**
 * @param {string[]} title lines
 * @param {string} note a line below it
 * @param {Theme} theme
 * @param {number} [left]
 * @returns {import('vega').Mark[]}
 */
export function heading(title, note, theme, left = 0) {
  const bottom = -LINE_HEIGHT - 8;
  /** @type {(y: number, rest: import('vega').EncodeEntry) => import('vega').Mark} */
  const text = (y, rest) => ({
    type: 'text',
    encode: { enter: { x: { value: left }, y: { value: y }, baseline: { value: 'top' }, ...rest } },
  });
  return [
    text(bottom - title.length * LINE_HEIGHT, {
      text: { value: title },
      fontWeight: { value: 700 },
      fontSize: { value: FONT_SIZE },
      lineHeight: { value: LINE_HEIGHT },
      fill: { value: theme.ink },
    }),
    text(bottom, {
      text: { value: note },
      fontSize: { value: FONT_SIZE - 3 },
      fill: { value: theme.soft },
    }),
  ];
}

/**
 * @param {Theme} theme
 * @returns {import('vega').Mark}
 */
function names(theme) {
  return {
    type: 'text',
    from: { data: 'bars' },
    encode: {
      enter: {
        x: { value: 0 },
        y: { field: 'top' },
        text: { field: 'lines' },
        fontWeight: { field: 'weight' },
        fontSize: { value: FONT_SIZE },
        lineHeight: { value: LINE_HEIGHT },
        baseline: { value: 'top' },
        fill: { value: theme.ink },
      },
    },
  };
}

/**
 * @param {Theme} theme
 * @returns {import('vega').Mark}
 */
function figures(theme) {
  return {
    type: 'text',
    from: { data: 'bars' },
    encode: {
      enter: {
        x: { value: INNER_WIDTH },
        y: { field: 'bar', offset: -LINE_HEIGHT },
        text: { field: 'text' },
        fontWeight: { field: 'weight' },
        fontSize: { value: FONT_SIZE },
        align: { value: 'right' },
        baseline: { value: 'top' },
        fill: { value: theme.ink },
      },
    },
  };
}

/**
 * @param {import('./scale.js').Scale} scale
 * @returns {import('vega').Mark}
 */
function rects({ type, domain: [least] }) {
  const from = type === 'log' ? least : 0;
  return {
    type: 'rect',
    from: { data: 'bars' },
    encode: {
      enter: {
        x: { scale: 'x', value: from },
        x2: { scale: 'x', signal: `max(datum.middle, ${type === 'log' ? least : '-1e300'})` },
        y: { field: 'bar' },
        height: { value: BAR },
        fill: { field: 'color' },
        cornerRadius: { value: 2 },
      },
    },
  };
}

/**
 * A line from the least to the most, with an end each.
 *
 * @param {Theme} theme
 * @returns {import('vega').Mark[]}
 */
function whiskers(theme) {
  const middle = { field: 'bar', offset: BAR / 2 };
  const line = { stroke: { value: theme.ink }, strokeWidth: { value: 1.5 } };
  const end = (/** @type {string} */ field) => ({
    x: { scale: 'x', field },
    y: { field: 'bar', offset: 4 },
    y2: { field: 'bar', offset: BAR - 4 },
  });
  const shapes = [
    { x: { scale: 'x', field: 'least' }, x2: { scale: 'x', field: 'most' }, y: middle },
    end('least'),
    end('most'),
  ];
  return shapes.map((shape) => ({
    type: 'rule',
    from: { data: 'bars' },
    encode: { enter: { ...shape, ...line } },
  }));
}
