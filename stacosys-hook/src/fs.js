/*
 * What the hook needs of node:fs. `import 'node:fs'` would load all of it, its streams too, to
 * give each a name: 3 of the 20 ms that a bake takes beside its query, and 2 MB.
 */
export const {
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} = process.getBuiltinModule('node:fs');
