// Tokens that were just made. They are shown this once, in the answer itself: the database has only their hashes.
import { validationError } from '../../../base/errors.ts';
import { html } from '../../html.ts';
import { renderBase, renderTokens } from '../../parts.ts';
import type { NewSandbox, UserToken } from '../../../sandboxes/sandbox-schemas.ts';
import { sandboxUrl } from '../console-frame.ts';
import type { ConsoleRoute, Page, Visit } from '../console-page.ts';
import { getFaults } from '../read-form.ts';
import { overviewPage } from './overview-page.ts';

export function createdPage({ origin }: Visit, { name, base_url: baseUrl, users }: NewSandbox): Page {
  return {
    status: 201,
    title: 'Sandbox made',
    of: { sandbox: name, tab: 'overview' },
    notice:
      users.length === 0
        ? 'The sandbox was made. No user of it can have a token.'
        : 'The sandbox was made. Copy the tokens that you need: they are shown this once.',
    main: html`${renderBase(baseUrl)}
      ${users.length > 0 && renderTokens('Tokens, which select this sandbox by themselves', withNotes(users))}
      <p class="actions row"><a href="${sandboxUrl(origin, name)}">To the overview</a></p>`,
  };
}

const withNotes = (users: readonly UserToken[]) =>
  users.map(({ is_superuser: isSuperuser, ...user }) => ({ ...user, note: isSuperuser ? 'superuser' : '' }));

/** Makes a token for one user. */
export const tokenRoute: ConsoleRoute = {
  method: 'POST',
  path: 'console/:name/tokens/',
  handle: async (visit, services) => {
    const { origin, params, form } = visit;
    const [name = '', username] = [params['name'], (form['username'] ?? '').trim()];
    try {
      if (username === '') throw validationError([required]);
      const made = await services.sandboxesAt(origin).addToken(name, username);
      return {
        status: 201,
        title: 'Token made',
        of: { sandbox: name, tab: 'overview' },
        notice: 'The token was made. Copy it now: it is shown this once.',
        main: html`${renderTokens('It selects this sandbox by itself', withNotes([made]))}
          <p class="actions row"><a href="${sandboxUrl(origin, name)}">To the overview</a></p>`,
      };
    } catch (error) {
      return overviewPage(visit, services, { field: 'username', ...getFaults(error) });
    }
  },
};

const required = { code: 'required', detail: 'Name a user.', attr: 'username' };
