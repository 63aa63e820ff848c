/**
 * What must be added to a .gitignore for these paths to be ignored.
 *
 * @param {string} text of the .gitignore; '' for none
 * @param {string[]} wanted patterns of folders and files
 * @returns {string[]} those of them that are missing
 */
export function missingPatterns(text, wanted) {
  const present = new Set(text.split(/\r?\n/).map(bare));
  return wanted.filter((pattern) => !selfAndParents(bare(pattern)).some((path) => present.has(path)));
}

/**
 * @param {string} text of the .gitignore; '' for none
 * @param {string[]} patterns
 * @returns {string} what to write after that text: with its line ends, and the one that its last line may lack
 */
export function gitignoreAddition(text, patterns) {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const isCutShort = text !== '' && !text.endsWith('\n');
  return (isCutShort ? lineEnd : '') + patterns.map((pattern) => pattern + lineEnd).join('');
}

/**
 * A path that lies in a folder of the blog, as a pattern of its own.
 *
 * @param {string} path relative, with slashes
 */
export function asPattern(path) {
  return `/${path.replace(/[\\*?[\]]/g, '\\$&').replace(/ $/, '\\ ')}`;
}

/** @param {string} pattern which may begin anywhere, and mean a folder or a file: here that is all the same */
function bare(pattern) {
  return pattern.trim().replace(/^(\*\*)?\/|\/\**$/g, '');
}

/** @param {string} path */
function selfAndParents(path) {
  const segments = path.split('/');
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}
