import { releasesFolder, currentRelease, listReleases } from '../releases.js';
import { readManifest } from '../manifest.js';

/**
 * @param {import('../config.js').Config} config
 * @returns {import('../cli.js').Result} the releases, the newest first
 */
export function releasesCommand({ publishTo }) {
  const current = currentRelease(publishTo);
  const releases = listReleases(publishTo)
    .reverse()
    .map((name) => ({ name, pages: readManifest(publishTo, name).pages, isLive: name === current }));
  const lines = releases.map(
    ({ name, pages, isLive }) =>
      `${isLive ? '*' : ' '} ${name}  ${pages} HTML files${isLive ? '  (live)' : ''}`,
  );
  return {
    data: { folder: publishTo, releases },
    text: lines.join('\n') || `There is no release in ${releasesFolder(publishTo)} yet.`,
  };
}
