// An example page that the tests vary.
import type { BrowsablePage, Form } from '../../src/pages/browsable/page-contents.ts';

export const baseUrl = 'http://127.0.0.1:8000';

export const post: Form = {
  method: 'POST',
  summary: 'Create a subscription',
  body: `{"notification":"it's","scope":10}`,
  fields: [
    {
      name: 'scope',
      kind: 'choice',
      isRequired: true,
      isNullable: false,
      value: 10,
      choices: [
        { value: 10, display_name: 'Watched' },
        { value: 20, display_name: 'Administered' },
      ],
      faults: [],
    },
  ],
  faults: [],
  isAnswered: false,
};

export const example: BrowsablePage = {
  method: 'GET',
  path: '/api/users/alice/notifications/',
  search: 'page=2',
  status: 200,
  sandbox: 'default',
  visitor: undefined,
  headers: [
    ['Allow', 'GET, POST, HEAD, OPTIONS'],
    ['Content-Type', 'application/json'],
    ['Vary', 'Accept'],
  ],
  body: {
    count: 3,
    next: null,
    previous: `${baseUrl}/api/users/alice/notifications/?page_size=2`,
    results: [{ notification: 'NewAlertNotificaton', id: 7, scope: 20, frequency: 1, project: null, component: null }],
  },
  baseUrl,
  name: 'Notifications',
  breadcrumbs: [
    { label: 'root', href: `${baseUrl}/api/` },
    { label: 'users', href: `${baseUrl}/api/users/` },
    { label: 'alice', href: `${baseUrl}/api/users/alice/` },
    { label: 'notifications', href: `${baseUrl}/api/users/alice/notifications/` },
  ],
  below: [],
  allow: ['GET', 'POST', 'HEAD', 'OPTIONS'],
  pages: { current: 5, total: 9 },
  notices: [],
  forms: [post],
  shape: { scope: { choices: [{ value: 20, display_name: 'Administered' }] } },
  entryKey: 'id',
  anonymous: 'read',
};
