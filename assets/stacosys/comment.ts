import { link } from './element';
import { part } from './page';

/** A comment as Stacosys answers it; one that awaits its moderation has no date. */
export interface Comment {
  author: string;
  content: string;
  date?: string;
  site?: string;
  avatar?: string | null;
}

/** A comment without its line ends, of which Stacosys keeps those that it is sent. */
export const words = ({ author, content }: Comment) => (author + content).replace(/\s/g, '');

/** A copy of the template with what every comment has, and without the part that this one does not have. */
export const filled = (comment: Comment, render: (text: string) => Node, unwanted: string) => {
  const copy = part<HTMLTemplateElement>('template').content.cloneNode(true) as DocumentFragment;
  const avatar = part<HTMLImageElement>('avatar', copy);
  const { author, site } = comment;
  part('author', copy).append(/^https?:\/\//i.test(site!) ? link(site!, author) : author);
  // A picture shows no text, and a letter no picture
  [avatar.textContent] = author as unknown as [string];
  avatar.src += comment.avatar + '?d=mp';
  part('content', copy).append(render(comment.content));
  part(unwanted, copy).remove();
  return copy;
};
