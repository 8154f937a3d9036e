// A client with the types that openapi-typescript makes from Weblate's own document. It lists, creates, changes and deletes.
import createClient from 'openapi-fetch';
import type { components, paths } from './weblate.js';

declare const process: { argv: string[] };
type Notification = components['schemas']['Notification'];

const [baseUrl = '', token = ''] = process.argv.slice(2);
const { GET, POST, PATCH, DELETE } = createClient<paths>({ baseUrl, headers: { Authorization: `Token ${token}` } });
const list = '/api/users/{username}/notifications/';
const entry = '/api/users/{username}/notifications/{subscription_id}/';
const username = 'alice';

async function find(notification: Notification['notification']): Promise<Notification | undefined> {
  const { data, error } = await GET(list, { params: { path: { username }, query: { page_size: 1000 } } });
  if (error) throw new Error(JSON.stringify(error));
  return data.results.find((one) => one.notification === notification && one.scope === 10);
}

const notification = 'RepositoryNotification';
// The document requires a body to have even the keys that only answers have, hence `as Notification`. It also
// says that POST answers with a list, hence `find`.
const body = { notification, scope: 10, frequency: 1 } as Notification;
const created = await POST(list, { params: { path: { username } }, body });
console.log('created', created.response.status);
const again = await POST(list, { params: { path: { username } }, body: { ...body, scope: 15 as never } });
console.log('refused', again.response.status, again.error?.type);
const subscription_id = (await find(notification))?.id ?? 0;
const params = { path: { username, subscription_id } };
const changed = await PATCH(entry, { params, body: { frequency: 2 } });
console.log('changed', changed.data?.frequency);
console.log('found', (await find(notification))?.frequency);
console.log('deleted', (await DELETE(entry, { params })).response.status);
console.log('left', (await find(notification)) ?? null);
