import { enhance } from './form';
import { load, show } from './list';
import { attempt, part, say, section } from './page';

const status = part('status');
const form = section.querySelector('form');
const start = () => attempt(status, 'loading', 'load', load);

if (form) enhance(form);
show();
status.onclick = start;
if (/^#comment/.test(location.hash)) void start();
else if (section.dataset.load) say(status, 'click');
else {
  const nearby = { rootMargin: '300px' };
  new IntersectionObserver(([entry], observer) => {
    if (!entry!.isIntersecting) return;
    observer.disconnect();
    void start();
  }, nearby).observe(section);
}
