// The list of users: what UNDERSTUDY_ANONYMOUS shows, and hostile filters. The recordings users/* have the rest.
import { test } from 'tap';
import { readFilters } from '../../src/weblate/users/filters.ts';
import { listUsers } from '../../src/weblate/users/queries.ts';
import { startService } from '../support/service.ts';

interface Page {
  readonly count: number;
  readonly results: readonly Readonly<Record<string, unknown>>[];
}

await test('hostile filters are 200 or 400', async (t) => {
  const service = await startService(t, { seed: 'transcripts', anonymous: 'strict' });
  for (const query of [
    'id=1e999',
    'id=NaN',
    'id=0x6',
    'id=%D9%A6',
    'id=[]',
    'id=99999999999999999999',
    'username=%FF%FE',
    'username=%ED%A0%80',
  ])
    for (const as of ['admin', 'alice']) {
      const { status } = await service.request('GET', `/api/users/?${query}`, { as });
      t.ok(status === 200 || status === 400, `${query} as ${as}: ${status}`);
    }
});

await test('with read, all users are listed in the basic form; with write, in full', async (t) => {
  for (const [anonymous, keys] of [
    ['read', 3],
    ['write', 16],
  ] as const) {
    const service = await startService(t, { seed: 'transcripts', anonymous });
    const { count, results } = (await service.request('GET', '/api/users/?username=a')).json as Page;
    t.equal(count, 3);
    t.ok(results.every((user) => Object.keys(user).length === keys));
    t.equal(
      ((await service.request('GET', '/api/users/', { as: 'alice' })).json as Page).count,
      1,
      'a token still means its user',
    );
  }
});

await test('each set of filters has one statement', async (t) => {
  const { filters } = readFilters({ username: 'al', id: '6' });
  t.same(filters, { prefix: 'al', id: 6 });
  t.equal(listUsers(filters), listUsers({ id: 7, prefix: 'b' }));
  t.not(listUsers(filters), listUsers({ id: 7 }));
});
