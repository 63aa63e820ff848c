/*
 * Shared set-up of the tests of feeds: the XML parser of a browser. It holds no test itself.
 */

/**
 * @typedef {object} Element
 * @property {string} name with its prefix, such as thr:total
 * @property {string | null} namespace
 * @property {Record<string, string>} attributes
 * @property {string} text of all that is in it
 * @property {Element[]} children
 */

/**
 * @param {import('playwright-core').Page} page any
 * @param {string} xml
 * @returns {Promise<Element>} the root
 * @throws {Error} it is not well-formed
 */
export function parseXml(page, xml) {
  return page.evaluate((text) => {
    const tree = new DOMParser().parseFromString(text, 'application/xml');
    const problem = tree.querySelector('parsererror');
    if (problem) throw new Error(`Not well-formed: ${problem.textContent}\n${text}`);

    /**
     * @param {globalThis.Element} element
     * @returns {any}
     */
    const toPlain = (element) => ({
      name: element.nodeName,
      namespace: element.namespaceURI,
      attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
      text: element.textContent,
      children: [...element.children].map(toPlain),
    });
    return toPlain(tree.documentElement);
  }, xml);
}

/**
 * @param {Element} element
 * @param {string} name
 * @returns {Element[]} its children of that name
 */
export function all(element, name) {
  return element.children.filter((child) => child.name === name);
}

/**
 * @param {Element} element
 * @param {string} name
 * @returns {string | undefined} the text of its first child of that name
 */
export function text(element, name) {
  return all(element, name)[0]?.text;
}
