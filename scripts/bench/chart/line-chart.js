import { heading, textOfTicks } from './bar-chart.js';
import { figure, summary } from './figure.js';
import { position, scaleOf } from './scale.js';
import { FONT_SIZE, LINE_HEIGHT, WIDTH, noteOn, wrap } from './theme.js';

/**
 * @typedef {import('../part.js').Chart} Chart
 * @typedef {import('./theme.js').Theme} Theme
 * @typedef {import('./scale.js').Scale} Scale
 * @typedef {import('vega').Spec} Spec
 *
 * @typedef {object} Line
 * @property {string} label
 * @property {string} color
 * @property {string} ink of its name
 * @property {boolean} isOurs
 * @property {number[]} dash
 * @property {{x: number, least: number, middle: number, most: number}[]} points in the order of x
 *
 * @typedef {object} Label
 * @property {string[]} lines
 * @property {string} ink
 * @property {number} at y of the point that is named
 * @property {number} top y of the first line
 */

const LEFT = 58;
const RIGHT = 172;
const AXIS = 66;
const INNER_WIDTH = WIDTH - LEFT - RIGHT;
const HEIGHT = 320;
const LABEL_GAP = 18; // between the end of a line and its name
const LABEL_SPACE = 8; // between two names
const DASHES = [[], [6, 4], [2, 3], [10, 4, 2, 4], [1, 4]];
const WIDE = 30; // times the least x: a log scale shows such a range better

/**
 * Lines that are named where they end.
 *
 * @param {Chart} chart
 * @param {Theme} theme
 * @returns {Spec}
 */
export function lineChart(chart, theme) {
  const { title, x: xTitle = '', scale: type, points } = chart;
  const lines = linesOf(points, theme);
  const all = lines.flatMap(({ points }) => points);
  const y = scaleOf(
    all.flatMap(({ least, most }) => [least, most]),
    type,
  );
  const x = axisOfPlaces(all.map(({ x }) => x));
  const labels = labelsOf(lines, y);
  const titleLines = wrap(title, WIDTH - 16, 'bold');
  return {
    width: INNER_WIDTH,
    height: HEIGHT,
    padding: { left: LEFT, right: RIGHT, top: (titleLines.length + 1) * LINE_HEIGHT + 24, bottom: AXIS },
    autosize: 'none',
    data: dataOf(lines, labels),
    scales: [
      { name: 'x', type: x.type, domain: x.domain, range: 'width', nice: false, zero: false },
      { name: 'y', type: y.type, domain: y.domain, range: 'height', nice: false, zero: false },
    ],
    axes: [axis('bottom', x, theme, xTitle), axis('left', y, theme)],
    marks: [
      ...heading(titleLines, noteOn(chart), theme, 8 - LEFT),
      path(),
      whiskers(),
      dots(),
      leaders(theme),
      names(),
    ],
  };
}

/**
 * @param {Chart['points']} points
 * @param {Theme} theme
 * @returns {Line[]}
 */
function linesOf(points, theme) {
  const byLabel = Map.groupBy(points, ({ label }) => label);
  let theirs = 0;
  let ours = 0;
  return [...byLabel].map(([label, points]) => {
    const isOurs = points.some(({ ours }) => ours);
    const nth = isOurs ? ours++ : theirs++;
    return {
      label,
      isOurs,
      ink: isOurs ? theme.ours : theme.ink,
      color: isOurs ? theme.ours : (theme.lines[nth % theme.lines.length] ?? theme.soft),
      dash: DASHES[nth % DASHES.length] ?? [],
      points: points
        .map(({ x = NaN, values }) => ({ x, ...summary(values) }))
        .toSorted((one, other) => one.x - other.x),
    };
  });
}

/**
 * @param {number[]} places at which there are points: each is a tick
 * @returns {Scale}
 */
function axisOfPlaces(places) {
  const ticks = [...new Set(places)].toSorted((one, other) => one - other);
  const [least = 0, most = 1] = [ticks[0], ticks.at(-1)];
  const type = least > 0 && most / least >= WIDE ? 'log' : 'linear';
  return { type, domain: [least, most], ticks };
}

/**
 * The names keep the order in which the lines end, and a distance.
 *
 * @param {Line[]} lines
 * @param {Scale} scale
 * @returns {Label[]}
 */
function labelsOf(lines, scale) {
  const labels = lines
    .map(({ label, ink, points }) => {
      const last = points.at(-1)?.middle ?? 0;
      const at = HEIGHT * (1 - position(scale, last));
      const texts = wrap(`${label} ${figure(last)}`, RIGHT - LABEL_GAP);
      return { lines: texts, ink, at, top: at - (texts.length * LINE_HEIGHT) / 2 };
    })
    .toSorted((one, other) => one.at - other.at);
  return spreadOut(labels);
}

