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
  path: '/api/users/alice/notifications/?page=2',
  status: 200,
  reason: 'OK',
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
    { label: 'root', href: '/api/' },
    { label: 'users', href: '/api/users/' },
    { label: 'alice', href: '/api/users/alice/' },
    { label: 'notifications', href: '/api/users/alice/notifications/' },
  ],
  below: [],
  allow: ['GET', 'POST', 'HEAD', 'OPTIONS'],
  formats: [
    { label: 'json', href: '?format=json&page=2' },
    { label: 'csv', href: '?format=csv&page=2' },
    { label: 'api', href: '?format=api&page=2' },
  ],
  pages: {
    current: 2,
    total: 9,
    links: [
      { label: '1', href: '?page=1' },
      { label: '2', href: '?page=2', current: true },
      { label: '9', href: '?page=9' },
    ],
  },
  notices: [],
  forms: [post],
  shape: { scope: { choices: [{ value: 20, display_name: 'Administered' }] } },
  entryKey: 'id',
  anonymous: 'read',
};
