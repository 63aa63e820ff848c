import { View, parse } from 'vega';
import { escapeHtml } from '../../escape-html.js';
import { barChart } from './bar-chart.js';
import { figure } from './figure.js';
import { median } from '../statistics.js';
import { lineChart } from './line-chart.js';
import { FONT, THEMES, noteOn } from './theme.js';

/** @typedef {import('../part.js').Chart} Chart */

/**
 * @param {Chart} chart
 * @param {keyof typeof THEMES} theme
 * @returns {Promise<string>} SVG; the same chart gives the same bytes
 */
export async function drawChart(chart, theme) {
  const spec = (chart.shape === 'bars' ? barChart : lineChart)(chart, THEMES[theme]);
  const config = {
    font: FONT,
    text: { font: FONT },
    axis: { labelFont: FONT, titleFont: FONT, aria: false },
  };
  const silent = { ...spec, marks: spec.marks?.map((mark) => ({ ...mark, aria: false })) };
  const view = new View(parse(silent, config), { renderer: 'none' });
  try {
    return named(await view.toSVG(), chart);
  } finally {
    view.finalize();
  }
}

/**
 * @param {string} svg
 * @param {Chart} chart
 * @returns {string} that a screen reader reads as one picture
 */
function named(svg, chart) {
  const size = /viewBox="0 0 (\d+) (\d+)"/.exec(svg);
  if (size === null) throw new Error('A chart without a size');
  const content = svg.slice(svg.indexOf('>') + 1);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size[1]} ${size[2]}" width="${size[1]}" height="${size[2]}" role="img" aria-labelledby="title desc">
<title id="title">${escapeHtml(chart.title)}</title>
<desc id="desc">${escapeHtml(description(chart))}</desc>
${content}
`;
}

/**
 * What the chart shows, in words.
 *
 * @param {Chart} chart
 * @returns {string} ours comes first
 */
export function description(chart) {
  const { shape, x, points } = chart;
  const shown = shape === 'bars' ? points : lastOfEachLine(points);
  const ordered = [...shown.filter(({ ours }) => ours), ...shown.filter(({ ours }) => !ours)];
  const texts = ordered.map(({ label, values }) => `${label} ${figure(median(values))}`);
  const [most] = points.map(({ x = NaN }) => x).toSorted((one, other) => other - one);
  const place = shape === 'lines' ? `At ${figure(most ?? NaN)} (${x}): ` : '';
  return `${place}${texts.join('; ')} (${noteOn(chart)}).`;
}

/** @param {Chart['points']} points */
function lastOfEachLine(points) {
  return [...Map.groupBy(points, ({ label }) => label).values()].map((line) =>
    line.reduce((last, point) => ((point.x ?? NaN) > (last.x ?? NaN) ? point : last)),
  );
}
