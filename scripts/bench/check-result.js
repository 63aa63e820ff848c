/**
 * Refuses a result that a report cannot show truly: a number that is none, a row with a cell too many.
 *
 * @param {import('./part.js').Result} result
 */
export function checkResult({ tables, charts, targets }) {
  for (const { caption, columns, rows } of tables) {
    const isEven = rows.length > 0 && rows.every(({ length }) => length === columns.length);
    if (!isEven) throw new Error(`The table "${caption}" has rows of other lengths than its head, or none`);
  }
  for (const { title, shape, points } of charts) {
    if (points.length === 0) throw new Error(`The chart "${title}" shows nothing`);
    for (const { label, x, values } of points) {
      refuseNoNumbers(`${title}: ${label}`, shape === 'lines' ? [x ?? NaN, ...values] : values);
      if (values.length === 0) throw new Error(`${title}: ${label} has no value`);
    }
  }
  for (const { what, values, least, most } of targets) {
    if (values.length === 0) throw new Error(`${what}: no value`);
    if (least === undefined && most === undefined) throw new Error(`${what}: a target without a limit`);
    refuseNoNumbers(what, values);
  }
}

/**
 * @param {string} what
 * @param {number[]} values
 */
function refuseNoNumbers(what, values) {
  const wrong = values.find((value) => !Number.isFinite(value));
  if (wrong !== undefined) throw new Error(`${what}: ${wrong} is no measured value`);
}
