import { createHash } from 'node:crypto';
import { readFileSync } from './fs.js';
import { printable } from './printable.js';
import { problemsOf } from './service-state.js';

/**
 * @typedef {import('./service-state.js').ServiceState} ServiceState
 * @typedef {import('./service-state.js').BuildRecord} BuildRecord
 *
 * @typedef {{readonly [MARKUP]: string}} Html that is safe
 * @typedef {Html | string | number | null | Html[]} Value
 */

/** No text can pass for markup: what a stranger writes has no symbols. */
const MARKUP = Symbol('markup');

const STYLE = readFileSync(new URL('status.css', import.meta.url), 'utf8');

/** The Content-Security-Policy of the page: nothing but its own style. */
export const STATUS_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const BARS = 20;
const CHANGES_SHOWN = 3; // the others unfold
const LONGEST = 300; // characters of a key or an error, which may be of any length

/** @type {Record<BuildRecord['cause'], string>} */
const CAUSES = {
  start: 'start',
  database: 'comments',
  content: 'content',
  webhook: 'webhook',
  retry: 'another try',
};

/** @type {Record<string, string>} */
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * The page that tells the owner how the service is, with its last builds. Without a script: it is
 * as old as its last reload. Sent with STATUS_POLICY.
 *
 * @param {ServiceState} state whose keys and errors may be anybody's text
 * @param {number} now milliseconds since 1970
 * @returns {string} HTML
 */
