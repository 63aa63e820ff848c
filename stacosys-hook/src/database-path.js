import { Failure } from './errors.js';

/**
 * The path in a database URI: `sqlite://db.sqlite` is relative and `sqlite:///abs/db.sqlite`
 * absolute (pydal, Stacosys 2 and 3). Earlier, `sqlite:///db.sqlite` was relative (peewee), and a bare
 * path was allowed. Three slashes are ambiguous only for a file in the root folder, where nobody keeps it.
 *
 * @param {string} uri
 * @returns {string}
 * @throws {Failure} not SQLite
 */
export function databasePath(uri) {
  const scheme = /^(?:(sqlite):(?:\/\/)?|([a-z][a-z0-9+.-]*):\/\/)/i.exec(uri);
  if (!scheme) return uri;
  if (scheme[1] === undefined) {
    throw new Failure(
      `The database is a ${scheme[2]} database: hugo-stacosys reads SQLite, as Stacosys itself does`,
      'Give the SQLite file: --db FILE',
    );
  }
  const path = uri.slice(scheme[0].length).replace(/^\/{2,}/, '/');
  return /^\/[^/]+$/.test(path) ? path.slice(1) : path;
}
