// The list of users: which users a caller sees and in which form, filters, and hostile queries. And the values that a user's fields accept.
import { test } from 'tap';
import { readFilters } from '../../src/weblate/users/filters.ts';
import { listUsers } from '../../src/weblate/users/queries.ts';
import { faultsOf, startService } from '../support/service.ts';

interface Page {
  readonly count: number;
  readonly results: readonly Readonly<Record<string, unknown>>[];
}
interface Errors {
  readonly errors: readonly { readonly code: string; readonly attr: string | null }[];
}

const basic = ['id', 'full_name', 'username'];

await test('in strict mode a caller sees the users that the real system shows', async (t) => {
  const service = await startService(t, { seed: 'transcripts', anonymous: 'strict' });
  const list = async (query: string, as?: string) => {
    const { status, json } = await service.request('GET', `/api/users/${query}`, as === undefined ? {} : { as });
    t.equal(status, 200, `${query} as ${as ?? 'nobody'}`);
    return json as Page;
  };
  const names = async (query: string, as?: string) => (await list(query, as)).results.map((user) => user['username']);

  await t.test('the caller decides which users are listed, and in which form', async (own) => {
    own.same(await names(''), [], 'an anonymous caller sees no user');
    own.same(await names('?username=alice'), []);
    own.same(await names('', 'bob'), ['bob']);
    const { results } = await list('?username=AL', 'bob');
    own.same(results.map(Object.keys), [basic], 'two letters find others, in the basic form');
    own.same(await names('?username=a', 'bob'), [], 'one letter finds not even oneself');
    own.same(await names('?username=', 'bob'), []);
    own.same(await names('?username=b', 'bob'), []);
    own.same(await names('?email=alice@example.com', 'bob'), ['bob'], 'an address is no filter');
    own.same(await names('?id=6', 'bob'), []);
    own.same(await names('?id=7', 'bob'), ['bob']);
    own.equal((await list('', 'admin')).count, 9);
    own.ok((await list('', 'admin')).results.every((user) => 'profile' in user && 'groups' in user));
  });

  await t.test('filters limit the list', async (own) => {
    const found: readonly [string, readonly string[]][] = [
      ['?username=ja', ['jane.doe+ci@example']],
      ['?username=JANE.DOE%2BCI@EXAMPLE', ['jane.doe+ci@example']],
      ['?username=J%C3%9C', ['jürgen']],
      ['?username=al&is_active=true', ['alice']],
      ['?username=al&is_active=0', []],
      ['?username=%20alice%20', ['alice']],
      ['?email=ALICE@EXAMPLE.com&id=6', ['alice']],
      ['?email=alice@example.com&id=7', []],
      ['?id=6.0', ['alice']],
      ['?id=6.5', ['alice']],
      ['?id=-6', []],
      ['?id=99999999999999999999', []],
      ['?is_active=False', ['anonymous', 'dave']],
      ['?username=alice&username=bob', ['bob']],
      ['?username=_', []],
      ['?username=%25', []],
      ['?username=al%25', []],
      ["?username='%20or%201=1--", []],
      ['?email=%25', []],
    ];
    for (const [query, expected] of found) own.same(await names(query, 'admin'), expected, query);
  });

  await t.test('invalid filters are reported together, before an invalid page', async (own) => {
    const { status, json } = await service.request('GET', '/api/users/?page=99&id=x&username=%00&email=a%00', {
      as: 'admin',
    });
    own.equal(status, 400);
    own.same(
      (json as Errors).errors.map(({ code, attr }) => [attr, code]),
      [
        ['username', 'null_characters_not_allowed'],
        ['id', 'invalid'],
        ['email', 'null_characters_not_allowed'],
      ],
    );
    const withoutRight = await service.request('GET', '/api/users/?id=x', { token: 'wrong' });
    own.equal(withoutRight.status, 401, 'the token comes first');
  });

  await t.test('hostile queries are 200 or 400', async (own) => {
    for (const query of [
      '?id=1e999',
      '?id=NaN',
      '?id=0x6',
      '?id=%D9%A6',
      '?username=%FF%FE',
      '?username=%ED%A0%80',
      '?id=[]',
    ]) {
      for (const as of ['admin', 'alice']) {
        const { status } = await service.request('GET', `/api/users/${query}`, { as });
        own.ok(status === 200 || status === 400, `${query} as ${as}: ${status}`);
      }
    }
  });

  await t.test('the list has pages', async (own) => {
    const { json } = await service.request('GET', '/api/users/?page=last&page_size=4&is_active=true', { as: 'admin' });
    const { count, results, next, previous } = json as Page & { next: unknown; previous: unknown };
    own.same(
      [count, results.map((user) => user['username']), next],
      [7, ['many', 'jane.doe+ci@example', 'jürgen'].slice(-3), null],
    );
    own.equal(previous, `${service.url}/api/users/?is_active=true&page_size=4`);
    own.equal((await service.request('GET', '/api/users/?page=9', { as: 'admin' })).status, 404);
  });
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
  t.match(
    listUsers(filters).sql,
    /"found" as materialized .* and "u"\."id" = \$\d+.* and u\.username_key >= .* and u\.username_key < /s,
  );
  t.match(
    listUsers({ is_active: true }).sql,
    /"found" as not materialized .* and "u"\."is_active" = \$\d+::boolean\)/s,
  );
  t.notMatch(listUsers({}).sql, /username_key >=|email_key|"is_active" =/);
});

