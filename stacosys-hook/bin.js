#!/usr/bin/env node
// better-sqlite3 crashes Node 20 when it is loaded, so ask for the version before that.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 3)) {
  console.error(`stacosys-hook needs Node 22.3 or newer; this is Node ${process.versions.node}`);
  console.error(
    'Install a current Node, for example with the package "node" (npm install node@24), and run this by npx',
  );
  process.exitCode = 1;
} else {
  // Compiling takes 5 of the 30 ms that a bake takes beside Node and the database. Where that folder cannot be written,
  // it goes on taking them; one that all may write, as Node's own choice in /tmp, could hold what another user put there
  const { enableCompileCache } = process.getBuiltinModule('node:module');
  enableCompileCache(`${import.meta.dirname}/../node_modules/.cache/stacosys-hook`);
  const { main } = await import('./src/cli.js');
  process.exitCode = await main(process.argv.slice(2));
}
