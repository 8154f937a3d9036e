// The values that a user's fields accept, and the errors for others.
import { test } from 'tap';
import { faultsOf, startService } from '../support/service.ts';

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
