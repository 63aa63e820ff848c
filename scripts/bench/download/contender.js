/*
 * What takes part in the comparison of downloads.
 */

/**
 * @typedef {object} Contender
 * @property {string} name as the tables show it
 * @property {boolean} [ours]
 * @property {boolean} [isFloor] the same pages without comments: it shows none
 * @property {('list' | 'article')[]} pages that are measured
 * @property {string} version
 * @property {import('./blog.js').Slots} slots
 * @property {string} [config] more of hugo.toml
 * @property {Record<string, string>} files path → file that the blog serves beside its own
 * @property {(site: string, folder: string) => Promise<Backend>} start its server, and whatever has to be
 *   in the Hugo site before that is built; the folder is empty
 *
 * @typedef {object} Backend
 * @property {import('./serve-site.js').Answer} answer what its blog's address answers beside the files
 * @property {() => Promise<void>} stop
 */

/**
 * A backend within this process.
 *
 * @param {import('./serve-site.js').Answer} answer
 * @returns {Backend}
 */
export function answerer(answer) {
  return { answer, stop: async () => {} };
}

/**
 * @param {string} prefix of the paths that a real server answers
 * @param {string} address of it
 * @returns {import('./serve-site.js').Answer} as a reverse proxy does
 */
export function proxy(prefix, address) {
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    if (!pathname.startsWith(prefix)) return null;
    const { method, headers } = request;
    const content = method === 'POST' ? { body: await request.arrayBuffer() } : {};
    return fetch(address + pathname.slice(prefix.length - 1) + search, { method, headers, ...content });
  };
}

/** For authors without a picture: one that has to be fetched from nowhere. */
export const BLANK_PICTURE = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E';
