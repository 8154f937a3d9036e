// The form of transcripts: recorded requests with their answers, and deliberate differences.
import { Type } from '@sinclair/typebox';
import type { Static, TSchema } from '@sinclair/typebox';
import type { Json } from './raw-json.ts';

const status = Type.Integer({ minimum: 100, maximum: 599 });
const strict = { additionalProperties: false };
const anyJson = Type.Unsafe<Json>(Type.Unknown());
const headerValue = Type.String({ pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$' });
const headers = Type.Record(Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" }), headerValue, strict);

const requestSchema = Type.Object(
  {
    method: Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" }),
    path: Type.String({ pattern: '^/[\\x21-\\x7e]*$' }),
    as: Type.Optional(Type.String({ minLength: 1, description: 'the user whose token is sent' })),
    headers: Type.Optional(headers),
    json: Type.Optional(anyJson),
    form: Type.Optional(Type.Unsafe<Record<string, Json>>(Type.Record(Type.String(), Type.Unknown()))),
    multipart: Type.Optional(Type.Record(Type.String(), Type.String())),
    raw: Type.Optional(Type.String()),
  },
  strict,
);

const responseSchema = Type.Object(
  {
    status,
    headers,
    body: Type.Optional(anyJson),
    html: Type.Optional(Type.Literal(true)),
    text: Type.Optional(Type.String()),
  },
  strict,
);

const stepSchema = Type.Object({ request: requestSchema, response: responseSchema }, strict);

export const scenarioSchema = Type.Object(
  { scenario: Type.String({ minLength: 1 }), steps: Type.Array(stepSchema) },
  strict,
);

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** What replaces parts of a step's recorded answer. */
const differenceSchema = Type.Object(
  {
    status: Type.Optional(status),
    body: Type.Optional(anyJson),
    html: Type.Optional(nullable(Type.Literal(true))),
    headers: Type.Optional(Type.Record(Type.String(), nullable(headerValue))),
    detail_prefix: Type.Optional(Type.String()),
    unordered: Type.Optional(Type.Array(Type.String())),
    added_keys: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String(), { minItems: 1 }))),
    emptied: Type.Optional(Type.Array(Type.String())),
    skip: Type.Optional(Type.String()),
    why: Type.Optional(Type.String()),
  },
  strict,
);

export const differencesSchema = Type.Object(
  { '*': Type.Optional(differenceSchema) },
  { additionalProperties: Type.Record(Type.String(), differenceSchema) },
);

/** The part of a seed that a replay needs: the users' tokens. */
export const seedTokensSchema = Type.Object({
  users: Type.Array(Type.Object({ username: Type.String(), token: Type.Optional(nullable(Type.String())) })),
});

export type TranscriptRequest = Static<typeof requestSchema>;
export type TranscriptResponse = Static<typeof responseSchema>;
export interface Step extends Static<typeof stepSchema> {
  /** Such as `GET /api/users/alice/ as alice`; unique in its scenario. */
  title: string;
}
export type Difference = Static<typeof differenceSchema>;

export interface Scenario {
  file: string;
  name: string;
  steps: Step[];
}

export interface Differences {
  readonly everywhere: Difference;
  /** By scenario and title of the step. */
  readonly steps: Readonly<Record<string, Readonly<Record<string, Difference>>>>;
}

export const noDifferences: Differences = { everywhere: {}, steps: {} };

const longestTitle = 160;

/** Titles the requests of one scenario by what is sent. Equal titles get a number from the second on. */
export function titleSteps(steps: readonly Static<typeof stepSchema>[]): Step[] {
  const counts = new Map<string, number>();
  return steps.map((step) => {
    const whole = describeRequest(step.request);
    const text = whole.length <= longestTitle ? whole : `${whole.slice(0, longestTitle)}…`;
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return { ...step, title: count === 1 ? text : `${text} (${count})` };
  });
}

function describeRequest({ method, path, as, headers: own = {}, ...body }: TranscriptRequest): string {
  const who = as === undefined ? [] : [`as ${as}`];
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}`);
  const sent = Object.entries(body).map(([kind, value]) => `${kind} ${JSON.stringify(value)}`);
  return [method, path, ...who, ...lines, ...sent].join(' ');
}
