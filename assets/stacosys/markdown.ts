import { element, link } from './element';

/*
 * The Markdown that people write in comments, as DOM nodes. HTML stays text, a heading is bold text,
 * an image is a link to it (loading it would tell its server about every reader), and only what
 * leads to the web or to a mailbox is a link. Left out for the sake of the budget: titles of links, a
 * backslash as line break, backticks in code, the rule of three.
 *
 * It takes time linear in the length of the text: no repetition begins inside another one of the
 * same characters, and nesting has a limit, beyond which marks stay text.
 */

const RULE = '(?:[-*] *){3,}$';
const ITEM = '(?:[-*+]|\\d+[.)])(?: |$)';
/** The rest of a line, and more lines up to an empty one or to one that begins another block. */
const TEXT = `.*(?:\n(?! *(?:>|\`\`\`|~~~|(?:#+|[-*+]|1[.)]) .|${RULE})).+)*`;

const BLOCK = new RegExp(
  [
    '^ *(`{3,}|~{3,})[^`\n]*$\n?([^]*?)(?:^ *\\1$|(?![^]))',
    `^((?:\n? *>${TEXT})+)`,
    `^ *(${RULE})`,
    '^ *#+ (.+)',
    `^(( *)${ITEM}${TEXT}(?:\n+(?: {2,}| *${ITEM})${TEXT})*)`,
    '.' + TEXT,
  ].join('|'),
  'gm',
);

const ADDRESS = '((?:https?://|mailto:)(?:[^\\s()<>]|\\([^\\s()<>]*\\))*';

const INLINE = new RegExp(
  [
    '\\\\([!-/:-@[-`{-~])',
    '(`{1,3})([^`]+)\\2',
    `!?\\[([^[\\]]*)]\\(<?${ADDRESS})>?\\)`,
    `<${ADDRESS})>|${ADDRESS}(?:[^\\s!-,.:-@[-^\`{-~]|\\([^\\s()<>]*\\)))`,
    '(\\*+|_+)',
    '(\n)',
  ].join('|'),
  'gi',
);

/** Markdown → nodes. */
export const markdown = (source: string, depth = 0): DocumentFragment => {
  const deepest = 8;
  const nodes = new DocumentFragment();
  const lines = source.split(/\r\n?|\n/).map((line) => line.trimEnd());
  for (const match of lines.join('\n').matchAll(depth > deepest ? /[^]+/g : BLOCK)) {
    const [all, , code, quote, rule, heading, list, indent] = match;
    nodes.append(
      code != null
        ? element('pre', element('code', code))
        : quote
          ? element('blockquote', markdown(quote.replace(/^ *> ?/gm, ''), depth + 1))
          : rule
            ? element('hr')
            : heading
              ? element('p', element('strong', inline(heading)))
              : list
                ? items(list, '^' + indent + ITEM, depth + 1)
                : element('p', inline(all)),
    );
  }
  return nodes;
};

const items = (source: string, marker: string, depth: number) => {
  const start = parseInt(source);
  const list = element(start >= 0 ? 'ol' : 'ul') as HTMLOListElement;
  list.start = start; // means nothing to ul
  for (const item of source.split(new RegExp(marker, 'm')).slice(1)) {
    list.append(element('li', markdown(item.replace(/^ {1,2}/gm, ''), depth)));
  }
  return list;
};

const inline = (source: string, isLinked?: boolean): DocumentFragment => {
  const mostOpen = 50;
  const nodes = new DocumentFragment();
  /** Runs of * or _ that may open an emphasis: they stay text until their other half comes. */
  const open: Text[] = [];
  let end = 0;

  const emphasize = (run: string, before: number, after: number) => {
    const mark = new Text(run);
    const sign = run[0];
    // https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run; _ not inside a word
    const weight = sign === '*' ? 1 : 2;
    const closes = before > (after >> 1) * weight;
    const opens = after > (before >> 1) * weight;
    for (let index = open.length; closes && mark.length && index--;) {
      const opener = open[index]!;
      if (opener.data[0] !== sign) continue;
      const used = Math.min(opener.length, mark.length, 2);
      const emphasis = element(used > 1 ? 'strong' : 'em');
      while (opener.nextSibling) emphasis.append(opener.nextSibling);
      nodes.append(emphasis);
      opener.deleteData(0, used);
      mark.deleteData(0, used);
      open.length = ++index; // what opened in there is text, and this one may have something left
    }
    if (opens) open.push(mark);
    if (open.length > mostOpen) open.shift();
    return mark;
  };

  for (const match of source.matchAll(INLINE)) {
    const [all, escaped, , code, text, target, angled, address = angled, run, newline] = match;
    nodes.append(source.slice(end, match.index));
    end = match.index + all.length;
    nodes.append(
      code
        ? element('code', code)
        : target
          ? link(target, text ? inline(text, true) : target)
          : address && !isLinked
            ? link(address, address)
            : run && run.length < 4
              ? emphasize(run, kind(source[match.index - 1]), kind(source[end]))
              : newline
                ? element('br')
                : (escaped ?? all),
    );
  }
  nodes.append(source.slice(end));
  return nodes;
};

/** 0 for white space and the edge of the text, 1 for punctuation, 2 for what words are made of. */
const kind = (character = ' ') => +/\S/.test(character) + +/[\p{L}\p{M}\p{N}]/u.test(character);
