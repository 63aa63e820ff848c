/*
 * Says beside each count how many comments came since the reader opened the article, and remembers that this
 * one was opened. It is loaded on list pages, so every byte counts. No module, hence no name at the top.
 */
try {
  const { since, seen } = document.currentScript!.dataset;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-count]')) {
    const note = document.createElement('span');
    const fresh = +link.dataset.count! - +(localStorage['stacosys-' + link.pathname] as string);
    note.className = 'stacosys-new';
    note.textContent = ` +${fresh} ${since}`;
    if (fresh > 0) link.append(note);
  }
  if (seen) localStorage['stacosys-' + location.pathname] = seen;
} catch {
  // A browser that keeps nothing has nothing to say, and no reader can mend it
}
