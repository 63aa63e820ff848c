/*
 * The process of the count API: see count-api.js.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** @type {Record<string, number>} */
const counts = JSON.parse(readFileSync(String(process.argv[2]), 'utf8'));
const PATH = '/api/comments/count?';

let requests = 0;

const server = createServer((request, response) => {
  requests += 1;
  const address = String(request.url);
  const url = address.startsWith(PATH) ? new URLSearchParams(address.slice(PATH.length)).get('url') : null;
  if (url === null) return response.writeHead(404).end();
  const answer = JSON.stringify({ count: counts[url] ?? 0 });
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': answer.length });
  return response.end(answer);
});

server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.send?.(port);
});

process.on('message', () => {
  process.send?.(requests);
  requests = 0;
});

// Whoever started it is gone, or has finished
process.on('disconnect', () => process.exit());