/**
 * Pushes them up from below the last one that fits, after down from the first.
 *
 * @param {Label[]} labels from the top
 */
function spreadOut(labels) {
  let free = -4;
  for (const label of labels) {
    label.top = Math.max(label.top, free);
    free = label.top + heightOf(label) + LABEL_SPACE;
  }
  let end = HEIGHT + LINE_HEIGHT;
  for (const label of labels.toReversed()) {
    label.top = Math.min(label.top, end - heightOf(label));
    end = label.top - LABEL_SPACE;
  }
  return labels;
}

/** @param {Label} label */
function heightOf({ lines }) {
  return lines.length * LINE_HEIGHT;
}

/**
 * @param {Line[]} lines
 * @param {Label[]} labels
 * @returns {import('vega').Data[]}
 */
function dataOf(lines, labels) {
  const oursLast = lines.toSorted((one, other) => Number(one.isOurs) - Number(other.isOurs)); // on top
  const points = oursLast.flatMap(({ points, ...line }) => points.map((point) => ({ ...line, ...point })));
  return [
    { name: 'points', values: points },
    {
      name: 'labels',
      values: labels.map((label) => ({ ...label, middle: label.top + heightOf(label) / 2 })),
    },
  ];
}

/**
 * @param {'bottom' | 'left'} orient
 * @param {Scale} scale
 * @param {Theme} theme
 * @param {string} [title]
 * @returns {import('vega').Axis}
 */
function axis(orient, { ticks }, theme, title) {
  return {
    orient,
    scale: orient === 'bottom' ? 'x' : 'y',
    values: ticks,
    grid: orient === 'left',
    gridColor: theme.grid,
    domain: false,
    ticks: orient === 'bottom',
    tickColor: theme.grid,
    labelPadding: 6,
    labelColor: theme.soft,
    labelFontSize: FONT_SIZE - 3,
    labelOverlap: 'greedy',
    encode: { labels: { update: { text: { signal: textOfTicks(ticks) } } } },
    ...(title && {
      title,
      titleColor: theme.soft,
      titleFontSize: FONT_SIZE - 2,
      titleFontWeight: 400,
      titlePadding: 8,
    }),
  };
}

/** @returns {import('vega').Mark} */
function path() {
  return {
    type: 'group',
    from: { facet: { name: 'line', data: 'points', groupby: 'label' } },
    marks: [
      {
        type: 'line',
        from: { data: 'line' },
        encode: {
          enter: {
            x: { scale: 'x', field: 'x' },
            y: { scale: 'y', field: 'middle' },
            stroke: { field: 'color' },
            strokeDash: { field: 'dash' },
            strokeWidth: { value: 3 },
          },
        },
      },
    ],
  };
}

/** @returns {import('vega').Mark} */
function whiskers() {
  return {
    type: 'rule',
    from: { data: 'points' },
    encode: {
      enter: {
        x: { scale: 'x', field: 'x' },
        y: { scale: 'y', field: 'least' },
        y2: { scale: 'y', field: 'most' },
        stroke: { field: 'color' },
        strokeWidth: { value: 2 },
      },
    },
  };
}

/** @returns {import('vega').Mark} */
function dots() {
  return {
    type: 'symbol',
    from: { data: 'points' },
    encode: {
      enter: {
        x: { scale: 'x', field: 'x' },
        y: { scale: 'y', field: 'middle' },
        size: { value: 70 },
        fill: { field: 'color' },
      },
    },
  };
}

/**
 * From the end of a line to its name.
 *
 * @param {Theme} theme
 * @returns {import('vega').Mark}
 */
function leaders(theme) {
  return {
    type: 'rule',
    from: { data: 'labels' },
    encode: {
      enter: {
        x: { value: INNER_WIDTH + 6 },
        x2: { value: INNER_WIDTH + LABEL_GAP - 4 },
        y: { field: 'at' },
        y2: { field: 'middle' },
        stroke: { value: theme.soft },
        strokeWidth: { value: 1 },
      },
    },
  };
}

/** @returns {import('vega').Mark} */
function names() {
  return {
    type: 'text',
    from: { data: 'labels' },
    encode: {
      enter: {
        x: { value: INNER_WIDTH + LABEL_GAP },
        y: { field: 'top' },
        text: { field: 'lines' },
        fontSize: { value: FONT_SIZE },
        lineHeight: { value: LINE_HEIGHT },
        baseline: { value: 'top' },
        fill: { field: 'ink' },
      },
    },
  };
}
