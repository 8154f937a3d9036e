// Signing in to the console with the admin token, and out again.
import { hashToken } from '../access/credentials.ts';
import type { Gate } from '../access/gate.ts';
import { defaultSandbox } from '../access/which-sandbox.ts';
import { closeSession, type CookiePlace, cookieOf, noCookie, openSession } from '../browser/sessions.ts';
import { html } from '../pages/html.ts';
import { linksUnder } from '../pages/links.ts';
import type { ConsoleRoute, Page } from './console-page.ts';

/** Whose sessions the console's are: those of the one sandbox that is always there. */
export const consoleSandbox = defaultSandbox;

const path = 'sign-in/';
export const isOpenToAll = (route: ConsoleRoute): boolean => route.path === path;

/**
 * @param next the path that it leads to
 * @param isWrong whether a token was sent that isn't the admin token
 */
export const signInPage = (origin: string, next: string, isWrong = false): Page => ({
  status: isWrong ? 400 : 401,
  title: 'Sign in',
  main: html`<h1>Sign in to the console</h1>
    <form class="sign-in" method="post" action="${origin}/_understudy/${path}">
      <input type="hidden" name="next" value="${next}" />
      <label for="token">Admin token</label>
      <input
        id="token"
        name="token"
        type="password"
        autocomplete="off"
        required
        ${isWrong ? html`aria-invalid="true" aria-describedby="wrong"` : undefined}
      />
      ${isWrong ? html`<p class="wrong" id="wrong">This is not the value of UNDERSTUDY_ADMIN_TOKEN.</p>` : undefined}
      <p class="actions"><button>Sign in</button></p>
    </form>`,
});

const cookiePlace = (origin: string): CookiePlace => ({ kind: 'console', origin, prefix: '' });

export const signInRoutes = (gate: Pick<Gate, 'isTokenHash'>): readonly ConsoleRoute[] => [
  {
    method: 'GET',
    path,
    handle: async ({ origin, query }) => signInPage(origin, query['next'] ?? ''),
  },
  {
    method: 'POST',
    path,
    handle: async ({ form, origin }, { database }) => {
      const [token, next] = [(form['token'] ?? '').trim(), form['next'] ?? ''];
      if (!gate.isTokenHash(hashToken(token))) return signInPage(origin, next, true);
      const opened = await openSession(database, { sandbox: consoleSandbox, token });
      if (opened === undefined) throw new Error(`the sandbox ${consoleSandbox} is missing`);
      const start = `${origin}/_understudy/`;
      const url = linksUnder(start)(next, origin) ?? start;
      return { redirect: url.slice(origin.length), cookie: cookieOf(opened, cookiePlace(origin)) };
    },
  },
  {
    method: 'POST',
    path: 'sign-out/',
    handle: async ({ origin, session }, { database }) => {
      if (session !== undefined) await closeSession(database, consoleSandbox, session);
      return { redirect: '/_understudy/', cookie: noCookie(cookiePlace(origin)) };
    },
  },
];
