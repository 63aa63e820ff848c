/*
 * Shared set-up of the test of the whole way: `npm run demo` in a copy of this repository, so that a demo
 * which somebody runs here keeps its folder and its port. It holds no test itself.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryFolder } from '../../../scripts/test/serving.js';
import { HUGO_LATEST, ROOT, pinnedHugo } from '../../../scripts/tools.js';

const NEEDED = ['assets', 'go.mod', 'hugo-module', 'hugo.toml', 'layouts', 'package.json', 'scripts'];

/**
 * @param {import('node:test').TestContext} t
 * @returns {Promise<string>} the address of the demo, without a slash at its end
 */
export async function runningDemo(t) {
  const folder = temporaryFolder(t);
  for (const name of [...NEEDED, 'stacosys-hook']) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: isSource });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const port = await freePort();
  const env = { ...process.env, HUGO_BIN: pinnedHugo(HUGO_LATEST) };
  const demo = spawn(process.execPath, [join(folder, 'scripts', 'demo.js'), '--port', port], { env });
  const ended = once(demo, 'exit');
  t.after(async () => {
    demo.kill();
    await ended;
  });
  demo.stderr.pipe(process.stderr);
  /** @type {string[]} */
  const said = [];
  for await (const line of createInterface(demo.stdout)) {
    said.push(line);
    if (line.startsWith('Ctrl+C')) return `http://127.0.0.1:${port}`;
  }
  throw new Error(`The demo ended:\n${said.join('\n')}`);
}

/** @param {string} path */
function isSource(path) {
  return !['public', 'resources', 'data', 'test'].includes(basename(path));
}

async function freePort() {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return String(port);
}
