import { type Comment, words } from './comment';
import { stored } from './storage';

const waiting = 'waiting ' + location.pathname;

/** Keeps what this reader writes, and tells what of it nobody has published yet. */
export const stillWaiting = (published: Pick<string[], 'includes'>, written: Comment[]) =>
  stored(
    'sessionStorage',
    waiting,
    [stored<Comment[]>('sessionStorage', waiting) as Comment[], written]
      .flat()
      .filter((comment) => comment?.content && !published.includes(words(comment))),
  )!;
