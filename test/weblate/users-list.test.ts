// The list of users: what UNDERSTUDY_ANONYMOUS shows, and hostile filters. The recordings users/* have the rest. And filters as they are
// declared, for subscriptions too, which Weblate doesn't filter.
import { sql } from 'kysely';
import { test } from 'tap';
import { withAccess } from '../../src/access/caller-queries.ts';
import { visibleSubscriptions } from '../../src/access/visible-queries.ts';
import { prepare } from '../../src/database/prepare.ts';
import { declareFilters } from '../../src/weblate/filters.ts';
import { type ListParameters, type PageRow, selectPages } from '../../src/weblate/notifications/queries.ts';
import { userFilters } from '../../src/weblate/users/filter-queries.ts';
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
  const { values } = userFilters.read({ username: 'al', id: '6' });
  t.same(values, { by_username: 'al', by_id: 6 });
  t.equal(listUsers(values), listUsers({ by_id: 7, by_username: 'b' }));
  t.not(listUsers(values), listUsers({ by_id: 7 }));
});

const ofScope = declareFilters({
  scope: {
    description: 'The code of a scope.',
    type: 'int2',
    read: (text) =>
      /^\d+$/.test(text) ? { value: Number(text) } : { errors: [{ code: 'invalid', detail: 'No code.' }] },
    where: (scope) => sql`x.scope = ${scope}`,
  },
});
const findOfScope = [false, true].map((isLast) =>
  prepare<ListParameters & { by_scope: number }, PageRow>((db, slot) => {
    const found = visibleSubscriptions.where((eb) => eb.and(ofScope.conditionsOf(new Set(['by_scope']), slot)));
    const ofRequest = [slot('start', 'int4').as('start'), slot('size', 'int4').as('size')];
    return selectPages(withAccess(db, slot, 'read subscriptions', ...ofRequest), found, isLast);
  }),
);

await test('a filter of subscriptions limits a page and the count alike', async (t) => {
  t.same(ofScope.read({ scope: '10' }), { values: { by_scope: 10 }, errors: [] });
  t.same(ofScope.read({ scope: 'x' }).errors, [{ attr: 'scope', code: 'invalid', detail: 'No code.' }]);
  const service = await startService(t);
  const { results } = (await service.request('GET', '/api/users/alice/notifications/')).json as Page;
  const who = { sandbox: 'default', hash: null, username: 'alice', anonymous: 'read' } as const;
  for (const scope of [0, 10, 20, 30, 99]) {
    const ids = results.filter((one) => one['scope'] === scope).map(({ id }) => id);
    for (const size of [1, 2, 50])
      for (const [isLast, find] of findOfScope.entries()) {
        const start = isLast ? Math.floor(Math.max(ids.length - 1, 0) / size) * size : 0;
        const [row] = await find(service.database.lists, { ...who, start: 0, size, by_scope: scope });
        t.same(
          [row?.total, row?.entries?.[0] ?? []],
          [ids.length, ids.slice(start, start + size)],
          `${isLast ? 'last' : 'first'} page of ${size} in scope ${scope}`,
        );
      }
  }
});
