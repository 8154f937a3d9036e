// Signing in to the console with the admin token, and out again.
import { hashToken } from '../../access/credentials.ts';
import type { Gate } from '../../access/gate.ts';
import { consolePlace, noCookie, type Sessions } from '../../access/sessions.ts';
import { html } from '../html.ts';
import { linksUnder } from '../links.ts';
import { renderField } from '../parts.ts';
import { type ConsoleRoute, get, type Page, post, startOf } from './console-page.ts';

export const isOpenToAll = (url = ''): boolean => /^\/_understudy\/sign-(?:in|out)\/$/.test(url);

/** @param fault why the token that was sent isn't accepted */
export const signInPage = (origin: string, next: string, fault?: string): Page => ({
  status: fault === undefined ? 401 : 400,
  title: 'Sign in to the console',
  main: html`<form class="narrow" method="post" action="${startOf(origin)}sign-in/">
    <input type="hidden" name="next" value="${next}" />
    ${renderField({
      id: 'token',
      label: 'Admin token',
      hint: 'The value of UNDERSTUDY_ADMIN_TOKEN. The session lasts an hour.',
      faults: fault === undefined ? [] : [fault],
      control: (attributes) =>
        html`<input ${attributes} name="token" type="password" autocomplete="current-password" required />`,
    })}
    <p class="actions row"><button class="primary">Sign in</button></p>
  </form>`,
});

export const signInRoutes = (gate: Gate, sessions: Sessions): readonly ConsoleRoute[] => [
  get('sign-in/', async ({ origin, start, query }) =>
    gate.requiresToken ? { ...signInPage(origin, query['next'] ?? ''), status: 200 } : { redirect: start },
  ),
  post('sign-in/', async ({ form, origin, start, address }) => {
    const [token, next] = [(form['token'] ?? '').trim(), form['next'] ?? ''];
    if (!gate.isTokenHash(hashToken(token), address))
      return signInPage(origin, next, 'This is not the value of UNDERSTUDY_ADMIN_TOKEN.');
    return { redirect: linksUnder(start)(next) ?? start, cookie: await sessions.open(consolePlace(origin)) };
  }),
  post('sign-out/', async ({ origin, start }) => ({ redirect: start, cookie: noCookie(consolePlace(origin)) })),
];
