// A client made from the document: its types know every path, body and answer, and it leads a user and its subscriptions through a
// whole life.
import { readFile } from 'node:fs/promises';
import createClient from 'openapi-fetch';
import { test } from 'tap';
import { readSeed, startService } from '../support/service.ts';
import type { components, paths } from './api-types.ts';
import { digestOf, readDocument } from './read-document.ts';

type Subscription = components['schemas']['Subscription'];

await test('the types are those of the document', async (t) => {
  const types = await readFile(new URL('api-types.ts', import.meta.url), 'utf8');
  const [, made = '', document = ''] = types.split('\n', 3);
  t.equal(document, `// Document: ${digestOf(await readDocument())}`, `else: ${made.replace('// Made by: ', '')}`);
});

await test('a whole life', async (t) => {
  const service = await startService(t);
  const { users } = await readSeed('documented');
  const token = users.find(({ username }) => username === 'admin')?.tokens[0]?.text;
  const client = createClient<paths, 'application/json'>({
    baseUrl: service.url,
    headers: { Authorization: `Token ${token}` },
  });
  const path = { username: 'newbie' };

  const created = await client.POST('/api/users/', {
    body: { username: 'newbie', full_name: 'New Person', email: 'new@example.com' },
  });
  t.equal(created.response.status, 201);
  t.equal(created.data?.username, 'newbie');
  t.equal(created.response.headers.get('location'), created.data?.url);

  const again = await client.POST('/api/users/', { body: { username: 'newbie', full_name: 'Another' } });
  t.equal(again.error?.type, 'validation_error');
  t.same(
    again.error?.errors.map(({ attr, code }) => [attr, code]),
    [['username', 'unique']],
  );

  const changed = await client.PATCH('/api/users/{username}/', {
    params: { path },
    body: { full_name: 'Newer Person' },
  });
  t.equal(changed.data?.full_name, 'Newer Person');
  const read = await client.GET('/api/users/{username}/', { params: { path } });
  t.ok(read.data !== undefined && 'email' in read.data && read.data.email === 'new@example.com');

  // New users have subscriptions; this one wants others.
  const first = await client.GET('/api/users/{username}/notifications/', {
    params: { path, query: { page_size: '1000' } },
  });
  const given: Subscription[] = first.data?.results ?? [];
  t.ok(given.length > 0);
  t.equal(first.data?.count, given.length);
  for (const { id } of given) {
    const { response } = await client.DELETE('/api/users/{username}/notifications/{id}/', {
      params: { path: { ...path, id } },
    });
    t.equal(response.status, 204);
  }

  const wanted = { notification: 'NewStringNotificaton', scope: 10, frequency: 1 } as const;
  const made = await client.POST('/api/users/{username}/notifications/', { params: { path }, body: wanted });
  t.match(made.data, { ...wanted, project: null, component: null });
  const entry = { params: { path: { ...path, id: made.data?.id ?? 0 } } };
  const twice = await client.POST('/api/users/{username}/notifications/', { params: { path }, body: wanted });
  t.same(
    twice.error?.errors.map(({ code }) => code),
    ['unique'],
  );
  const weekly = await client.PATCH('/api/users/{username}/notifications/{id}/', { ...entry, body: { frequency: 3 } });
  t.equal(weekly.data?.frequency, 3);
  const replaced = await client.PUT('/api/users/{username}/notifications/{id}/', {
    ...entry,
    body: { ...wanted, frequency: 2 },
  });
  t.equal(replaced.data?.frequency, 2);
  const one = await client.GET('/api/users/{username}/notifications/{id}/', entry);
  t.same(one.data, replaced.data);
  const list = await client.GET('/api/users/{username}/notifications/', { params: { path } });
  t.same(list.data, { count: 1, next: null, previous: null, results: [one.data] });

  t.equal((await client.DELETE('/api/users/{username}/', { params: { path } })).response.status, 204);
  const gone = await client.GET('/api/users/{username}/notifications/', { params: { path } });
  t.equal(gone.response.status, 404);
  t.equal(gone.error?.errors[0]?.code, 'not_found');
});
