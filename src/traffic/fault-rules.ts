// The schemas of fault rules, as clients send them and as they are listed.
import { type Static, Type } from '@sinclair/typebox';
import { across, must } from '../base/check-value.ts';
import { type ErrorLine, errorLine } from '../base/errors.ts';
import { type ConnectionFault, connectionFaults } from '../http/connection.ts';
import { requestLine, shorten } from '../base/request-line.ts';
import { invalid, rangesTo, RequestMatch } from './request-match.ts';

export const maxRules = 50;
/** The most bytes of rules: of their JSON, plus `perRule` for each rule. */
export const maxBytes = { ofSandbox: 262_144, inAll: 33_554_432, perRule: 1024 };
const maxHeaders = 50;
const mostRequests = 1_000_000;

const integer = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description });
const { end, range } = rangesTo(60_000);

const ruleName = Type.String({
  pattern: '^[ -~]{1,100}$',
  description: 'The value of X-Understudy-Fault. By default the rule’s number.',
  [must]: 'have 1 to 100 printable ASCII characters',
});
const rule = Type.Partial(
  Type.Object({
    name: ruleName,
    match: RequestMatch,
    status: integer(200, 599, 'The status of the answer. The request is not executed.'),
    body: Type.Unknown({
      description: 'With `status`: JSON, or a text to send as it is. Default from status 400 on: Weblate’s error.',
    }),
    connection: Type.Union(
      connectionFaults.map((kind) => Type.Literal(kind)),
      { description: '`close` ends the connection before the request is executed, `cut` amid the answer.' },
    ),
    headers: Type.Record(
      Type.String({ pattern: '^[A-Za-z0-9-]+$' }),
      Type.Union([Type.String({ pattern: '^[ -~]*$' }), Type.Number()]),
      {
        additionalProperties: false,
        maxProperties: maxHeaders,
        description: 'With `status`: headers of the answer.',
        [must]: `map at most ${maxHeaders} names of headers to ASCII values or numbers`,
      },
    ),
    delay_ms: Type.Union([end, range]),
    skip: integer(0, mostRequests, 'How many matching requests pass first.'),
    next: integer(1, mostRequests, 'How many times the rule applies before it ends.'),
  }),
).properties;

export const FaultRule = Type.Object(
  {
    ...rule,
    expires_in_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400, default: 300 })),
  },
  { $id: 'FaultRule', [across]: findContradictions },
);

export const FaultRules = Type.Object(
  {
    rules: Type.Array(FaultRule, {
      maxItems: maxRules,
      description: `At most ${maxBytes.ofSandbox} bytes of JSON, ${maxBytes.inAll} in all sandboxes. Each rule counts ${maxBytes.perRule} more.`,
    }),
  },
  { $id: 'FaultRules' },
);

export const FaultInForce = Type.Object(
  {
    key: Type.String({ description: 'Given by the service, and unique. `PUT` gives new keys.' }),
    ...rule,
    name: ruleName,
    skipped: Type.Integer({ minimum: 0, description: 'How many requests `skip` has let pass.' }),
    struck: Type.Integer({ minimum: 0 }),
    expires: Type.String({ format: 'date-time' }),
  },
  { $id: 'FaultInForce' },
);

export type FaultRule = Static<typeof FaultRule>;
export type FaultInForce = Static<typeof FaultInForce>;

export const idleRule = errorLine(null, 'invalid', 'Does nothing: it needs delay_ms, status or connection.');

// The headers that tell where an answer ends.
const framing = /^(?:content-length|trailer|transfer-encoding)$/i;

function findContradictions(given: Readonly<Record<string, unknown>>) {
  const { delay_ms: delay, status, connection, body, headers } = given;
  const unsendable = Object.keys(headers ?? {}).filter((name) => framing.test(name));
  const withoutStatus = errorLine('status', 'required', 'A body and headers need a status.');
  const lines: readonly (readonly [boolean, ErrorLine])[] = [
    [delay === undefined && status === undefined && connection === undefined, idleRule],
    [unsendable.length > 0, invalid('headers', `The service sets ${unsendable.join(' and ')} itself.`)],
    [status !== undefined && connection !== undefined, invalid('connection', "Can't be combined with status.")],
    [status === undefined && (body !== undefined || headers !== undefined), withoutStatus],
  ];
  return lines.flatMap(([isWrong, line]) => (isWrong ? [line] : []));
}

const doneBy: Readonly<Record<ConnectionFault, string>> = { close: 'closed', cut: 'cut' };
const ordinals = ['next', 'second', 'third', 'fourth', 'fifth'];

/** The rule in words: `429 on GET /api/**, the third one` */
export function describeFault({ status, connection, match = {}, skip = 0, next }: FaultInForce) {
  const effect = status ?? (connection ? `connection ${doneBy[connection]}` : 'delay');
  const ordinal = next === 1 ? ordinals[skip] : undefined;
  const usual = [skip > 0 && `, after the first ${skip}`, next && `, the next ${next}`];
  const conditions = ordinal === undefined ? usual : [`, the ${ordinal} one`];
  return [`${effect} on ${shorten(requestLine(match), 120)}`, ...conditions].filter(Boolean).join('');
}
