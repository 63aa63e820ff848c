import { answerer } from './contender.js';

/**
 * The same pages without counts and comments: what is above it is what comments cost.
 *
 * @returns {import('./contender.js').Contender}
 */
export function bare() {
  return {
    name: 'no comments',
    isFloor: true,
    pages: ['list', 'article'],
    version: '',
    slots: { count: '', list: '', comments: '' },
    files: {},
    start: async () => answerer(() => null),
  };
}
