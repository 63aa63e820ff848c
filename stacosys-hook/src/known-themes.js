/**
 * @typedef {object} KnownTheme
 * @property {string} name
 * @property {RegExp} folder how it is called as a theme, or as a module without the version
 * @property {string} [comments] what switches comments on, where its articles call comments.html
 */

/** @type {KnownTheme[]} those for which hugo-module/adapters/README.md has instructions */
const THEMES = [
  { name: 'PaperMod', folder: /papermod$/, comments: 'comments = true under [params]' },
  { name: 'Congo', folder: /^congo$/, comments: 'showComments = true under [params.article]' },
  { name: 'Blowfish', folder: /^blowfish$/, comments: 'showComments = true under [params.article]' },
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
