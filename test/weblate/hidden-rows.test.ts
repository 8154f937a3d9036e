// Every statement of the mirrored API, for callers who may not see a private project: its answer is the same with and
// without such a project, its component and subscriptions.
import { test } from 'tap';
import { applySeed } from '../../src/seeds/load/apply.ts';
import { parseSeed } from '../../src/seeds/format/read-seeds.ts';
import type { Service } from '../support/service.ts';
import { startService } from '../support/service.ts';
import { type Someone, statements } from './plan-statements.ts';

// Subscription 2 and the last of the list are hidden. The other ids are fixed, so that they are the same in both sandboxes.
const seedWith = (hidden: boolean) =>
  JSON.stringify({
    now: '2026-01-02T03:04:05Z',
    next_id: { users: 10, groups: 10, projects: 10, components: 10, subscriptions: 10 },
    projects: [{ id: 1, slug: 'demo' }, ...(hidden ? [{ id: 2, slug: 'secret', private: true }] : [])],
    components: [
      { id: 1, project: 'demo', slug: 'app' },
      ...(hidden ? [{ id: 2, project: 'secret', slug: 'part' }] : []),
    ],
    groups: [
      { id: 2, name: 'Editors', permissions: ['user.view', 'user.edit'] },
      { id: 3, name: 'Others' },
      { id: 4, name: 'Members', projects: hidden ? ['secret'] : [] },
    ],
    users: [
      { id: 1, username: 'u1', tokens: ['token-of-u1'], groups: ['Others'] },
      { id: 2, username: 'u2', tokens: ['token-of-u2'], groups: ['Editors'] },
      { id: 3, username: 'u3', tokens: ['token-of-u3'], groups: ['Editors', 'Members'] },
    ],
    subscriptions: [
      { id: 1, user: 'u1', notification: 'LockNotification', project: 'demo' },
      ...(hidden ? [{ id: 2, user: 'u1', notification: 'LockNotification', project: 'secret' }] : []),
      { id: 3, user: 'u1', notification: 'LockNotification', component: 'demo/app' },
      ...(hidden ? [{ id: 4, user: 'u1', notification: 'LockNotification', component: 'secret/part' }] : []),
    ],
  });

const others = new Set([
  // They serve pages, and have no caller.
  'findVisitor',
  'listSampleStates',
  'findSandbox',
  // A hidden subscription can be deleted (transcript detail__delete).
  'deleteEntry',
]);
const names = Object.keys(statements).filter((name) => !others.has(name)) as (keyof typeof statements)[];

async function addSandbox({ database }: Service, name: string, text: string): Promise<void> {
  const db = database.load;
  const { id } = await db.insertInto('understudy.sandboxes').values({ name }).returning('id').executeTakeFirstOrThrow();
  await db.insertInto('understudy.counters').values({ sandbox_id: id }).execute();
  await applySeed(db, { ...parseSeed({ text, file: 'hidden.json' }), sandboxId: id, mode: 'replace' });
}

/** The rows, or the error's code; whatever the statement writes is rolled back. */
async function ask({ database }: Service, name: keyof typeof statements, who: Someone): Promise<string> {
  const rollback = new Error('rolled back');
  let answer = '';
  const work = database.load.transaction().execute(async (transaction) => {
    answer = await statements[name](transaction, who).then(
      (rows) => JSON.stringify(rows, (key, value: unknown) => (key === 'sandbox_id' ? undefined : value)),
      (error: { code?: string }) => `${error.code}`,
    );
    throw rollback;
  });
  await work.catch((error: unknown) => {
    if (error !== rollback) throw error;
  });
  return answer;
}

await test('what a caller may not see changes no answer', async (t) => {
  const service = await startService(t, { seed: null });
  await addSandbox(service, 'less', seedWith(false));
  await addSandbox(service, 'more', seedWith(true));
  const callers: Omit<Someone, 'sandbox'>[] = [1, 2, 4].flatMap((entry) => [
    { user: 'u1', entry },
    { user: 'u2', about: 'u1', entry },
    { user: null, about: 'u1', entry },
  ]);
  let differing = 0;
  for (const name of names) {
    for (const caller of callers)
      t.equal(
        await ask(service, name, { ...caller, sandbox: 'more' }),
        await ask(service, name, { ...caller, sandbox: 'less' }),
        `${name} for ${caller.user} about ${caller.about}, entry ${caller.entry} (in src/weblate/ or src/access/queries.ts: isVisible)`,
      );
    const insider = { user: 'u3', about: 'u1', entry: 2 };
    const [more, less] = await Promise.all(
      ['more', 'less'].map((sandbox) => ask(service, name, { ...insider, sandbox })),
    );
    if (more !== less) differing++;
  }
  t.ok(differing > 5, 'the rows are there: the answers to a member of the group differ');
});
