// A job, as one test or one build does it: make a place with the rows of `seed`, list 16 times and write 4 times there, and drop the
// place. Every way to make such a place gets the same job. Each answer is checked, so that no way is fast because it fails.
import { notificationNames } from '../../src/model/notifications.ts';

/** The notifications of each user's subscriptions, and one that no subscription has. */
export const [taken, free] = [notificationNames.slice(0, 12), notificationNames[12] as string];

/** Ten users, each with twelve subscriptions and a token. */
export const seed = {
  users: Array.from({ length: 10 }, (_, n) => ({
    username: `user${n}`,
    token: `bench_token_${n}`,
    subscriptions: [{ notifications: taken, scope: 'watched' }],
  })),
};

/** The rows of one job, which no other job sees. Users are numbers from 0 to 9. */
export interface Place {
  /** Returns how many entries the user has. */
  list(user: number): Promise<number>;
  /** Adds a subscription to `free`, and returns the subscription's id. */
  create(user: number): Promise<number>;
  change(user: number, id: number): Promise<unknown>;
  remove(user: number, id: number): Promise<unknown>;
  drop(): Promise<unknown>;
}

export interface Way {
  readonly name: string;
  /** @param job a number that no other job of the run has */
  make(job: number): Promise<Place>;
}

export async function doJob(way: Way, job: number): Promise<void> {
  const place = await way.make(job);
  const list = async (user: number, expected: number): Promise<void> => {
    const count = await place.list(user);
    if (count !== expected) throw new Error(`${way.name}: user ${user} has ${count} entries instead of ${expected}`);
  };
  try {
    let id = 0;
    const writes = [
      { user: 0, left: taken.length + 1, write: async () => void (id = await place.create(0)) },
      { user: 0, left: taken.length + 1, write: () => place.change(0, id) },
      { user: 2, left: taken.length + 1, write: async () => void (id = await place.create(2)) },
      { user: 2, left: taken.length, write: () => place.remove(2, id) },
    ];
    for (const [n, { user, left, write }] of writes.entries()) {
      for (const other of [3, 5, 6]) await list(other + (n % 2), taken.length);
      await write();
      await list(user, left);
    }
  } finally {
    await place.drop();
  }
}