// The values that a user's fields accept, and the errors for others.

await test('all errors of a body are reported at once, in the order of the fields', async (t) => {
  const service = await startService(t, { seed: 'transcripts', anonymous: 'strict' });
  const long = 'x'.repeat(151);
  const bodies: readonly [string, object, readonly string[]][] = [
    ['nothing', {}, ['full_name required', 'username required']],
    [
      'all wrong',
      {
        username: 'a b',
        full_name: '<',
        email: 'x',
        is_bot: 3,
        is_active: null,
        is_superuser: {},
        date_expires: 'soon',
      },
      [
        'email invalid',
        'full_name invalid',
        'username invalid',
        'is_superuser invalid',
        'is_active null',
        'is_bot invalid',
        'date_expires invalid',
      ],
    ],
    [
      'white space alone',
      { username: ' ', full_name: '\t', email: ' ' },
      ['email blank', 'full_name blank', 'username blank'],
    ],
    [
      'no texts',
      { username: true, full_name: [], email: {} },
      ['email invalid', 'full_name invalid', 'username invalid'],
    ],
    [
      'too long and wrong',
      { username: `${long}!`, full_name: long },
      ['full_name max_length', 'username invalid', 'username max_length'],
    ],
    ['control characters', { username: 'q', full_name: 'a\nb' }, ['full_name invalid']],
    [
      'a NUL',
      { username: 'q\0', full_name: 'a\0b' },
      [
        'full_name invalid',
        'full_name null_characters_not_allowed',
        'username invalid',
        'username null_characters_not_allowed',
      ],
    ],
    ['half a character', { username: 'q', full_name: '\ud800' }, ['full_name surrogate_characters_not_allowed']],
    ['marks alone', { username: 'q', full_name: '.,;' }, ['full_name invalid']],
    [
      'taken, beside another fault',
      { username: 'ALICE', full_name: '', email: 'Bob@example.com' },
      ['email unique', 'full_name blank', 'username unique'],
    ],
    [
      'both taken',
      { username: 'Alice', full_name: 'X', email: 'bob@example.com' },
      ['email unique', 'username unique'],
    ],
    ['beyond ASCII', { username: 'JÜRGEN', full_name: 'X' }, ['username unique']],
    ['no such day', { username: 'q', full_name: 'X', date_expires: '2026-02-30' }, ['date_expires invalid']],
  ];
  for (const [what, json, expected] of bodies) {
    const answered = await service.request('POST', '/api/users/', { as: 'admin', json });
    t.same([answered.status, faultsOf(answered)], [400, expected], what);
  }
  t.equal(
    ((await service.request('GET', '/api/users/', { as: 'admin' })).json as { count: number }).count,
    9,
    'nobody was made',
  );
});

await test('e-mail addresses are accepted as the real system accepts them', async (t) => {
  const service = await startService(t, { seed: 'transcripts', anonymous: 'strict' });
  const right = [
    'a@example.com',
    'a.b+c@sub.example.org',
    'x@localhost',
    "o'neil@example.ie",
    'a@bücher.example',
    'a@xn--bcher-kva.example',
  ];
  const wrong = [
    'a',
    'ü@x.com',
    '@x.com',
    'a@',
    'a@b',
    'a b@x.com',
    'a..b@x.com',
    '.a@x.com',
    'a@-x.com',
    'a@x..com',
    'a@x.c',
    'a@b@x.com',
    '/a@x.com',
    'a%b@x.com',
    'a@x.com\n.',
  ];
  for (const email of [...right, ...wrong]) {
    const { status } = await service.request('PATCH', '/api/users/bob/', { as: 'admin', json: { email } });
    t.equal(status, wrong.includes(email) ? 400 : 200, JSON.stringify(email));
  }
});
