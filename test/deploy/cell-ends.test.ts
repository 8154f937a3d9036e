// A cell that stops, is killed or hangs affects only its own sandboxes, which answer again after its restart.
import { once } from 'node:events';
import { test } from 'tap';
import { apiError } from '../../src/base/errors.ts';
import type { Serving } from '../support/process.ts';
import { createSeededDatabase, openClient } from '../support/service.ts';
import { balance, listSandboxes, serveCells } from './cells.ts';
import { skip } from './nginx.ts';

await test('while a cell is away, only its sandboxes get 503', { skip }, async (suite) => {
  const databaseUrls = await Promise.all([1, 2, 3].map(() => createSeededDatabase(suite, 'documented')));
  const { serve, services: cells } = await serveCells(suite, databaseUrls);
  // nginx gives up a hanging cell sooner than by the shipped file, to save time.
  const url = await balance(suite, cells, [['proxy_read_timeout 120s', 'proxy_read_timeout 3s']]);
  const client = openClient(suite, url);
  const names = Array.from({ length: 30 }, (_, n) => `job-${n}`);
  for (const name of names) await client.request('PUT', `/_understudy/sandboxes/${name}`);
  const held = await Promise.all(cells.map(({ url: own }) => listSandboxes(openClient(suite, own))));
  const read = (name: string) => client.request('GET', `/sandboxes/${name}/api/users/`);
  const answersOf = (those: readonly string[]) =>
    Promise.all(
      those.map(async (name) => {
        const { status, text, headers } = await read(name);
        const { 'content-type': type, 'retry-after': retryAfter, vary } = headers;
        return status === 200 ? 200 : { status, text, type, retryAfter, vary };
      }),
    );
  const allGood = (those: readonly string[]) => those.map(() => 200);
  const away = {
    status: 503,
    text: JSON.stringify(apiError('service_unavailable', 'the cell did not answer')),
    type: 'application/json',
    retryAfter: '1',
    vary: 'Accept',
  };

  const ways: [string, (cell: Serving) => Promise<unknown>][] = [
    ['stopped', (cell) => cell.end()],
    [
      'killed',
      async ({ child, ended }) => {
        child.kill('SIGKILL');
        await ended;
      },
    ],
    ['hanging', async ({ child }) => child.kill('SIGSTOP')],
  ];
  for (const [n, [way, leave]] of ways.entries())
    await suite.test(way, async (t) => {
      const cell = cells[n] as Serving;
      const own = held[n] as string[];
      const others = held.filter((_, other) => other !== n).flat();
      t.ok(own.length > 0 && others.length > 0);
      t.same(await answersOf(names), allGood(names));
      await leave(cell);
      // All at the same time, because a hanging cell could hold up the others.
      const [ofOwn, ofOthers] = await Promise.all([answersOf(own), answersOf([...others, ...others])]);
      t.same(
        ofOwn,
        own.map(() => away),
      );
      t.same(ofOthers, allGood([...others, ...others]));
      if (way === 'hanging') {
        cell.child.kill('SIGKILL');
        await once(cell.child, 'exit');
      }
      cells[n] = await serve(n);
      t.same(await answersOf(names), allGood(names), 'each sandbox answers again');
    });
});
