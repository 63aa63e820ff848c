import { type Comment, filled, words } from './comment';
import { markdown } from './markdown';
import { part, section } from './page';
import { stillWaiting } from './waiting';

let published: Comment[] = [];

/** Fetches the comments under each url that holds some of this page, and shows them. */
export const load = async () => {
  const answers = await Promise.all(section.dataset.requests!.split(' ').map(request));
  published = answers
    .flat()
    .filter(words) // which throws at what is no comment, before it is kept
    .sort((one, other) => one.date!.localeCompare(other.date!));
  show();
  part('number').textContent = published.length as unknown as string; // which the browser makes of it
  if (/^#comment-/.test(location.hash)) location.replace(location as unknown as string); // only now there is such a place
  return published;
};

/** What is under a url; a reader waits 8 seconds for it. */
const request = async (url: string) => {
  const answer = await fetch(url, { signal: AbortSignal.timeout(8000) });
  return ((await answer.json()) as { data: Comment[] }).data;
};

/** Shows what is published, then what this reader wrote and nobody has published yet. */
export const show = (...written: Comment[]) => {
  const left = stillWaiting(published.map(words), written);
  let id = '';
  const items = published.map((comment, index) => {
    const isSameSecond = comment.date === published[index - 1]?.date;
    id = isSameSecond ? id + '-2' : 'comment-' + comment.date!.replace(/\D+/g, '');
    const copy = filled(comment, markdown, 'pending');
    const date = part<HTMLTimeElement>('date', copy);
    date.dateTime = comment.date!;
    date.textContent = wallClock(comment.date!);
    part<HTMLAnchorElement>('permalink', copy).href = '#' + id;
    part('comment', copy).id = id;
    return copy;
  });
  const waiting = left.map((comment) => filled(comment, markdown, 'permalink'));
  part('list').replaceChildren(...items, ...waiting);
};

/** Stacosys notes what its server's clock shows: so do we, wherever the reader is. */
const wallClock = (date: string) =>
  new Date(date.replace(' ', 'T') + 'Z').toLocaleString(section.lang, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
