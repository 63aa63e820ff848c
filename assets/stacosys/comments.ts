import { enhance } from './form';
import { load, show } from './list';
import { markdown } from './markdown';
import { attempt, part, say, section } from './page';

const status = part('status');
const form = part<HTMLFormElement>('form');
const start = () => attempt(status, 'load', load);

if (form) enhance(form, show, markdown);
show();
status.onclick = ({ target }) => (target as HTMLButtonElement).type && start();
if (/^#comment/.test(location.hash)) void start();
else if (section.dataset.load) say(status, 'click');
else {
  const nearby = { rootMargin: '300px' };
  new IntersectionObserver((entries, observer) => {
    if (!entries.pop()!.isIntersecting) return;
    observer.disconnect();
    void start();
  }, nearby).observe(section);
}
