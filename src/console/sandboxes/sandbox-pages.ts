// Sandboxes: what there is, and what can be done with one.
import { html } from '../../pages/html.ts';
import type { ConsoleRoute } from '../console-page.ts';

export const sandboxPages: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '',
    handle: async ({ origin }, { sandboxesAt }) => {
      const sandboxes = await sandboxesAt(origin).list();
      return {
        title: 'Sandboxes',
        main: html`<ul>
          ${sandboxes.map(({ name }) => html`<li><a href="${origin}/_understudy/console/${name}/">${name}</a></li>`)}
        </ul>`,
      };
    },
  },
];
