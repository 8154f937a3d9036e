// What our own API takes and answers, for its document. The bodies are checked by seeding/sandboxes-body.ts and faults-schema.ts; a
// test holds the answers to these.
import { type TSchema, Type } from '@sinclair/typebox';
import { seedSchema } from '../seed/seed-schema.ts';
import { maxPatternLength } from '../traffic/path-pattern.ts';

const text = Type.String();
const moment = Type.String({ format: 'date-time' });
const count = Type.Integer({ minimum: 0 });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const some = <T extends TSchema>(schema: T) => Type.Optional(schema);

const sandbox = {
  name: text,
  base_url: Type.String({ format: 'uri', description: 'What clients take for the base of the API.' }),
  seed: orNull(text),
  created: moment,
  expires: orNull(moment),
  expires_in_seconds: orNull(count),
  snapshots: Type.Array(text),
};
const user = { username: text, is_superuser: Type.Boolean() };

export const Sandbox = Type.Object(sandbox, { $id: 'Sandbox' });
export const SandboxDetail = Type.Object(
  { ...sandbox, users: Type.Array(Type.Object(user)) },
  { $id: 'SandboxDetail' },
);
export const UserToken = Type.Object({ ...user, token: text }, { $id: 'UserToken' });
export const NewSandbox = Type.Object(
  { ...sandbox, token: orNull(text), users: Type.Array(UserToken) },
  { $id: 'NewSandbox' },
);

export const Seed = Type.Object(seedSchema.properties, { $id: 'Seed', description: 'docs/seeds.md says more of it.' });

export const SandboxRequest = Type.Object(
  {
    from: some(
      Type.String({ description: 'A seed that ships, or another sandbox. What `default` began with if left out.' }),
    ),
    seed: some(Type.Union([Seed, Type.String({ description: 'The text of a seed, YAML or JSON.' })])),
    expires_in_seconds: some(
      Type.Integer({ minimum: 60, maximum: 2_592_000, default: 86_400, description: 'Counted anew with each use.' }),
    ),
  },
  { $id: 'SandboxRequest' },
);

const changes = Type.Object({ created: count, updated: count, unchanged: count, removed: count }, { $id: 'Changes' });
export const SeedSummary = Type.Record(text, changes, { $id: 'SeedSummary', description: 'Rows by table.' });
export const TokenRequest = Type.Object({ username: text }, { $id: 'TokenRequest' });

const milliseconds = Type.Integer({ minimum: 0, maximum: 60_000 });
const range = Type.Object({ min: milliseconds, max: milliseconds });
const rule = {
  name: some(
    Type.String({ maxLength: 100, description: 'Shown in X-Understudy-Fault; the rule’s number if left out.' }),
  ),
  method: some(text),
  path: some(
    Type.String({
      maxLength: maxPatternLength,
      description: 'Under the base; `*` stands for one part of it, `**` for any.',
    }),
  ),
  user: some(Type.String({ description: 'Whose token the request carries.' })),
  status: some(Type.Integer({ minimum: 200, maximum: 599 })),
  body: some(Type.Unknown({ description: 'With a status: JSON, or a text that is sent as it is.' })),
  headers: some(Type.Record(text, text)),
  connection: some(Type.Union([Type.Literal('close'), Type.Literal('cut')])),
  next: some(Type.Integer({ minimum: 1, description: 'Strikes so many times.' })),
  share: some(Type.Number({ exclusiveMinimum: 0, maximum: 1, description: 'Strikes this share of the requests.' })),
};

export const FaultRules = Type.Object(
  {
    rules: Type.Array(
      Type.Object(
        {
          ...rule,
          delay_ms: some(Type.Union([milliseconds, range])),
          expires_in_seconds: some(Type.Integer({ minimum: 1, maximum: 86_400, default: 300 })),
        },
        { $id: 'FaultRule' },
      ),
      { maxItems: 50 },
    ),
    seed: some(Type.Integer({ default: 1, description: 'Of what `share` and delays are drawn with.' })),
  },
  { $id: 'FaultRules' },
);
export const FaultsInForce = Type.Array(
  Type.Object({ ...rule, delay_ms: some(range), struck: count, expires: moment }, { $id: 'FaultInForce' }),
);

export const JournalEntry = Type.Object(
  {
    at: moment,
    method: text,
    path: text,
    query: text,
    status: Type.Integer({ description: '0 where the connection was closed instead.' }),
    duration_ms: Type.Number({ minimum: 0 }),
    principal: orNull(text),
    unmatched: Type.Boolean({ description: 'Whether no such path is served.' }),
    fault: orNull(text),
    request_body: orNull(text),
    response_body: orNull(text),
  },
  { $id: 'JournalEntry' },
);

export const JournalQuery = Type.Object({
  method: some(text),
  path: some(Type.String({ maxLength: maxPatternLength, description: '`*` stands for one part of it, `**` for any.' })),
  query: some(Type.String({ description: 'A part of the query.' })),
  status: some(Type.String({ description: '`404`, or `4xx`.', pattern: '^[0-9xX]{3}$' })),
  principal: some(Type.String({ description: 'Whose token the request carried.' })),
  unmatched: some(Type.Union([Type.Literal('true'), Type.Literal('false')])),
  fault: some(Type.String({ description: 'The rule that struck.' })),
  limit: some(Type.String({ description: 'Of many the last so many.', pattern: '^[0-9]{1,5}$' })),
});

export const SeedQuery = Type.Object({ format: some(Type.Union([Type.Literal('yaml'), Type.Literal('json')])) });
export const Health = Type.Object({ status: text, version: text }, { $id: 'Health' });
