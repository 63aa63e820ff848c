import { spawnSync } from 'node:child_process';
import { benchGo } from '../bench-tools.js';

/**
 * A cache in Go (net/http, go-cache) before another server of counts.
 *
 * @param {import('./with-processes.js').Start} start
 * @param {{port: number, workers: number, upstream: string}} asked workers: threads that run Go at a time
 * @returns {Promise<import('./server.js').Server>}
 */
export async function startGoProxy(start, { port, workers, upstream }) {
  const env = { GOMAXPROCS: String(workers) };
  const pid = await start({ binary: benchGo() ?? '', args: [`127.0.0.1:${port}`, upstream], port, env });
  return { pids: [pid], about: `net/http, go-cache, GOMAXPROCS ${workers}` };
}

/** @returns {Record<string, string>} what it was built with, as it says itself where there is a Go to ask it */
export function goVersions() {
  const { stdout } = spawnSync('go', ['version', '-m', benchGo() ?? ''], { encoding: 'utf8' });
  const [, go = 'unknown'] = /: go(\S+)/.exec(stdout ?? '') ?? [];
  const [, cache = 'unknown'] = /go-cache\tv(\d[\d.]*)/.exec(stdout ?? '') ?? [];
  return { Go: go, 'go-cache': cache };
}
