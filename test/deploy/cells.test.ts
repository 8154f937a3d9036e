// Three cells behind nginx: a sandbox's requests reach its cell, whatever came before on the connection.
import { test } from 'tap';
import { openConsole } from '../support/person.ts';
import { makeRandom } from '../support/random.ts';
import { type Answered, openClient, type Service } from '../support/service.ts';
import { balance, cellHeader, listSandboxes, startCell, startCells } from './cells.ts';
import { skip } from './nginx.ts';

interface Made {
  readonly name: string;
  readonly base_url: string;
  readonly token: string;
}

const list = '/api/users/alice/notifications/';

await test('each of 300 sandboxes belongs to one of three cells', { skip }, async (suite) => {
  const cells = await startCells(suite);
  const url = await balance(suite, cells);
  // A few connections, so that each carries requests of many sandboxes.
  const client = openClient(suite, url, undefined, 4);
  const make = (n: number) =>
    n % 10 === 0
      ? client.request('POST', '/_understudy/sandboxes')
      : client.request('PUT', `/_understudy/sandboxes/job-${n}`);
  const answers = await Promise.all(Array.from({ length: 300 }, (_, n) => make(n)));
  const made = answers.map(({ json }) => json as Made);
  const held = await Promise.all(cells.map(listSandboxes));

  await suite.test('each is in one cell alone', async (t) => {
    t.same(
      answers.filter(({ status }) => status !== 201).map(({ text }) => text),
      [],
    );
    t.same(held.flat().toSorted(), made.map(({ name }) => name).toSorted());
    for (const here of held) t.ok(here.length > 50, `${held.map(({ length }) => length).join(', ')} sandboxes`);
  });

  await suite.test('by path, header, token and control API', async (t) => {
    const random = makeRandom(1, 0);
    const alice = { token: 'wlu_alice_public_sample_token_0000000000' };
    const requests = made.flatMap(({ name, token }) => {
      const headers = { 'x-understudy-sandbox': name };
      return [
        { name, ask: () => client.request('GET', `/sandboxes/${name}${list}?page_size=1`, alice) },
        { name, ask: () => client.request('GET', list, { ...alice, headers }) },
        { name, ask: () => client.request('GET', list, { token }) },
        { name, ask: () => client.request('GET', `/_understudy/sandboxes/${name}`) },
      ].map((one) => ({ ...one, place: random.below(1_000_000) }));
    });
    const shuffled = requests.toSorted((a, b) => a.place - b.place);
    const got = await Promise.all(shuffled.map(async ({ name, ask }) => ({ name, answer: await ask() })));
    const hostOf = new Map(cells.flatMap((cell, n) => (held[n] ?? []).map((name) => [name, new URL(cell.url).host])));
    t.same(
      got.filter(({ name, answer }) => answer.status !== 200 || answer.headers[cellHeader] !== hostOf.get(name)),
      [],
    );
    t.equal(got.length, 1200);
  });

  await suite.test("the console's form makes a sandbox where its name belongs", async (t) => {
    const person = openConsole({ url, ...client });
    for (const name of ['', 'by-hand-1', 'by-hand-2', 'by-hand-3']) {
      const sent = await person.post('console/new/', { name, lifetime: '3600' });
      t.equal(sent.status, 303);
      const [, path = ''] = /_understudy\/(console\/[a-z0-9-]+\/)\?/.exec(sent.headers['location'] ?? '') ?? [];
      const page = await person.post(`${path}tokens/`, { username: 'alice' });
      t.equal(page.status, 201);
      const [, token = ''] = /\b(wlu_sandbox_[a-z0-9-]+_[0-9a-f]{32})\b/.exec(page.text) ?? [];
      t.equal((await client.request('GET', list, { token })).status, 200, name);
      t.equal((await person.get(`console/${name || token.split('_')[2]}/`)).status, 200);
    }
  });

  await suite.test('a sandbox without a name is made as with one service', async (t) => {
    const [cell] = cells as [Service];
    const shapeOf = ({ status, headers, json }: Answered) => ({
      status,
      type: headers['content-type'],
      keys: Object.keys(json as object),
    });
    const requests = [
      ['/_understudy/sandboxes', {}],
      ['/_understudy/sandboxes', { json: { from: 'empty' } }],
      ['/_understudy/sandboxes?x=1', { json: { from: 'empty' } }],
      ['/_understudy/sandboxes', { json: { from: 'nothing' } }],
      ['/_understudy/sandboxes', { json: { form: 'empty' } }],
      ['/_understudy/sandboxes', { body: '{', headers: { 'content-type': 'application/json' } }],
      ['/_understudy/sandboxes', { body: 'x', headers: { 'content-type': 'text/plain' } }],
      ['/_understudy/sandboxes/', {}],
    ] as const;
    for (const [path, ask] of requests)
      t.same(
        shapeOf(await client.request('POST', path, ask)),
        shapeOf(await cell.request('POST', path, ask)),
        `${path} ${JSON.stringify(ask)}`,
      );
    const { name, base_url: base } = (await client.request('POST', '/_understudy/sandboxes')).json as Made;
    t.match(name, /^sandbox-[0-9a-f]{10}$/);
    t.equal(base, `${url}/sandboxes/${name}`);
  });
});

await test('one sign-in opens the console of every cell', { skip }, async (t) => {
  const token = 'correct-horse';
  const cells = await Promise.all([1, 2, 3].map(() => startCell(t, token)));
  const url = await balance(t, cells);
  const person = openConsole({ url, ...openClient(t, url) });
  t.equal((await person.post('sign-in/', { token })).status, 303);
  const reached = new Set<string | undefined>();
  // The ports change with each run, and with them each name's cell: nine names often leave out one of three.
  for (let n = 1; n <= 9 || (reached.size < 3 && n <= 60); n++) {
    const name = `of-console-${n}`;
    t.equal((await person.post('console/new/', { name, lifetime: '3600' })).status, 303);
    const page = await person.get(`console/${name}/`);
    t.equal(page.status, 200);
    t.equal((await person.post(`console/${name}/reset/`)).status, 303);
    reached.add(page.headers[cellHeader]);
  }
  t.equal(reached.size, 3);
});
