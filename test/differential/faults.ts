// Ten faults to plant in answers: what a run must find if it is worth anything.
import type { Received } from '../transcripts/engine/send-request.ts';

type Change = (received: Received) => Received;

const header =
  (name: string, change: (value: string) => string | undefined): Change =>
  (received) => {
    const value = received.headers[name]?.join(', ');
    const changed = value === undefined ? undefined : change(value);
    return { ...received, headers: { ...received.headers, [name]: changed === undefined ? undefined : [changed] } };
  };
const body =
  (pattern: RegExp, replacement: string): Change =>
  (received) => ({ ...received, body: received.body.replace(pattern, replacement) });

export const plantable: Readonly<Record<string, Change>> = {
  'a created row is answered 200': (received) => ({
    ...received,
    status: received.status === 201 ? 200 : received.status,
  }),
  'OPTIONS goes before HEAD in Allow': header('allow', (value) => value.replace('HEAD, OPTIONS', 'OPTIONS, HEAD')),
  'JSON has a charset': header('content-type', (value) => value.replace(/json$/u, 'json; charset=utf-8')),
  'no challenge': header('www-authenticate', () => undefined),
  'no Location': header('location', () => undefined),
  'the count is one too high': body(/(?<="count":)\d+/u, '999'),
  'an absent project is left out': body(/,"project":null/u, ''),
  'scope and frequency change places': body(/("scope":\d+),("frequency":\d+)/u, '$2,$1'),
  'lines of CSV end with a line feed': body(/\r\n/u, '\n'),
  'a deactivated user is shown as active': body(
    /(?<="username":"(?!anonymous|dave)[^"]*".*?)"is_active":false/u,
    '"is_active":true',
  ),
};
