// A small server that answers as the users interface of the real system does, for tests of import.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { command as importCommand } from '../../src/cli/commands/import.ts';
import { runCommand } from '../support/run-command.ts';

type Body = Record<string, unknown>;
/** True if it has answered itself. */
type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface FakeServer {
  readonly url: string;
  /** The requests in order, each as `GET /api/users/?page_size=200 TOKEN`. */
  readonly seen: string[];
  /** Asked before each answer. */
  intercept: Intercept;
}

export const adminToken = 'wlu_admin_of_the_fake_server';

const subscriptionOf = (id: number, notification: string, scope: number, target: Body = {}) => ({
  notification,
  id,
  scope,
  frequency: 1,
  project: null,
  component: null,
  ...target,
});

/** What stands at each path; lists as arrays. */
const content = (base: string): Record<string, Body | Body[]> => {
  const user = (id: number, username: string, more: Body = {}) => ({
    id,
    email: `user${id}@company.test`,
    full_name: `Real ${username}`,
    username,
    groups: [`${base}/api/groups/2/`, `${base}/api/groups/3/`],
    profile: {
      language: `${base}/api/languages/cs/`,
      languages: [`${base}/api/languages/ca@valencia/`, `${base}/api/languages/cs/`],
      watched: [`${base}/api/projects/demo/`],
      theme: 'dark',
      github: `real-${username}`,
      special_chars: '',
      nearby_strings: 15,
    },
    notifications: `${base}/api/users/${encodeURIComponent(username)}/notifications/`,
    is_superuser: false,
    is_active: true,
    is_bot: false,
    date_joined: '2026-01-02T03:04:05Z',
    date_expires: null,
    last_login: '2026-02-03T04:05:06.000007Z',
    url: `${base}/api/users/${encodeURIComponent(username)}/`,
    ...more,
  });
  const group = (id: number, name: string, more: Body = {}) => ({
    id,
    name,
    defining_project: null,
    project_selection: 3,
    language_selection: 1,
    roles: [`${base}/api/roles/6/`],
    projects: [],
    components: [],
    ...more,
  });
  const users = [
    user(1, 'anonymous', { is_active: false, groups: [`${base}/api/groups/2/`] }),
    user(5, 'admin', { is_superuser: true }),
    user(6, 'alice'),
    user(12, 'jürgen@ü', { groups: [`${base}/api/groups/2/`, `${base}/api/groups/9/`] }),
  ];
  const hidden = { project: null, component: `${base}/api/components/secret/core/` };
  return {
    '/api/users/': users,
    ...Object.fromEntries(users.map((one) => [`/api/users/${encodeURIComponent(one.username)}/`, one])),
    '/api/users/anonymous/notifications/': [],
    '/api/users/admin/notifications/': [subscriptionOf(33, 'MentionCommentNotificaton', 0)],
    '/api/users/alice/notifications/': [
      subscriptionOf(43, 'NewAlertNotificaton', 20),
      subscriptionOf(44, 'NewAlertNotificaton', 30, { project: `${base}/api/projects/demo/` }),
      subscriptionOf(45, 'NewerThanUnderstudyNotification', 0),
    ],
    [`/api/users/${encodeURIComponent('jürgen@ü')}/notifications/`]: [
      subscriptionOf(99, 'LockNotification', 40, hidden),
    ],
    '/api/groups/': [
      group(2, 'Viewers', { project_selection: 4, roles: [] }),
      group(3, 'Users'),
      group(9, 'Secret team', { project_selection: 0, projects: [`${base}/api/projects/secret/`] }),
      group(10, 'Administration', { defining_project: `${base}/api/projects/demo/` }),
    ],
    '/api/': { users: `${base}/api/users/`, groups: `${base}/api/groups/` },
  };
};

export async function startFakeServer(t: { teardown(step: () => unknown): unknown }): Promise<FakeServer> {
  const fake: { seen: string[]; intercept: Intercept } = { seen: [], intercept: () => false };
  const server = createServer((request, response) => {
    const { url = '/', headers } = request;
    const as = headers.authorization?.replace('Token ', '');
    fake.seen.push(`${request.method} ${url}${as === undefined ? '' : ` ${as}`}`);
    if (fake.intercept(request, response)) return;
    const { pathname, searchParams } = new URL(url, base);
    const found = content(base)[pathname];
    if (found === undefined) return send(response, 404, { type: 'client_error', errors: [] });
    if (as !== adminToken) return send(response, 401, { type: 'client_error', errors: [] });
    send(response, 200, Array.isArray(found) ? pageOf(found, `${base}${pathname}`, searchParams) : found);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(fake, { url: base });
}

export function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

// A page has two entries, whatever size is requested, so that lists have several pages.
function pageOf(all: readonly Body[], url: string, query: URLSearchParams): Body {
  const page = Number(query.get('page') ?? 1);
  const isLast = page * 2 >= all.length;
  return {
    count: all.length,
    next: isLast ? null : `${url}?page=${page + 1}&page_size=${query.get('page_size')}`,
    previous: null,
    results: all.slice(page * 2 - 2, page * 2),
  };
}

/** Runs the import from the server, with its admin's token. */
export const runImport = (
  server: Pick<FakeServer, 'url'>,
  args: string[] = [],
  options: { signal?: AbortSignal; onStderr?: (text: string) => void } = {},
) =>
  runCommand(importCommand, ['--from', server.url, '--token-env', 'ITS_TOKEN', ...args], {
    env: { ITS_TOKEN: adminToken },
    ...options,
  });
