// What a transcript is: recorded requests with their answers, and where an answer is meant to differ.
// The schemas are the source of the types.
import { Type } from '@sinclair/typebox';
import type { Static, TSchema } from '@sinclair/typebox';
import type { Json } from './raw-json.ts';

const status = Type.Integer({ minimum: 100, maximum: 599 });
const strict = { additionalProperties: false };
const anyJson = Type.Unsafe<Json>(Type.Unknown());
const headerValue = Type.String({ pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$' });
const headers = Type.Record(Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" }), headerValue, strict);

/** A request. At most one of json, form, multipart and raw; the path is sent byte for byte. */
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

/** An answer. Exactly one of body (null: empty), html (true: a page) and text; only some headers were kept. */
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

/** What is expected of a step instead of what was recorded. */
const differenceSchema = Type.Object(
  {
    status: Type.Optional(status),
    body: Type.Optional(anyJson),
    html: Type.Optional(nullable(Type.Literal(true))),
    headers: Type.Optional(Type.Record(Type.String(), nullable(headerValue))),
    detail_prefix: Type.Optional(Type.String()),
    unordered: Type.Optional(Type.Array(Type.String())),
    skip: Type.Optional(Type.String()),
    why: Type.Optional(Type.String()),
  },
  strict,
);

const stepDifferencesSchema = Type.Record(Type.String({ pattern: '^(0|[1-9][0-9]*)$' }), differenceSchema, strict);

/** differences.json: what holds everywhere (`*`), and per scenario and step. */
export const differencesSchema = Type.Object(
  { '*': Type.Optional(differenceSchema) },
  { additionalProperties: stepDifferencesSchema },
);

/** The slice of a seed that a replay needs: whose token is which. */
export const seedTokensSchema = Type.Object({
  users: Type.Array(Type.Object({ username: Type.String(), token: Type.Optional(nullable(Type.String())) })),
});

export type TranscriptRequest = Static<typeof requestSchema>;
export type TranscriptResponse = Static<typeof responseSchema>;
export type Step = Static<typeof stepSchema>;
export type Difference = Static<typeof differenceSchema>;

export interface Scenario {
  /** The file's name inside its folder. */
  file: string;
  /** Such as `create/duplicate`. */
  name: string;
  steps: Step[];
}

export interface Differences {
  readonly everywhere: Difference;
  /** By scenario and number of the step. */
  readonly steps: Readonly<Record<string, Readonly<Record<string, Difference>>>>;
}

export const noDifferences: Differences = { everywhere: {}, steps: {} };

/** `create/duplicate step 1: POST /api/… as alice`, as messages name a step. */
export function describeStep(scenario: string, step: number, request: TranscriptRequest): string {
  const who = request.as === undefined ? '' : ` as ${request.as}`;
  return `${scenario} step ${step}: ${request.method} ${request.path}${who}`;
}
