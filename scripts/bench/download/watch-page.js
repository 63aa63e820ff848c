/*
 * Runs in the page before its own scripts: notes at which frame all that `window.awaited` names is in the
 * layout. Each frame asks, and nothing else, so that it costs next to nothing.
 */

/** @type {import('./load.js').Awaited} */
const { counts, marks } = Object(window).awaited;

/** @param {string} path of an article */
function countOf(path) {
  const place = document.querySelector(`[data-count-of="${path}"]`);
  const text = place instanceof HTMLElement ? place.innerText : '';
  return /\d+/.exec(text)?.[0] ?? '';
}

function missingMarks() {
  const place = document.querySelector('#discussion');
  if (!(place instanceof HTMLElement)) return marks;
  // innerText wants a layout: not before the words are in the document at all
  const written = place.textContent ?? '';
  if (marks.some((mark) => !written.includes(mark))) return marks.filter((mark) => !written.includes(mark));
  const shown = place.innerText;
  return marks.filter((mark) => !shown.includes(mark));
}

/** Also what a failed load is asked for. */
Object(window).found = () => ({
  counts: Object.fromEntries(Object.keys(counts).map((path) => [path, countOf(path)])),
  missing: missingMarks(),
  footer: document.querySelector('footer')?.innerText ?? '',
});

function isThere() {
  const hasCounts = Object.entries(counts).every(([path, count]) => countOf(path) === String(count));
  return hasCounts && missingMarks().length === 0 && document.querySelector('footer') !== null;
}

function look() {
  if (isThere()) Object(window).visibleAt = performance.now();
  else requestAnimationFrame(look);
}

requestAnimationFrame(look);
