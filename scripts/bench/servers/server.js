/*
 * What a server of counts is: the types that they share.
 */

/**
 * @typedef {object} Asked where and from what it is to serve
 * @property {string} database of Stacosys
 * @property {number} port of 127.0.0.1
 * @property {number} workers
 *
 * @typedef {object} Server
 * @property {number[]} pids of its processes, but for what these started
 * @property {string} about how it runs, in a few words
 */

export {};
