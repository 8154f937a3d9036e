// A request of the journal is explained: why it got its answer, in its row and on its page.
import { test } from 'tap';
import { type Ask, type Service, startService } from '../support/service.ts';
import { openConsole, type Shown, textsOf } from '../support/person.ts';

const list = '/api/users/bob/notifications/';
const entry = { notification: 'RepositoryNotification', scope: 10, frequency: 1 };

async function lastIdOf(service: Service, sandbox: string): Promise<string | undefined> {
  const { json } = await service.request('GET', `/_understudy/sandboxes/${sandbox}/requests`);
  return (json as { requests: { id: string }[] }).requests.at(-1)?.id;
}

const showLast = async (service: Service, sandbox: string): Promise<Shown> =>
  openConsole(service).get(`console/${sandbox}/journal/${await lastIdOf(service, sandbox)}/`);
/** After the notices of the frame. */
const reasonOf = (page: Shown) => textsOf(page, '.notice').at(-1);

await test('an entry begins with the reason of its answer', async (t) => {
  const service = await startService(t, { rateLimits: { anonymous: 'off', user: '20/day' } });
  await service.request('PUT', '/_understudy/sandboxes/mine');
  await service.request('PUT', '/_understudy/sandboxes/other');
  const { json } = await service.request('POST', '/_understudy/sandboxes/other/tokens', { json: { username: 'bob' } });
  const { token } = json as { token: string };
  const person = openConsole(service);
  for (const [method, path, ask, reason] of [
    ['GET', '/sandboxes/mine/api/users/bob', {}, 'The path lacks its final slash; did you mean /api/users/bob/?'],
    ['GET', '/sandboxes/mine/api/languages/', {}, 'Weblate serves languages; Understudy doesn’t mirror that.'],
    ['GET', '/sandboxes/mine/api/user/bob/', {}, 'Nothing is served at this path; did you mean /api/users/bob/?'],
    ['GET', '/sandboxes/mine/api/xyz/bob/', {}, 'Nothing is served at this path.'],
    ['GET', '/sandboxes/mine/api/users/', { token }, 'The token is of the sandbox "other".'],
    [
      'GET',
      '/sandboxes/mine/api/users/',
      { token: 'wlu_x' },
      'No user of this sandbox has the token: it was made elsewhere, or is no longer valid.',
    ],
    ['DELETE', '/sandboxes/mine/api/users/bob/', {}, 'The request has no token.'],
    [
      'POST',
      '/sandboxes/mine/api/users/',
      { as: 'bob', json: {} },
      'Refused to bob: it takes a superuser, or a group with the permission user.edit.',
    ],
    [
      'GET',
      '/sandboxes/mine/api/users/bob/notifications/999/',
      { as: 'bob' },
      'There is no such user or entry, or none that bob may see.',
    ],
    [
      'GET',
      '/sandboxes/mine/api/users/nobody/',
      {},
      'There is no such user or entry, or none that a request without a token may see.',
    ],
    ['PUT', '/sandboxes/mine/api/users/', { as: 'bob' }, 'The path takes GET, POST, HEAD, OPTIONS, and not PUT.'],
    [
      'POST',
      '/sandboxes/mine/api/users/bob/notifications/',
      { as: 'bob', json: { ...entry, scope: 7 } },
      'scope: "7" is not a valid choice.',
    ],
  ] as [string, string, Ask, string][]) {
    await service.request(method, path, ask);
    t.equal(reasonOf(await showLast(service, 'mine')), reason, `${method} ${path}`);
    t.match((await person.get('console/mine/journal/')).elements.map(({ text }) => text).join(), reason, 'its row too');
  }
  for (let n = 0; n < 21; n++) await service.request('GET', list, { as: 'bob' });
  t.match(reasonOf(await showLast(service, 'default')), /^The rate limit of 20 requests was reached: wait \d+ s\.$/);
  await service.request('PUT', '/_understudy/sandboxes/mine/faults', {
    json: { rules: [{ name: 'busy', status: 503 }] },
  });
  await service.request('GET', '/sandboxes/mine/api/');
  t.equal(reasonOf(await showLast(service, 'mine')), 'The fault rule busy was injected.');
  for (const [path, reason] of [
    ['/sandboxes/mime/api/', 'No sandbox is named mime; did you mean mine?'],
    ['/users/bob/', 'Nothing is served at this path; did you mean /api/users/bob/?'],
    ['/sandboxes/mine/users/', 'Nothing is served at this path; did you mean /sandboxes/mine/api/users/?'],
  ] as const) {
    await service.request('GET', path);
    const [, ofRow] =
      /_understudy\/console\/all\/journal\/([0-9a-f]{8}-\d+)\//.exec((await person.get('console/all/journal/')).text) ??
      [];
    t.equal(reasonOf(await person.get(`console/all/journal/${ofRow}/`)), reason, path);
  }
});
