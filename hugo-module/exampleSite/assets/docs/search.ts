/*
 * The search of the documentation. The index was made when the site was built, and is fetched when a reader is about
 * to search. What is typed stays in the browser.
 */

interface Entry {
  page: string;
  title: string;
  url: string;
  text: string;
}

const SHOWN = 12;
const BEFORE = 40; // characters of an excerpt in front of what was found
const LENGTH = 150;

const form = document.querySelector<HTMLFormElement>('.docs-search');
if (form) startSearch(form);

function startSearch(form: HTMLFormElement) {
  const input = form.querySelector('input')!;
  const list = form.querySelector('ol')!;
  const status = form.querySelector('p')!;
  let index: Promise<Entry[]> | undefined;

  async function load(): Promise<Entry[]> {
    const answer = await fetch(form.dataset.index!);
    if (!answer.ok) throw new Error(`${answer.status}`);
    return (await answer.json()) as Entry[];
  }

  function search() {
    const query = input.value;
    index ??= load();
    index.then(
      (entries) => query === input.value && show(wordsOf(query), entries),
      () => {
        index = undefined; // to be tried again with the next letter
        status.textContent = form.dataset.failed!;
      },
    );
  }

  function show(words: string[], entries: Entry[]) {
    const found = words.length > 0 ? find(entries, words) : [];
    list.replaceChildren(...found.slice(0, SHOWN).map((entry) => item(entry, words)));
    status.textContent = words.length > 0 ? said(found.length) : '';
  }

  function said(count: number) {
    const { none, single, many, most } = form.dataset;
    const text = count > SHOWN ? most : count > 1 ? many : count === 1 ? single : none;
    return text!.replace('#', String(count));
  }

  function clear() {
    input.value = '';
    show([], []);
    input.focus();
  }

  /** From the field down into the results, and back up. */
  function move(step: number) {
    const stops = [input, ...list.querySelectorAll('a')];
    const place = stops.indexOf(document.activeElement as HTMLInputElement);
    stops[Math.min(Math.max(place + step, 0), stops.length - 1)]!.focus();
  }

  form.hidden = false;
  input.addEventListener('focus', search);
  input.addEventListener('input', search);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  form.addEventListener('keydown', (event) => {
    const { key, isComposing } = event;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[key];
    if (isComposing || (step === undefined && key !== 'Escape')) return;
    event.preventDefault();
    if (step === undefined) clear();
    else move(step);
  });
}

function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Those that hold every word, the best first. */
function find(entries: Entry[], words: string[]): Entry[] {
  return entries
    .map((entry) => ({ entry, score: score(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}

function score({ page, title, text }: Entry, words: string[]): number {
  const places = [title, page, text].map((place) => place.toLowerCase());
  const scores = words.map((word) =>
    [9, 3, 1].reduce((sum, weight, at) => sum + weight * hit(places[at]!, word), 0),
  );
  return scores.includes(0) ? 0 : scores.reduce((sum, each) => sum + each, 0);
}

/** The beginning of a word counts for more than its middle. */
function hit(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at < 0) return 0;
  return at === 0 || new RegExp(`[^\\p{L}\\p{N}]${escaped(word)}`, 'u').test(text) ? 2 : 1;
}

function item({ page, title, url, text }: Entry, words: string[]): HTMLLIElement {
  const item = document.createElement('li');
  const link = item.appendChild(document.createElement('a'));
  link.href = url;
  link.append(...marked(title === page ? page : `${page}: ${title}`, words));
  item.appendChild(document.createElement('p')).append(...marked(excerptOf(text, words), words));
  return item;
}

function excerptOf(text: string, words: string[]): string {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const first = Math.min(...places, text.length);
  const start = first === text.length || first < BEFORE ? 0 : text.indexOf(' ', first - BEFORE) + 1;
  const end = start + LENGTH < text.length ? text.lastIndexOf(' ', start + LENGTH) : text.length;
  const cut = text.slice(start, end > start ? end : start + LENGTH);
  return (start > 0 ? '… ' : '') + cut + (start + cut.length < text.length ? ' …' : '');
}

function marked(text: string, words: string[]): (string | HTMLElement)[] {
  const found = new RegExp(`(${words.map(escaped).join('|')})`, 'gi');
  return text.split(found).map((part, place) => {
    if (place % 2 === 0) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
