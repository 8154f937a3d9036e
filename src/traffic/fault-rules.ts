// The schemas of fault rules, as clients send them and as they are listed.
import { type Static, Type } from '@sinclair/typebox';
import { across, must } from '../base/check-value.ts';
import { type ErrorLine, errorLine } from '../base/errors.ts';
import { type ConnectionFault, connectionFaults } from '../http/connection.ts';
import { requestLine, shorten } from '../base/request-line.ts';
import { invalid, rangesTo, RequestMatch } from './request-match.ts';

export const maxRules = 50;
/** Bytes of rules: their JSON, and `perRule` more for each. */
export const maxBytes = { ofSandbox: 262_144, inAll: 33_554_432, perRule: 1024 };
const maxHeaders = 50;
const longestDelayMs = 60_000;
const longestSeconds = 86_400;

const mostRequests = 1_000_000;

const integer = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description });
const milliseconds = rangesTo(longestDelayMs);

const ruleName = Type.String({
  pattern: '^[ -~]{1,100}$',
  description: 'Shown in X-Understudy-Fault; the rule’s number if left out.',
  [must]: 'have 1 to 100 printable ASCII characters',
});
const rule = Type.Partial(
  Type.Object({
    name: ruleName,
    match: RequestMatch,
    status: integer(200, 599, 'Answered in place of the request, which is not executed.'),
    body: Type.Unknown({
      description:
        'With a status: JSON, or a text that is sent as it is. From 400 on, the error of the status if left out.',
    }),
    connection: Type.Union(
      connectionFaults.map((kind) => Type.Literal(kind)),
      {
        description:
          '`close`: no answer, and the request is not executed; `cut`: the request is executed, and the connection breaks in the middle of the answer.',
      },
    ),
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
    delay_ms: Type.Union([milliseconds.end, milliseconds.range]),
    skip: integer(0, mostRequests, 'This many matching requests pass first.'),
    next: integer(1, mostRequests, 'Applies this many times; then it no longer matches.'),
  }),
).properties;

export const FaultRule = Type.Object(
  {
    ...rule,
    expires_in_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: longestSeconds, default: 300 })),
  },
  { $id: 'FaultRule', [across]: findContradictions },
);

export const FaultRules = Type.Object(
  {
    rules: Type.Array(FaultRule, {
      maxItems: maxRules,
      description: `As JSON, the rules of a sandbox have at most ${maxBytes.ofSandbox} bytes, those of all sandboxes ${maxBytes.inAll}; each rule counts ${maxBytes.perRule} more.`,
    }),
  },
  { $id: 'FaultRules' },
);

export const FaultInForce = Type.Object(
  {
    key: Type.String({ description: 'The service gives it, another one to each rule. `PUT` ends those of before.' }),
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

// Headers that say where an answer ends.
const framing = /^(?:content-length|trailer|transfer-encoding)$/i;

function findContradictions(given: Readonly<Record<string, unknown>>) {
  const { delay_ms: delay, status, connection, body, headers } = given;
  const unsendable = Object.keys(headers ?? {}).filter((name) => framing.test(name));
  const withoutStatus = errorLine('status', 'required', 'A body and headers need a status.');
  const lines: readonly (readonly [boolean, ErrorLine])[] = [
    [delay === undefined && status === undefined && connection === undefined, idleRule],
    [unsendable.length > 0, invalid('headers', `The service sets ${unsendable.join(' and ')} itself.`)],
    [status !== undefined && connection !== undefined, invalid('connection', 'Takes either status or connection.')],
    [status === undefined && (body !== undefined || headers !== undefined), withoutStatus],
  ];
  return lines.flatMap(([isWrong, line]) => (isWrong ? [line] : []));
}

const doneBy: Readonly<Record<ConnectionFault, string>> = { close: 'closed', cut: 'cut' };
const ordinals = ['next', 'second', 'third', 'fourth', 'fifth'];

/** In words: `429 on GET /api/**, the third one` */
export function describeFault({ status, connection, match = {}, skip = 0, next }: FaultInForce) {
  const effect = status ?? (connection ? `connection ${doneBy[connection]}` : 'delay');
  const ordinal = next === 1 ? ordinals[skip] : undefined;
  const usual = [skip > 0 && `, after the first ${skip}`, next && `, the next ${next}`];
  const conditions = ordinal === undefined ? usual : [`, the ${ordinal} one`];
  return [`${effect} on ${shorten(requestLine(match), 120)}`, ...conditions].filter(Boolean).join('');
}
