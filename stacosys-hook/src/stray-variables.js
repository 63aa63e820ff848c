import { distance } from 'fastest-levenshtein';
import { OPTIONS, variableOf } from './config.js';
import { BUILD_MARK } from './orphaned-hugo.js';
import { SECRETS } from './secrets.js';

/** A name of which more letters than this are wrong was not meant for us. */
const FAR = 4;

/**
 * What was meant for us, or looks like it, and has no effect: STACOSYS_DATABASE, STACOSYS_PUBLISHTO.
 *
 * @param {string[]} names of variables of the environment
 * @returns {string} one line, without their values, which may be secrets; '' where there are none
 */
export function strayVariables(names) {
  const settings = Object.entries(OPTIONS).flatMap(([name, option]) => ('isSetting' in option ? [name] : []));
  const secrets = SECRETS.map(variableOf);
  const known = [...settings.map(variableOf), ...secrets, ...secrets.map((name) => `${name}_FILE`)];
  const strays = names.filter((name) => !known.includes(name) && name !== BUILD_MARK);
  if (strays.length === 0) return '';
  const listed = strays.map((name) => {
    const nearest = nearestOf(name, known);
    return nearest === undefined ? name : `${name} (did you mean ${nearest}?)`;
  });
  return `The environment holds what is no setting of stacosys-hook: ${listed.join(', ')}`;
}

/**
 * @param {string} name
 * @param {string[]} known
 */
function nearestOf(name, known) {
  const plain = name.replace(/_/g, '');
  const ranked = known
    .map((candidate) => ({ candidate, steps: distance(plain, candidate.replace(/_/g, '')) }))
    .sort((a, b) => a.steps - b.steps);
  return ranked.find(({ steps }) => steps <= FAR)?.candidate;
}
