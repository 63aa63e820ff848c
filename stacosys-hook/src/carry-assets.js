import { copyFileSync, existsSync, linkSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readManifest } from './manifest.js';
import { listReleases, releasesFolder } from './releases.js';

/**
 * A reader who has a page of another release asks for its style sheet still.
 *
 * @param {string} publishTo
 * @param {string} root of the site that is to go live
 * @param {Set<string>} own paths that it has
 */
export function carryAssets(publishTo, root, own) {
  for (const release of listReleases(publishTo)) {
    for (const asset of readManifest(publishTo, release).assets.filter((path) => !own.has(path))) {
      own.add(asset);
      carry(join(releasesFolder(publishTo), release, asset), join(root, asset));
    }
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
function carry(from, to) {
  if (!existsSync(from) || existsSync(to)) return;
  try {
    mkdirSync(dirname(to), { recursive: true });
    linkOrCopy(from, to);
  } catch (error) {
    // The new site has a file where the old one had a folder: then it is no longer to be reached
    if (!['EEXIST', 'ENOTDIR'].includes(String(Object(error).code))) throw error;
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
function linkOrCopy(from, to) {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to); // a file system without hard links
  }
}
