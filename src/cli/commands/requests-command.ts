// The command `requests`. The service finds the requests and writes the report.
import { readDuration } from '../../base/duration.ts';
import { attempt } from '../../base/failure.ts';
import { mostKept } from '../../package/client/requests.ts';
import { jsonBody, pathOf } from '../../package/client/transport.ts';
import type { RequestsExpected, RequestTimes } from '../../package/client/wire-types.ts';
import { defineCommand } from '../command.ts';
import { exits, flag, readCount, UsageError, valued, type Values } from '../usage.ts';
import { clientOptions, openRunning } from '../sessions/open-client.ts';

const options = {
  method: { ...valued('METHOD', 'in upper or lower case; repeated: any of these'), multiple: true },
  path: valued('PATTERN', 'without the base URL; * is a segment or a part of one, ** any number of segments'),
  user: valued('USERNAME', 'with the token of this user'),
  anonymous: flag('without a token'),
  query: { ...valued('KEY=VALUE', 'with this decoded value in the query; repeated: all of these'), multiple: true },
  body: valued('JSON', 'with this part in the body: an object may have more keys'),
  status: valued('STATUS', 'of the response: 404, or 4xx'),
  unmatched: flag("to a path that isn't served"),
  since: valued('ID', 'only requests after the one with this id'),
  limit: valued('N', 'only the last N'),
  json: flag("the service's answer as JSON"),
  expect: flag('fail unless there is such a request; a failure prints the nearest ones'),
  times: valued('N', 'fail unless this many fit: N, MIN..MAX, MIN.. or ..MAX'),
  within: valued('TIME', 'how long to wait, such as 500ms; at most 60s'),
  clear: flag('empty the journal'),
  ...clientOptions,
} as const;
type RequestsValues = Values<typeof options>;

export const command = defineCommand({
  name: 'requests',
  summary: 'show the requests that a sandbox received, and assert them',
  forms: [
    'weblate-understudy requests [NAME] [FILTERS] [--limit N] [--json]',
    'weblate-understudy requests [NAME] [FILTERS] --expect | --times N [--within 5s]',
    'weblate-understudy requests [NAME] --clear',
  ],
  about: `Prints the last requests that a sandbox (default: \`default\`) received, oldest
first. The options from --method to --since filter: a request must fit all that
are given. --within waits until enough requests came. With --times 0 or ..MAX it
waits the whole time, unless too many come.`,
  exit: 'Exit: 0 done, or as expected; 1 not as expected, or no such sandbox; 2 wrong usage or unreachable.',
  options,
  operands: ['[NAME]'],
  async run(values, [name = 'default'], context) {
    const { since, limit: given, clear, json } = values;
    const match = readMatch(values);
    const expected = readExpectation(values);
    const limit = given === undefined ? mostKept : readCount('--limit', given, 1);
    const used = Object.entries(values).flatMap(([option, value]) => (value ? [option] : []));
    const idle = used.find((option) => option !== 'clear' && !Object.hasOwn(clientOptions, option));
    if (clear && idle) throw new UsageError(`--clear empties the whole journal: it takes no --${idle}`);
    const { read, readText } = await openRunning(values, context);
    const path = `/sandboxes${pathOf(name, 'requests')}`;
    if (clear) {
      await read('DELETE', path);
      return context.note(`the journal of ${name} was emptied`);
    }
    if (expected !== undefined) {
      const body = jsonBody({ match, ...expected, since, limit });
      const found = await read<RequestsExpected>('POST', `${path}/expect`, body);
      if (json) context.print(found);
      if (found.message !== null) context.note(found.message);
      if (json || !found.matched) return found.matched ? exits.done : exits.no;
    }
    const answer = json ? read : readText;
    context.print(await answer('POST', `${path}/find`, jsonBody({ ...match, since, limit })));
  },
});

function readMatch({ method, path, user, anonymous, query, body, status, unmatched }: RequestsValues) {
  if (user && anonymous) throw new UsageError('--user and --anonymous exclude each other');
  return {
    method,
    path,
    user: anonymous ? null : user,
    query: query && readPairs(query),
    body: body && readJson(body),
    status,
    unmatched: unmatched || undefined,
  };
}

function readPairs(texts: readonly string[]) {
  const pairs = new URLSearchParams();
  for (const text of texts) {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError(`--query must be KEY=VALUE, not "${text}"`);
    pairs.append(text.slice(0, at), text.slice(at + 1));
  }
  return Object.fromEntries([...pairs.keys()].map((key) => [key, pairs.getAll(key)]));
}

function readJson(text: string): unknown {
  const value = attempt((): unknown => JSON.parse(text));
  if (value === undefined) throw new UsageError(`--body is not JSON: ${text}`);
  return value;
}

function readExpectation({ expect, times, within }: RequestsValues) {
  if (!expect && times === undefined && within === undefined) return undefined;
  const withinMs = readDuration(within ?? '0s');
  if (withinMs === undefined) throw new UsageError(`--within must be a time such as 5s or 500ms, not "${within}"`);
  return { times: times && readTimes(times), within_ms: withinMs };
}

function readTimes(text: string): RequestTimes {
  if (/^\d+$/.test(text)) return Number(text);
  const [, min, max] = /^(\d*)\.\.(\d*)$/.exec(text) ?? [];
  if (!min && !max) throw new UsageError(`--times must be a number, or MIN..MAX, not "${text}"`);
  return { ...(min && { min: Number(min) }), ...(max && { max: Number(max) }) };
}
