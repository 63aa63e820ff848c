import type { Comment } from './comment';
import { attempt, part } from './page';
import { stored } from './storage';

const draft = 'draft ' + location.pathname;

interface Sent {
  author: string;
  site: string;
  message: string;
  email?: string;
}

interface Fields {
  author: HTMLInputElement;
  site: HTMLInputElement;
  message: HTMLTextAreaElement;
  /** Where the page shows pictures, over https. */
  email?: HTMLInputElement;
}

/** Makes the plain form one that sends its comment without leaving the page. */
export function enhance(
  form: HTMLFormElement,
  show: (comment: Comment) => void,
  render: (text: string) => Node,
) {
  // The fields that need JavaScript
  for (const template of form.querySelectorAll('template')) template.replaceWith(template.content);
  if (!crypto.subtle) part('email')?.remove(); // http
  const { author, site, email, message } = form.elements as unknown as Fields;
  const remember = part<HTMLInputElement>('remember');

  const changed = () => {
    stored('sessionStorage', draft, message.value);
    stored('localStorage', 'reader', remember.checked && [site.value, author.value]);
    part('preview')?.replaceChildren(render(message.value));
  };

  const send = async () => {
    const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
    if (email?.value) body.set('email', await hash(email.value));
    const sent = Object.fromEntries(body) as unknown as Sent; // what the reader types from here on is not
    const answer = await fetch(form.action, { method: 'POST', body, redirect: 'manual' });
    if (answer.status) throw answer; // success is a redirect, which has none here
    show({ ...sent, avatar: sent.email, content: sent.message });
    message.value = '';
    changed();
  };

  form.onsubmit = async (event) => {
    event.preventDefault();
    if (message.readOnly) return; // it is on its way
    message.readOnly = true;
    await attempt(part('outcome'), 'sent', send);
    message.readOnly = false;
  };
  form.oninput = changed;

  const reader = stored<[string, string]>('localStorage', 'reader');
  if (reader?.[1]) {
    [site.value, author.value] = reader;
    remember.checked = true;
  }
  message.value = message.value || stored<string>('sessionStorage', draft)!; // null is no text
  changed();
}

/** As Gravatar takes it. @see https://docs.gravatar.com/rest/hash/ */
const hash = async (email: string) => {
  const bytes = new TextEncoder().encode(email.trim().toLowerCase());
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => (byte + 256).toString(16).slice(1)).join('');
};
