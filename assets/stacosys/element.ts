/** Creates an element. Text goes in as text: nothing here reads HTML. */
export const element = (tag: string, ...children: (Node | string)[]): HTMLElement => {
  const created = document.createElement(tag);
  created.append(...children);
  return created;
};

/** A link that a commenter chose, and no search engine should count. */
export const link = (href: string, ...children: (Node | string)[]): HTMLElement => {
  const created = element('a', ...children) as HTMLAnchorElement;
  created.href = href;
  created.rel = 'nofollow ugc noopener';
  return created;
};