export function statusPage(state, now) {
  const problems = problemsOf(state, now);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="robots" content="noindex" />
        <title>${problems.length > 0 ? 'Attention: ' : ''}${state.site}</title>
        ${markup(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <header>
          <h1>${state.site}</h1>
          ${verdict(state, problems, now)}
        </header>
        <main>${numbers(state.database)} ${facts(state, now)} ${builds(state.build.records)}</main>
        <footer>
          stacosys-hook ${state.version}, started ${time(state.started)}. This page was made ${time(now)}
          (${zone}).
        </footer>
      </body>
    </html> `;
  return page[MARKUP];
}

/**
 * @param {ServiceState} state
 * @param {string[]} problems
 * @param {number} now
 */
function verdict({ build: { records, nextTry } }, problems, now) {
  if (problems.length === 0) return html`<p class="verdict well">All is well.</p>`;
  const [last] = records;
  const advice = last?.result === 'failed' ? last.advice : null;
  return html`<section class="alarm">
    <h2>This needs your attention</h2>
    ${problems.map((problem) => html`<p>${problem}</p>`)}
    ${advice === null ? null : html`<p class="soft">${shortened(advice)}</p>`}
    ${nextTry === null ? null : html`<p class="soft">It is tried again ${upcoming(nextTry - now)}.</p>`}
  </section>`;
}

/** @param {ServiceState['database']} database */
function numbers({ comments, pages, pending }) {
  return html`<dl class="numbers">
    ${[
      fact('published comments', grouped(comments)),
      fact('pages with comments', grouped(pages)),
      fact('awaiting moderation', grouped(pending)),
    ]}
  </dl>`;
}

/**
 * @param {ServiceState} state
 * @param {number} now
 */
function facts({ release, build, database, notifications }, now) {
  const { checked, lockMilliseconds } = database;
  const { published, unchanged, failed } = build.totals;
  const waiting = notifications?.waiting;
  return html`<dl class="facts">
    ${[
      fact('Live release', release === null ? 'none yet' : html`<code>${release}</code>`),
      fact('Last success', build.lastSuccess === null ? 'none yet' : moment(build.lastSuccess, now)),
      fact('Now', activity(build, now)),
      fact(
        'Database',
        checked === null
          ? 'was never read'
          : html`read ${ago(now - checked)}, locked for ${lockMilliseconds.toFixed(1)} ms`,
      ),
      ...(waiting === undefined
        ? []
        : [fact('Notifications', waiting === 0 ? 'all delivered' : `${waiting} waiting`)]),
      fact(
        'Since the start',
        `${grouped(published)} published, ${grouped(unchanged)} unchanged, ${grouped(failed)} failed`,
      ),
    ]}
  </dl>`;
}

/**
 * @param {string} name
 * @param {Value} value
 */
function fact(name, value) {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

/**
 * @param {ServiceState['build']} build
 * @param {number} now
 */
function activity({ running, waiting }, now) {
  const more = waiting ? '; one more build follows' : '';
  if (running === null) return `waiting for changes${more}`;
  return `building for ${duration(now - running.started)} (${causeOf(running.cause)})${more}`;
}

/** @param {BuildRecord[]} records newest first */
function builds(records) {
  if (records.length === 0) {
    return html`<section class="builds">
      <h2>Builds</h2>
      <p class="soft">There was none yet.</p>
    </section>`;
  }
  return html`<section class="builds">
    <h2>Builds</h2>
    ${chart(records.slice(0, BARS))}
    <table>
      <thead>
        <tr>
          <th scope="col">Started</th>
          <th scope="col">Result</th>
          <th scope="col">Because of</th>
          <th scope="col" class="number">Took</th>
          <th scope="col" class="number">Pages</th>
          <th scope="col">What changed</th>
        </tr>
      </thead>
      <tbody>
        ${records.slice(0, BARS).map((record) => row(record))}
      </tbody>
    </table>
  </section>`;
}

/**
 * A bar for each build, the newest at the right. The table below says the same in words.
 *
 * @param {BuildRecord[]} records newest first
 */
function chart(records) {
  const longest = Math.max(...records.map(({ milliseconds }) => milliseconds), 1);
  const bars = records.map(({ milliseconds, result, started }, index) => {
    const height = Math.max((milliseconds / longest) * 100, 1.5);
    return html`<rect
      class="${result}"
      x="${(BARS - 1 - index) * 10 + 1.5}"
      y="${100 - height}"
      width="7"
      height="${height}"
      ><title>${result} in ${duration(milliseconds)}, ${clock(started)}</title></rect
    >`;
  });
  return html`<figure>
    <div class="plot">
      <div class="scale" aria-hidden="true"><span>${duration(longest)}</span><span>0</span></div>
      <svg
        class="chart"
        viewBox="0 0 ${BARS * 10} 100"
        preserveAspectRatio="none"
        role="img"
        aria-label="Durations of the last ${records.length} builds, the longest ${duration(longest)}"
      >
        ${bars}
      </svg>
    </div>
    <figcaption>
      <span>Durations, the newest at the right:</span>
      ${['published', 'unchanged', 'failed'].map((result) => html`<span>${swatch(result)}${result}</span>`)}
    </figcaption>
  </figure>`;
}

/** @param {string} result */
function swatch(result) {
  return html`<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
    <rect class="${result}" x="1" y="1" width="8" height="8" />
  </svg>`;
}

/** @param {BuildRecord} record */
function row({ started, result, cause, milliseconds, pages, changes, changed, error, advice }) {
  return html`<tr>
    <td>${time(started)}</td>
    <td class="result result-${result}">${result}</td>
    <td>${causeOf(cause)}</td>
    <td class="number">${duration(milliseconds)}</td>
    <td class="number pages">${pages === null ? null : grouped(pages)}</td>
    <td class="what">${error === null ? changeList(changes, changed) : failure(error, advice)}</td>
  </tr>`;
}

/**
 * @param {string} error
 * @param {string | null} advice
 */
function failure(error, advice) {
  return html`<p>${shortened(error)}</p>
    ${advice === null ? null : html`<p class="small">${shortened(advice)}</p>`}`;
}

/**
 * @param {BuildRecord['changes']} changes
 * @param {number} changed how many there were, also those that were not recorded
 */
function changeList(changes, changed) {
  if (changed === 0) return null;
  const items = changes.map(
    ({ key, from, to }) =>
      html`<li><code>${shortened(legible(key))}</code> <span class="step">${from} → ${to}</span></li>`,
  );
  const folded = items.slice(CHANGES_SHOWN);
  const unknown = changed - changes.length;
  const rest = unknown > 0 ? html`<p class="small">… and ${grouped(unknown)} more</p>` : null;
  return html`<ul class="changes">
      ${items.slice(0, CHANGES_SHOWN)}
    </ul>
    ${
      folded.length === 0
        ? rest
        : html`<details>
            <summary>${grouped(changed - CHANGES_SHOWN)} more</summary>
            <ul class="changes">
              ${folded}
            </ul>
            ${rest}
          </details>`
    }`;
}

/**
 * @param {string} key
 * @returns {string} with letters instead of their escapes
 */
function legible(key) {
  try {
    return decodeURI(key);
  } catch {
    return key; // an escape that is no UTF-8 has no letter
  }
}

/** @param {string} cause */
function causeOf(cause) {
  return Object.hasOwn(CAUSES, cause) ? CAUSES[/** @type {BuildRecord['cause']} */ (cause)] : cause;
}

/**
 * @param {number} when
 * @param {number} now
 */
function moment(when, now) {
  return html`${time(when)} <span class="soft">(${ago(now - when)})</span>`;
}

/** @param {number} when */
function time(when) {
  return html`<time datetime="${new Date(when).toISOString()}">${clock(when)}</time>`;
}

/**
 * @param {number} when
 * @returns {string} `2024-05-17 14:03:22`, in the time zone of the server
 */
function clock(when) {
  const offset = new Date(when).getTimezoneOffset() * 60_000;
  return new Date(when - offset).toISOString().slice(0, 19).replace('T', ' ');
}

/** @param {number} milliseconds */
function ago(milliseconds) {
  return milliseconds < 1000 ? 'just now' : `${roughly(milliseconds)} ago`;
}

/** @param {number} milliseconds */
function upcoming(milliseconds) {
  return milliseconds < 1000 ? 'now' : `in ${roughly(milliseconds)}`;
}

/** @param {number} milliseconds at least a second */
function roughly(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 100) return `${Math.floor(seconds)} s`;
  if (seconds < 100 * 60) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h`;
  return `${grouped(Math.floor(seconds / 86_400))} days`;
}

/** @param {number} milliseconds */
function duration(milliseconds) {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  return seconds < 100 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}

/** @param {number} count */
function grouped(count) {
  return count.toLocaleString('en');
}

/** @param {string} text */
function shortened(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/**
 * HTML in which every value is text, unless it was made by this function itself.
 *
 * @param {TemplateStringsArray} strings
 * @param {Value[]} values
 */
function html(strings, ...values) {
  return markup(String.raw({ raw: strings }, ...values.map((value) => escaped(value))));
}

/**
 * @param {string} text that is HTML already
 * @returns {Html}
 */
function markup(text) {
  return { [MARKUP]: text };
}

/**
 * @param {Value} value
 * @returns {string}
 */
function escaped(value) {
  if (value === null) return '';
  if (Array.isArray(value)) return value.map((item) => escaped(item)).join('');
  if (typeof value === 'object') return value[MARKUP];
  return printable(String(value)).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
