/**
 * @typedef {object} KnownTheme
 * @property {string} name
 * @property {RegExp} folder how it is called as a theme, or as a module without the version
 */

/** @type {KnownTheme[]} those for which hugo-module/adapters/README.md has instructions */
const THEMES = [
  { name: 'PaperMod', folder: /papermod$/ },
  { name: 'Congo', folder: /^congo$/ },
  { name: 'Blowfish', folder: /^blowfish$/ },
  { name: 'Stack', folder: /^(hugo-theme-)?stack$/ },
  { name: 'Ananke', folder: /ananke$/ },
  { name: 'Hextra', folder: /^(hugo-theme-)?hextra$/ },
];

/**
 * @param {string[]} names of the themes and modules of a blog
 * @returns {KnownTheme | undefined}
 */
export function knownTheme(names) {
  const folders = names.map(
    (name) =>
      name
        .toLowerCase()
        .replace(/\/v\d+$/, '')
        .split('/')
        .at(-1) ?? '',
  );
  return THEMES.find(({ folder }) => folders.some((name) => folder.test(name)));
}
