// Reads and checks what clients send to the control API: JSON or YAML by the Content-Type, which
// http/control.ts has checked.
import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import { isSandboxName } from '../access/which-sandbox.ts';
import { across, checkValue, must } from '../base/check-value.ts';
import { durationPattern } from '../base/duration.ts';
import { ApiError, apiError, type ErrorLine, errorLine } from '../base/errors.ts';
import type { Call } from '../http/call.ts';
import { toTimestamp } from '../seeds/format/normalise.ts';
import { seedSchema } from '../seeds/format/seed-schema.ts';
import { readYaml } from '../seeds/yaml/thread.ts';
import { checkDepth, type NamedText } from '../seeds/yaml/yaml-text.ts';

export const defaultLifetimeSeconds = 86_400;

// Texts that scripts write for an unset variable, and names with another meaning.
const reserved = ['default', 'all', 'new', 'none', 'null', 'undefined', 'nan', 'true', 'false'];
const nameRule = 'has 1 to 63 characters of a-z, 0-9 and -, with no - at either end.';
// PostgreSQL rejects NUL.
const pattern = '^[^\\u0000]+$';

export const Seed = Type.Object(seedSchema.properties, {
  $id: 'Seed',
  description: 'What a sandbox holds, as in a seed file.',
});
export type Seed = Static<typeof Seed>;
// Only a reference for the OpenAPI document: the seed is checked as text, so that errors name lines.
const anySeed = Type.Object({}, { $ref: 'Seed' });

export const NewSandboxFields = Type.Partial(
  Type.Object({
    from: Type.String({
      pattern,
      description: 'A shipped seed, or a sandbox. Default: what the sandbox `default` resets to.',
      [must]: 'be the name of a shipped seed or of a sandbox',
    }),
    seed: Type.Union([anySeed, Type.String({ description: 'The text of a seed, YAML or JSON.' })], {
      [must]: 'be a seed: an object, or its text',
    }),
    expires_in_seconds: Type.Integer({
      minimum: 60,
      maximum: 2_592_000,
      default: defaultLifetimeSeconds,
      description: 'The lifetime, which restarts with each use.',
    }),
  }),
  {
    $id: 'SandboxRequest',
    [across]: ({ from, seed }) =>
      from === undefined || seed === undefined ? [] : [errorLine('seed', 'invalid', "Can't be combined with from.")],
  },
);

const flag = (description: string) =>
  Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')], { description, [must]: 'be true or false' }));
const undo = flag('Keeps the former content for an undo within an hour.');

export const UndoQuery = Type.Object({ undo });
export const LoadQuery = Type.Object({
  check: flag('Answers what would change, and changes nothing.'),
  keep_tokens: flag('Users without a token in the seed keep their tokens.'),
  undo,
});
export const PutQuery = Type.Object({
  replace: flag('False: an existing sandbox stays, and the response is 400.'),
});
/** The flags of a query. */
export type Asked<Q extends TObject> = { readonly [F in keyof Static<Q>]?: boolean };
export type LoadWays = Asked<typeof LoadQuery>;

/** @throws ApiError 400 for an unknown flag or value */
export const readFlags = <Q extends TObject>(schema: Q, query: unknown) =>
  Object.fromEntries(
    Object.entries(checkValue(schema, query)).map(([name, value]) => [name, value === 'true']),
  ) as Asked<Q>;

export const TokenFields = Type.Object(
  { username: Type.String({ pattern, [must]: 'be a username' }) },
  { $id: 'TokenRequest' },
);

const mustBeMoment = 'be null or a moment of the years 1 to 9999, such as 2026-01-02T03:04:05Z';
export const noMoment = errorLine('now', 'invalid', `Must ${mustBeMoment}.`);

export const ClockFields = Type.Object(
  { now: Type.Union([Type.String(), Type.Null()], { [must]: mustBeMoment }) },
  {
    $id: 'ClockRequest',
    [across]: ({ now }) => (typeof now === 'string' && toTimestamp(now) === undefined ? [noMoment] : []),
  },
);
export const AdvanceFields = Type.Object(
  { by: Type.String({ pattern: durationPattern, [must]: 'be a duration, such as 90s, 30m, 1h or 2d' }) },
  { $id: 'AdvanceRequest' },
);

export interface SandboxRequest extends Omit<Static<typeof NewSandboxFields>, 'seed'> {
  readonly seed?: NamedText;
  readonly expires_in_seconds: number;
}

/** @param text the text of the body @throws ApiError 400 */
export function readSandboxRequest(body: unknown, text = JSON.stringify(body)): SandboxRequest {
  const { seed, ...request } = {
    expires_in_seconds: defaultLifetimeSeconds,
    ...checkValue(NewSandboxFields, body ?? {}),
  };
  if (seed === undefined) return request;
  const file = 'inline';
  return { ...request, seed: typeof seed === 'string' ? { text: seed, file } : { text, file, at: ['seed'] } };
}

/** Why a new sandbox can't have the name, if so. */
export function findNameErrors(name: string, shippedSeeds: readonly string[]): ErrorLine[] {
  if (!isSandboxName(name)) return [errorLine('name', 'invalid', `A name ${nameRule}`)];
  const use = shippedSeeds.includes(name) ? 'that of a seed that ships' : reserved.includes(name) && 'reserved';
  return use ? [errorLine('name', 'reserved', `The name ${name} is ${use}.`)] : [];
}

export const takenName = errorLine('name', 'unique', 'There is a sandbox of this name.');
export const badSnapshot = errorLine('snapshot', 'invalid', `A snapshot's name ${nameRule}`);

type Sent = Call<{ readonly name?: string }>;

const isJson = ({ contentType = '' }: Sent) => /^application\/json\s*(?:;|$)/i.test(contentType);

function refuse(call: Sent, error: unknown): never {
  throw apiError(isJson(call) ? 'json_invalid' : 'yaml_invalid', (error as Error).message);
}

/** Undefined for an empty body. @throws ApiError 400 unless it is UTF-8 */
export function readText(call: Sent): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(call.body) || undefined;
  } catch (error) {
    return refuse(call, error);
  }
}

/** Undefined for an empty body. @throws ApiError 400 unless it can be parsed */
export async function readValue(call: Sent) {
  const text = readText(call);
  if (text === undefined) return undefined;
  try {
    if (!isJson(call)) return await readYaml(text, { sandbox: call.params.name ?? '', left: call.left });
    const value: unknown = JSON.parse(text);
    checkDepth(value);
    return value;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    return refuse(call, error);
  }
}

/** @throws ApiError 400 with all errors of the body */
export const readControlBody = async <S extends TSchema>(schema: S, call: Sent): Promise<Static<S>> =>
  checkValue(schema, await readValue(call));
