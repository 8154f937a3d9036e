// The schemas of answers about sandboxes, and how an operation on one sandbox is declared.
import { type Static, Type } from '@sinclair/typebox';
import { nullable, controlOperation } from '../http/operation.ts';

const text = Type.String();
const count = Type.Integer({ minimum: 0 });
const moment = Type.String({ format: 'date-time' });

const examples = { name: 'ci', snapshot: 'before', token: '0123456789abcdef', key: '0123abcd-1' };
export type SandboxPath = Readonly<typeof examples>;

/** An operation under a sandbox's path; 404 for an unknown name. */
export const ofSandbox: typeof controlOperation = (method, path, id, summary, handler, declared) => {
  const url = `sandboxes/:name${path}`;
  const params = Object.entries(examples).filter(([name]) => url.includes(`:${name}`));
  return controlOperation(method, url, id, summary, handler, {
    params: Type.Object(
      Object.fromEntries(params.map(([name, example]) => [name, Type.String({ examples: [example] })])),
    ),
    ...declared,
    errors: ['sandbox_not_found', ...(declared?.errors ?? [])],
  });
};

const sandbox = {
  name: text,
  base_url: Type.String({ format: 'uri', description: 'The base URL of the API, for clients.' }),
  seed: nullable(text),
  created: moment,
  expires: nullable(moment),
  expires_in_seconds: nullable(count),
  snapshots: Type.Array(text),
};
const user = { username: text, is_superuser: Type.Boolean() };

export const SandboxEntry = Type.Object(sandbox, { $id: 'Sandbox' });
/** A sandbox with more users and subscriptions has no undo: a copy would take long. */
export const maxUndoRows = 50_000;
const rows = Type.Integer({ minimum: 0, description: `Counted up to ${maxUndoRows + 1}.` });

export const SandboxDetail = Type.Object(
  {
    ...sandbox,
    user_count: rows,
    subscription_count: rows,
    clock: nullable(moment, { description: 'The time of a stopped clock. Null: the clock runs.' }),
    undo: nullable(moment, { description: 'When the content for an undo was kept.' }),
    users: Type.Array(Type.Object(user)),
  },
  { $id: 'SandboxDetail' },
);
export const UserToken = Type.Object({ ...user, token: text }, { $id: 'UserToken' });
export const TokenEntry = Type.Object(
  { id: Type.String({ description: 'The first 16 digits of the token’s SHA-256.' }), username: text, created: moment },
  { $id: 'Token' },
);
export const NewSandbox = Type.Object(
  {
    ...sandbox,
    token: nullable(text, { description: 'The token of the first superuser, else of the first user.' }),
    users: Type.Array(UserToken, { description: 'The first users. Their tokens are shown only here.' }),
  },
  { $id: 'NewSandbox' },
);

export const Clock = Type.Object({ now: nullable(moment, { description: 'Null: the clock runs.' }) }, { $id: 'Clock' });

export const SnapshotEntry = Type.Object({ name: text, created: moment, seed: nullable(text) }, { $id: 'Snapshot' });

const changes = Type.Object(
  {
    created: count,
    updated: count,
    unchanged: count,
    removed: count,
    ended_for: Type.Optional(
      Type.Array(text, {
        description: 'Only for the table `tokens`, with `check`, `keep_tokens` or `undo`: who loses a token.',
      }),
    ),
  },
  { $id: 'Changes' },
);
export const SeedSummary = Type.Record(text, changes, { $id: 'SeedSummary', description: 'Counts of rows, by table.' });

export type Sandbox = Static<typeof SandboxEntry>;
export type SandboxDetail = Static<typeof SandboxDetail>;
export type Clock = Static<typeof Clock>;
export type Snapshot = Static<typeof SnapshotEntry>;
export type TokenEntry = Static<typeof TokenEntry>;
export type UserToken = Static<typeof UserToken>;
export type NewSandbox = Static<typeof NewSandbox>;
export type SeedSummary = Static<typeof SeedSummary>;
