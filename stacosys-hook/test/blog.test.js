import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blogOf, isOurs, themesOf } from '../src/blog.js';

const MODULE = 'github.com/hugo-stacosys/hugo-stacosys';

/**
 * @param {string} file
 * @param {Record<string, unknown>} values
 */
const only = (file, values) => blogOf([{ file, values }]);

test('a theme is a name, or a list of names', () => {
  assert.deepEqual(only('hugo.toml', { theme: 'a' }).theme?.names, ['a']);
  assert.deepEqual(only('hugo.toml', { theme: ['a', 'b'] }).theme?.names, ['a', 'b']);
  for (const theme of ['', [], [''], 3, { a: 1 }, null]) {
    assert.equal(only('hugo.toml', { theme }).theme, null);
  }
});

test('the names of settings have no case', () => {
  const blog = only('hugo.yaml', {
    Theme: 'a',
    Module: { Imports: [{ Path: 'b' }] },
    themesDir: 't',
    layoutDir: 'l',
  });
  assert.deepEqual(themesOf(blog), ['b', 'a']);
  assert.deepEqual([blog.themesFolder, blog.layoutFolder], ['t', 'l']);
});

test('an import that is switched off is none', () => {
  const imports = [{ path: 'a', disable: true }, { path: 'b' }, { mounts: [] }, 'c', null];
  assert.deepEqual(only('hugo.toml', { module: { imports } }).imports?.names, ['b']);
});

test('a file in config/_default/ holds the table of its name', () => {
  const blog = blogOf([
    { file: 'config/_default/hugo.yml', values: { theme: 'a' } },
    { file: 'config/_default/languages.toml', values: { en: {}, fr: {} } },
    { file: 'config/_default/module.json', values: { imports: [{ path: 'b' }] } },
  ]);
  assert.deepEqual(blog.root, { file: 'config/_default/hugo.yml', format: 'yaml', inside: [] });
  assert.deepEqual(blog.imports, {
    file: 'config/_default/module.json',
    format: 'json',
    inside: ['module'],
    names: ['b'],
  });
  assert.deepEqual(blog.languages, ['en', 'fr']);
});

test('the first file that has a setting wins', () => {
  const blog = blogOf([
    { file: 'config/_default/config.toml', values: { theme: 'a' } },
    { file: 'hugo.toml', values: { theme: 'b', languages: { en: {} } } },
  ]);
  assert.deepEqual(blog.theme?.names, ['a']);
  assert.equal(blog.theme?.file, 'config/_default/config.toml');
  assert.deepEqual(blog.languages, ['en']);
});

test('a blog whose folder of configurations has no hugo.toml is to make one', () => {
  const { root } = only('config/_default/module.toml', {});
  assert.equal(root.file, 'config/_default/hugo.toml');
});

test('a setting that is a property of every object is none', () => {
  const blog = only('hugo.json', JSON.parse('{"__proto__": {"theme": "a"}, "module": {"constructor": 1}}'));
  assert.deepEqual([blog.theme, blog.imports], [null, null]);
});

test('our module is known as an import, as a folder, and by its adapters', () => {
  for (const name of [MODULE, `${MODULE}/v2`, 'hugo-stacosys', 'hugo-stacosys/hugo-module/adapters/stack']) {
    assert.ok(isOurs(name), name);
  }
  for (const name of ['stacosys', 'my-hugo-stacosys', 'hugo-stacosys-theme', '']) {
    assert.ok(!isOurs(name), name);
  }
});
