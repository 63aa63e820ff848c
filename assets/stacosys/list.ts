import { markdown } from './markdown';
import { part, section } from './page';
import { stored } from './storage';

/** A comment as Stacosys answers it; one that awaits its moderation has no date. */
export interface Comment {
  author: string;
  content: string;
  date?: string;
  site?: string;
  avatar?: string | null;
}

/** How long a reader waits for the comments, in milliseconds. */
const PATIENCE = 8000;

const waiting = 'waiting ' + location.pathname;

let published: Comment[] = [];

/** Fetches the comments under each url that holds some of this page, and shows them. */
export async function load() {
  const answers = await Promise.all(section.dataset.requests!.split(' ').map(request));
  published = answers
    .flat()
    .filter(words) // which throws at what is no comment, before it is kept
    .sort((one, other) => one.date!.localeCompare(other.date!));
  show();
  part('number').textContent = published.length as unknown as string; // which the browser makes of it
  if (/^#comment-/.test(location.hash)) location.replace(location as unknown as string); // only now there is such a place
  return published;
}

async function request(url: string): Promise<Comment[]> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE) });
  return ((await answer.json()) as { data: Comment[] }).data;
}

/** Shows what is published, then what this reader wrote and nobody has published yet. */
export function show(...written: Comment[]) {
  const known = published.map(words);
  const left = [stored<Comment[]>('sessionStorage', waiting) as Comment[], written]
    .flat()
    .filter((comment) => comment?.content && !known.includes(words(comment)));
  stored('sessionStorage', waiting, left);
  let id = '';
  const items = published.map((comment, index) => {
    const isSameSecond = comment.date === published[index - 1]?.date;
    id = isSameSecond ? id + '-2' : 'comment-' + comment.date!.replace(/\D+/g, '');
    return item(comment, id);
  });
  part('list').replaceChildren(...items, ...left.map((comment) => item(comment)));
}

/** A comment without its line ends, of which Stacosys keeps those that it is sent. */
const words = ({ author, content }: Comment) => (author + content).replace(/\s/g, '');

function item(comment: Comment, id?: string) {
  const copy = part<HTMLTemplateElement>('template').content.cloneNode(true) as DocumentFragment;
  const author = part<HTMLAnchorElement>('author', copy);
  const avatar = part<HTMLImageElement>('avatar', copy);
  const date = part<HTMLTimeElement>('date', copy);
  author.textContent = comment.author;
  if (/^https?:\/\//i.test(comment.site!)) author.href = comment.site!;
  // A picture shows no text, and a letter no picture
  avatar.textContent = [...comment.author][0]!;
  avatar.src += comment.avatar + '?d=mp';
  part('content', copy).append(markdown(comment.content));
  if (id) {
    part('comment', copy).id = id;
    part<HTMLAnchorElement>('permalink', copy).href = '#' + id;
    date.dateTime = comment.date!;
    date.textContent = wallClock(comment.date!);
  }
  part(id ? 'pending' : 'permalink', copy).remove();
  return copy;
}

/** Stacosys notes what its server's clock shows: so do we, wherever the reader is. */
function wallClock(date: string) {
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return new Date(date.replace(' ', 'T') + 'Z').toLocaleString(section.lang, options);
}
