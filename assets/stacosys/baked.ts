import { type Comment, filled } from './comment';
import { element } from './element';
import { enhance } from './form';
import { part, section } from './page';
import { stillWaiting } from './waiting';

// The list stands in the page: this is for the form, and for what its reader wrote.

const known = section.dataset.known!.split(' ');
const published = { includes: (words: string) => known.includes(hash(words)) };
const form = part<HTMLFormElement>('form');

/** The pages themselves hold rendered comments: this script knows no Markdown. */
const plain = (text: string) => element('p', text);

let items: Element[] = [];

/** Shows, under what is published, what this reader wrote and nobody has published yet. */
function show(...written: Comment[]) {
  for (const item of items) item.remove();
  items = stillWaiting(published, written).map(item);
  part('list').append(...items);
}

function item(comment: Comment) {
  const copy = filled(comment, plain, 'permalink');
  return part('comment', copy);
}

/** As stacosys-hook computes it of each published comment. */
function hash(text: string) {
  let sum = 0;
  for (const character of text) sum = (Math.imul(sum, 31) + character.codePointAt(0)!) | 0;
  return (sum >>> 0).toString(36);
}

show();
if (form) enhance(form, show, plain);
