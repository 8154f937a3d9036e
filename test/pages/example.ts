// An example page that the tests vary: the answer of a list, whose operations are made up.
import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { createPathTable, type KnownOperation } from '../../src/http/path-table.ts';
import { pageAround } from '../../src/pages/browsable/browsable-page.ts';
import type { PageOptions, VisitedExchange } from '../../src/pages/browsable/page-contents.ts';
import { createJournal } from '../../src/traffic/journal/journal.ts';

export const baseUrl = 'http://127.0.0.1:8000';
export const listUrl = '/api/users/:username/notifications/';

export const operation = (
  method: KnownOperation['method'],
  url: string,
  name: string,
  more: Partial<KnownOperation> = {},
): KnownOperation => ({
  method,
  url,
  response: {},
  id: name,
  summary: name,
  access: 'open',
  view: { name, description: '' },
  ...more,
});

export const scope = Type.Union([Type.Literal(10, { title: 'Watched' }), Type.Literal(20, { title: 'Administered' })]);

/** The answer to a GET of the example's path. */
export const answering = (schema?: TSchema): KnownOperation =>
  operation('GET', listUrl, 'Notifications', { ...(schema && { response: { 200: schema } }) });

export const list = (properties: TProperties): TObject =>
  Type.Object({ count: Type.Integer(), results: Type.Array(Type.Object(properties)) });

/** @param value what the form begins with */
export const creating = (properties: TProperties, value: object): KnownOperation =>
  operation('POST', listUrl, 'Create a subscription', { body: Type.Object(properties), example: value });

export const created = { notification: "it's", scope: 10 };

const around = [
  operation('GET', '/api/', 'root'),
  operation('GET', '/api/users/', 'users'),
  operation('GET', '/api/users/:username/', 'user'),
  operation('GET', `${listUrl}:id/`, 'notification'),
];
const post = creating({ notification: Type.String(), scope }, created);

/** @param ofPath the operations of the example's path */
export const pathsWith = (...ofPath: readonly KnownOperation[]) => createPathTable([...ofPath, ...around]);

export const example = {
  method: 'GET',
  path: '/api/users/alice/notifications/',
  prefix: '',
  search: 'page=5',
  status: 200,
  sandbox: 'default',
  visitor: undefined,
  headers: { allow: 'GET, POST, HEAD, OPTIONS', 'content-type': 'application/json', vary: 'Accept' },
  json: JSON.stringify({
    count: 9,
    next: `${baseUrl}/api/users/alice/notifications/?page=6`,
    previous: `${baseUrl}/api/users/alice/notifications/?page=4`,
    results: [{ notification: 'NewAlertNotificaton', id: 7, scope: 20, frequency: 1, project: null, component: null }],
  }),
  sent: undefined,
  baseUrl,
  anonymous: 'read',
  paths: pathsWith(answering(list({ scope })), post),
  journal: createJournal(0),
} satisfies VisitedExchange & PageOptions;

export type Page = Partial<VisitedExchange & PageOptions>;

/** The example's page as HTML, with other values. */
export function renderPage(more: Page = {}): string {
  const page = { ...example, ...more };
  return pageAround(page)(page, page).content;
}
