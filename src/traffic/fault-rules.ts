// The schemas of fault rules, as clients send them and as they are listed.
import { type Static, Type } from '@sinclair/typebox';
import { across, must } from '../http/body/check-value.ts';
import { type ErrorLine, errorLine } from '../base/errors.ts';
import { invalid, isEmptyRange, RequestMatch } from './request-match.ts';

const maxRules = 50;
/** Bytes of rules: their JSON, and `perRule` besides. */
export const maxBytes = { ofSandbox: 262_144, inAll: 33_554_432, perRule: 1024 };
const maxHeaders = 50;
const longestDelayMs = 60_000;
const longestSeconds = 86_400;

const integer = (minimum: number, maximum: number, what: string, options = {}) =>
  Type.Integer({ minimum, maximum, [must]: `be ${what} from ${minimum} to ${maximum}`, ...options });

const countOf = (least: number, description: string) =>
  integer(least, 1_000_000, 'a number of requests', { description });

const milliseconds = Type.Integer({ minimum: 0, maximum: longestDelayMs });
const range = Type.Object({ min: milliseconds, max: milliseconds }, { additionalProperties: false });
const mustBeDelay = `be milliseconds from 0 to ${longestDelayMs}, or a range {min, max}`;

const ruleName = Type.String({
  pattern: '^[ -~]{1,100}$',
  description: 'Shown in X-Understudy-Fault; the rule’s number if left out.',
  [must]: 'have 1 to 100 printable ASCII characters',
});
const rule = Type.Partial(
  Type.Object({
    name: ruleName,
    match: RequestMatch,
    status: integer(200, 599, 'a status', { description: 'Answered in place of the request, which is not executed.' }),
    body: Type.Unknown({
      description:
        'With a status: JSON, or a text that is sent as it is. From 400 on, the error of the status if left out.',
    }),
    connection: Type.Union([Type.Literal('close'), Type.Literal('cut')], {
      description:
        '`close`: no answer, and the request is not executed; `cut`: the request is executed, and the connection breaks in the middle of the answer.',
      [must]: 'be close or cut',
    }),
    headers: Type.Record(
      Type.String({ pattern: '^[A-Za-z0-9-]+$' }),
      Type.Union([Type.String({ pattern: '^[ -~]*$' }), Type.Number()]),
      {
        additionalProperties: false,
        maxProperties: maxHeaders,
        description: 'With a status.',
        [must]: `map at most ${maxHeaders} names of headers to ASCII values or numbers`,
      },
    ),
    delay_ms: Type.Union([milliseconds, range], { [must]: mustBeDelay }),
    skip: countOf(0, 'So many that match pass first.'),
    next: countOf(1, 'Strikes so many times; then it no longer matches.'),
  }),
).properties;

const FaultRule = Type.Object(
  { ...rule, expires_in_seconds: Type.Optional(integer(1, longestSeconds, 'seconds', { default: 300 })) },
  { $id: 'FaultRule', [across]: findContradictions },
);

export const FaultRules = Type.Object(
  {
    rules: Type.Array(FaultRule, {
      maxItems: maxRules,
      description: `As JSON, the rules of a sandbox have at most ${maxBytes.ofSandbox} bytes, those of all sandboxes ${maxBytes.inAll}; each rule counts ${maxBytes.perRule} more.`,
      [must]: `be a list of at most ${maxRules} rules`,
    }),
  },
  { $id: 'FaultRules' },
);

export const FaultInForce = Type.Object(
  {
    ...rule,
    name: ruleName,
    skipped: Type.Integer({ minimum: 0, description: 'How many passed by `skip`.' }),
    struck: Type.Integer({ minimum: 0 }),
    expires: Type.String({ format: 'date-time' }),
  },
  { $id: 'FaultInForce' },
);

export type FaultRule = Static<typeof FaultRule>;
export type FaultRules = Static<typeof FaultRules>;
export type FaultInForce = Static<typeof FaultInForce>;

export const idleRule = errorLine(null, 'invalid', 'Does nothing: it needs delay_ms, status or connection.');

// They say where an answer ends.
const framing = /^(?:content-length|trailer|transfer-encoding)$/i;

function findContradictions(given: Readonly<Record<string, unknown>>): ErrorLine[] {
  const { delay_ms: delay, status, connection, body, headers } = given;
  const unsendable = Object.keys(headers ?? {}).filter((name) => framing.test(name));
  const withoutStatus = errorLine('status', 'required', 'A body and headers need a status.');
  const lines: readonly (readonly [boolean, ErrorLine])[] = [
    [delay === undefined && status === undefined && connection === undefined, idleRule],
    [unsendable.length > 0, invalid('headers', `The service sets ${unsendable.join(' and ')} itself.`)],
    [isEmptyRange(delay), invalid('delay_ms', `Must ${mustBeDelay}.`)],
    [status !== undefined && connection !== undefined, invalid('connection', 'Takes either status or connection.')],
    [status === undefined && (body !== undefined || headers !== undefined), withoutStatus],
  ];
  return lines.flatMap(([isWrong, line]) => (isWrong ? [line] : []));
}
