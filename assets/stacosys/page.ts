/** The section of comments in this page. */
export const section = document.querySelector<HTMLElement>('section.stacosys')!;

/** What has the class stacosys-NAME, in the section or in a copy of one of its templates. */
export const part = <E extends HTMLElement>(name: string, within: ParentNode = section) =>
  within.querySelector<E>('.stacosys-' + name)!;

/** Shows a message in a live region. The template behind it has one for each event, the last for any other. */
export const say = (region: Element, event: string | number) => {
  const messages = (region.nextElementSibling as HTMLTemplateElement).content;
  region.replaceChildren(messages.querySelector(`.on-${event},.on-error`)!.cloneNode(true));
};

/**
 * Does something that may fail, tells the reader in a live region, and the authors of a theme by an
 * event: stacosys:load, stacosys:sent, stacosys:error.
 */
export const attempt = async (region: Element, success: string, action: () => Promise<unknown>) => {
  say(region, 'busy');
  let message: string | number = success;
  const detail = await action().catch((error: Response) => {
    success = 'error';
    message = error.status;
    return error;
  });
  say(region, message);
  section.dispatchEvent(new CustomEvent('stacosys:' + success, { bubbles: true, detail }));
};
