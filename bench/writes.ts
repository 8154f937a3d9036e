// Measures create, change and delete: the service beside a plain program that sends plain statements, on tables with the same columns.
import { assertSameAnswer } from './check.ts';
import type { BenchServer } from './databases.ts';
import { copyPlain, fillDatabase, freePairs, requestOf, subscriptionIdOf, subscriptionsEach } from './fill.ts';
import { launchPlain, launchService, type Running } from './launch.ts';
import type { LoadRequest } from './load.ts';
import type { Options } from './options.ts';
import { printTable, say, whole } from './report.ts';
import { type Subject, takeTurns } from './rounds.ts';

// Enough that no row is deleted twice, even in rounds of ten seconds.
const users = 120_000;
// More than any of these programs serves in a second.
const mostASecond = 20_000;
// Large, so that consecutive requests don't write neighbouring rows, and coprime to `users`, so that every user gets a turn.
const stride = 7919;
const userOf = (n: number) => 1 + ((n * stride) % users);

interface Kind {
  readonly name: string;
  readonly status: number;
  /** The number of different requests; undefined if requests may be sent again. */
  readonly limit: number | undefined;
  readonly request: (n: number) => LoadRequest;
}

// In this order, because a deleted row can't be changed.
const kinds: readonly Kind[] = [
  {
    name: 'Change',
    status: 200,
    limit: undefined,
    request: (n) => {
      const user = 1 + Math.floor(Math.random() * users);
      return requestOf('PATCH', user, subscriptionIdOf(user, n % subscriptionsEach), { frequency: n % 5 });
    },
  },
  {
    name: 'Create',
    status: 201,
    limit: users * freePairs.length,
    request: (n) => requestOf('POST', userOf(n), undefined, { ...freePairs[Math.floor(n / users)], frequency: 1 }),
  },
  {
    name: 'Delete',
    status: 204,
    limit: users * subscriptionsEach,
    request: (n) => requestOf('DELETE', userOf(n), subscriptionIdOf(userOf(n), Math.floor(n / users))),
  },
];

export async function benchWrites(server: BenchServer, options: Options): Promise<void> {
  await using undo = new AsyncDisposableStack();
  say(`writes: filling a database with ${whole(users)} users`);
  const url = await server.createDatabase('writes');
  await fillDatabase(url, users);
  await copyPlain(url, users);
  const plain = undo.use(await launchPlain('pipelined', url));
  const service = undo.use(await launchService(url));
  for (const kind of kinds) {
    await assertSameAnswer([plain.url, service.url], kind.request(0), kind.status);
    const subjects = [subjectOf('pipelined', plain, kind, options), subjectOf('service', service, kind, options)];
    const results = await takeTurns(kind.name.toLowerCase(), subjects, options, [1, 32]);
    printTable(`${kind.name}, ${whole(users)} users`, results, subjects.slice(0, 1));
  }
}

function subjectOf(name: string, { url }: Running, kind: Kind, { seconds }: Options): Subject {
  // The check has sent the first request.
  let sent = 1;
  return {
    name,
    url,
    next: () => {
      const length = Math.min(mostASecond * seconds, (kind.limit ?? Infinity) - sent);
      if (length < 1)
        throw new Error(`all ${whole(sent)} rows to ${kind.name.toLowerCase()} are used up; use fewer --seconds`);
      return {
        requests: Array.from({ length }, (_, i) => kind.request(sent + i)),
        once: kind.limit !== undefined,
        sent: (used) => void (sent += used),
      };
    },
  };
}
