/*
 * What a part of the benchmark is: the types that parts, runner and report share.
 */

/**
 * @typedef {object} Part
 * @property {string} name on the command line and of its charts' files: `readers`
 * @property {string} title its heading in BENCHMARKS.md
 * @property {string[]} needs what scripts/setup.js has to install first: `['hugo', 'nginx']`
 * @property {(quick: boolean) => number} seconds it takes, about, on a machine of two cores
 * @property {(context: Context) => Promise<Result>} run throws where what it measured is not what it
 *   says: a server that did not serve, a page without its counts
 *
 * @typedef {object} Context
 * @property {boolean} quick fewer rounds, smaller sizes
 * @property {boolean} full more rounds, the largest sizes: as long as it takes
 * @property {string} folder empty, and the part's own; removed afterwards
 * @property {string} hugo
 * @property {(step: string) => void} progress says what is being measured now
 *
 * @typedef {object} Result
 * @property {string} about how it was measured, in Markdown: for a reader who wants to doubt it
 * @property {Record<string, string>} versions of what was measured, by its name
 * @property {Table[]} tables
 * @property {Chart[]} charts
 * @property {Target[]} targets
 * @property {string[]} skipped what was not measured, and why
 *
 * @typedef {object} Table
 * @property {string} caption
 * @property {string[]} columns
 * @property {string[][]} rows of cells; numbers are written by spread() and amount()
 *
 * @typedef {object} Chart
 * @property {string} name of its file, after the part's
 * @property {string} title what is shown, with its unit
 * @property {'bars' | 'lines'} shape bars: one a label; lines: one a label, over x
 * @property {string} [x] what the x axis of lines is, with its unit
 * @property {'linear' | 'log'} scale of the values
 * @property {'more' | 'less'} better which of two values is the better one
 * @property {Point[]} points
 *
 * @typedef {object} Point
 * @property {string} label of the bar or the line
 * @property {number} [x] of lines
 * @property {number[]} values one a round; the chart shows their median, the least and the most
 * @property {boolean} [ours] drawn in the colour of the project
 *
 * @typedef {object} Target
 * @property {string} what
 * @property {number[]} values one a round, each compared with the reference of the same round; the median counts
 * @property {string} unit `×`, `ms`, …
 * @property {number} [most] that the median may be
 * @property {number} [least] that it must be
 * @property {string} [why] it is missed, where it is: the reason, and what was tried
 */

export {};
