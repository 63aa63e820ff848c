/*
 * Preloaded into a Node process that is measured: writes its peak memory, in bytes, to file
 * descriptor 3 when it ends. CommonJS, because that is the cheapest thing to preload.
 */
const { readFileSync, writeSync } = require('node:fs');

process.on('exit', () => writeSync(3, String(peakBytes())));

/**
 * Linux counts the memory of the parent into maxRSS of a process that it started, but not
 * into VmHWM.
 */
function peakBytes() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
