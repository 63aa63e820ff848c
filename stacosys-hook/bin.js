#!/usr/bin/env node
// better-sqlite3 crashes Node 20 when it is loaded, so ask for the version before that.
if (Number(process.versions.node.split('.')[0]) < 22) {
  console.error(`stacosys-hook needs Node 22 or newer; this is Node ${process.versions.node}`);
  console.error('Install a current Node, for example with the package "node": npm install node@24');
  process.exitCode = 1;
} else {
  const { main } = await import('./src/cli.js');
  process.exitCode = await main(process.argv.slice(2));
}
