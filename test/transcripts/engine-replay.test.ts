// The replay against a server that answers from the transcripts themselves: faithful, and with one fault at a time.
import { setTimeout } from 'node:timers/promises';
import { test } from 'tap';
import { loadTranscripts } from './engine/load.ts';
import { replay, selectScenarios } from './engine/replay.ts';
import type { StepResult } from './engine/replay.ts';
import { noDifferences } from './engine/transcript.ts';
import type { Differences, Scenario } from './engine/transcript.ts';
import { stepCount } from './engine-data.ts';
import { startTranscriptServer } from './engine-server.ts';
import type { Answer, TranscriptServer } from './engine-server.ts';

const {
  scenarios,
  tokens,
  differences: recordedDifferences,
} = await loadTranscripts(new URL('data', import.meta.url).pathname);
const find = (...names: string[]): Scenario[] => scenarios.filter(({ name }) => names.includes(name));

async function collect(
  server: TranscriptServer,
  chosen: readonly Scenario[],
  differences: Differences = noDifferences,
): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for await (const result of replay({ scenarios: chosen, differences, baseUrl: server.baseUrl, tokens }))
    results.push(result);
  return results;
}

await test('a faithful server has no mismatch, at the root and under a path', async (t) => {
  for (const prefix of ['', '/sandboxes/mine']) {
    await using server = await startTranscriptServer(scenarios, prefix);
    const results = await collect(server, scenarios);
    t.equal(results.length, stepCount);
    t.same(
      results.filter(({ mismatches }) => mismatches.length > 0),
      [],
    );
  }
});

const later = (seconds: string) => `${Number(seconds) - 1}`;
await test('times and seconds of rate limits may differ', async (t) => {
  const chosen = find('users/create', 'ratelimit/user');
  await using server = await startTranscriptServer(chosen);
  let changed = 0;
  server.alter = (answer) => {
    const headers = answer.headers.map(([name, value]): [string, string] =>
      name === 'x-ratelimit-reset' || name === 'retry-after' ? [name, later(value)] : [name, value],
    );
    const body = answer.body
      .replaceAll(/2026-11-21T\d\d:\d\d:\d\d\.\d{6}Z/g, '2030-06-07T08:09:10.111213Z')
      .replace(/(?<=available in )\d+/, later);
    if (body !== answer.body) changed++;
    return { ...answer, headers, body };
  };
  t.same(
    (await collect(server, chosen)).filter(({ mismatches }) => mismatches.length > 0),
    [],
  );
  t.equal(changed, 4, 'two answers with moments, two throttled ones');
});

const withHeader = (answer: Answer, name: string, values: string[]): Answer => ({
  ...answer,
  headers: answer.headers.flatMap((one): [string, string][] =>
    one[0] === name ? values.map((value) => [name, value]) : [one],
  ),
});
const withBody = (answer: Answer, from: string | RegExp, to: string): Answer => {
  const body = answer.body.replace(from, to);
  if (body === answer.body) throw new Error('the fault changes nothing');
  return { ...answer, body };
};

const faults: { name: string; place: string; alter: (answer: Answer) => Answer | null }[] = [
  { name: 'a status', place: 'status', alter: (answer) => ({ ...answer, status: 203 }) },
  {
    name: 'a value more in a header',
    place: 'header allow',
    alter: (answer) => withHeader(answer, 'allow', ['GET, POST, HEAD, OPTIONS, PATCH']),
  },
  {
    name: 'a header sent twice',
    place: 'header allow',
    alter: (answer) => withHeader(answer, 'allow', ['GET, POST, HEAD, OPTIONS', 'GET']),
  },
  { name: 'a header left out', place: 'header vary', alter: (answer) => withHeader(answer, 'vary', []) },
  {
    name: 'another charset',
    place: 'header content-type',
    alter: (answer) => withHeader(answer, 'content-type', ['application/json; charset=utf-8']),
  },
  { name: 'a count off by one', place: 'body.count', alter: (answer) => withBody(answer, '"count":12', '"count":13') },
  {
    name: 'a number written otherwise',
    place: 'body.count',
    alter: (answer) => withBody(answer, '"count":12', '"count":12.0'),
  },
  {
    name: 'the order of keys',
    place: 'body.results[0] (order of keys)',
    alter: (answer) => withBody(answer, /("notification":"\w+"),("id":\d+)/, '$2,$1'),
  },
  {
    name: 'an entry left out',
    place: 'body.results',
    alter: (answer) => withBody(answer, /\{"notification"[^}]*\},/, ''),
  },
  {
    name: 'a URL without its base',
    place: 'body.results[10].project',
    alter: (answer) => withBody(answer, /"http:\/\/127\.0\.0\.1:\d+\/api\/projects/, '"/api/projects'),
  },
  {
    name: 'a page for JSON',
    place: 'body',
    alter: (answer) => ({ ...withHeader(answer, 'content-type', ['text/html']), body: '<!doctype html><p>' }),
  },
  { name: 'broken JSON', place: 'body', alter: (answer) => ({ ...answer, body: answer.body.slice(1) }) },
  { name: 'an empty body', place: 'body', alter: (answer) => ({ ...answer, body: '' }) },
  { name: 'no answer', place: 'answer', alter: () => null },
];

await test('each fault is reported exactly once', async (t) => {
  const chosen = find('list/own');
  const faulty = 'GET /api/users/alice/notifications/ as alice';
  for (const fault of faults) {
    await using server = await startTranscriptServer(chosen);
    server.alter = (answer, { step }) => (step === faulty ? fault.alter(answer) : answer);
    const results = await collect(server, chosen);
    t.equal(results.length, chosen[0]?.steps.length);
    const found = results.filter(({ mismatches }) => mismatches.length > 0);
    t.same(
      found.map(({ step }) => step),
      [faulty],
      fault.name,
    );
    t.same(
      found.flatMap(({ mismatches }) => mismatches.map(({ place }) => place)),
      [fault.place],
      fault.name,
    );
    for (const { expected, received } of found.flatMap(({ mismatches }) => mismatches)) t.not(expected, received);
  }
});

await test('answers without JSON are compared too', async (t) => {
  const chosen = find('format/query', 'detail/delete');
  const list = '/api/users/alice/notifications/';
  const altered = ['api', 'csv'].map((format) => `GET ${list}?format=${format} as alice`);
  await using server = await startTranscriptServer(chosen);
  server.alter = (answer, { scenario, step }) => {
    if (scenario === 'detail/delete')
      return step === `DELETE ${list}43/ as alice` ? { ...answer, status: 200, body: 'null' } : answer;
    return altered.includes(step)
      ? { ...answer, body: `${answer.body}x`.replace('<!DOCTYPE html>\n<html>', '{}') }
      : answer;
  };
  const found = (await collect(server, chosen)).filter(({ mismatches }) => mismatches.length > 0);
  t.same(
    found.map(({ scenario, step, mismatches }) => [scenario, step, mismatches.map(({ place }) => place)]),
    [
      ['detail/delete', 'DELETE /api/users/alice/notifications/43/ as alice', ['status', 'body']],
      ['format/query', 'GET /api/users/alice/notifications/?format=api as alice', ['body']],
      ['format/query', 'GET /api/users/alice/notifications/?format=csv as alice', ['text']],
    ],
  );
});

await test('with the differences applied, even the recorded system differs in those places', async (t) => {
  const chosen = find('create/duplicate', 'create/bodies', 'root/paths', 'list/no-trailing-slash');
  await using server = await startTranscriptServer(chosen);
  server.alter = (answer) => withHeader(answer, 'vary', ['Accept']);
  const results = await collect(server, chosen, recordedDifferences);
  const found = results.filter(({ mismatches }) => mismatches.length > 0);
  const duplicate =
    'POST /api/users/alice/notifications/ as alice json {"notification":"RepositoryNotification","scope":10';
  t.same(
    found.map(({ scenario, step }) => [scenario, step]),
    [
      ['create/duplicate', `${duplicate},"frequency":1} (2)`],
      ['create/duplicate', `${duplicate},"frequency":3}`],
    ],
  );
  t.same(
    found[0]?.mismatches.map(({ place }) => place),
    ['status', 'body.type', 'body.errors[0].code', 'body.errors[0].detail', 'body.errors[0].attr'],
  );
  t.same(
    results.filter(({ skipped }) => skipped !== undefined).map(({ scenario, step }) => [scenario, step]),
    [
      ['root/paths', 'GET /api/ as alice'],
      ['root/paths', 'GET /api/'],
    ],
  );
  t.equal(server.asked.length, results.length, 'what is not compared is asked all the same');
});

await test('`added_keys` accepts a further key everywhere', async (t) => {
  const chosen = find('list/own');
  const added_keys = { color: ['scope', 'frequency'] };
  await using server = await startTranscriptServer(chosen);
  server.alter = (answer) => ({ ...answer, body: answer.body.replaceAll('"project":', '"color":"red","project":') });
  const differences = { ...noDifferences, everywhere: { added_keys } };
  t.same(
    (await collect(server, chosen, differences)).flatMap(({ mismatches }) => mismatches),
    [],
    'at any place, with any value',
  );
  await using without = await startTranscriptServer(chosen);
  without.alter = (answer) => ({
    ...answer,
    body: answer.body.replace('"previous":null', '"previous":null,"color":1'),
  });
  const [first] = await collect(without, chosen, differences);
  const body = chosen[0]?.steps[0]?.response.body as { results: object[] } | undefined;
  t.same(first?.mismatches, [
    ...(body?.results ?? []).map((_entry, i) => ({
      place: `body.results[${i}].color`,
      expected: 'any value',
      received: '(absent)',
    })),
    { place: 'body.color', expected: '(absent)', received: '1' },
  ]);
});

await test('the reset runs before each scenario, and only those chosen run', async (t) => {
  await using server = await startTranscriptServer(scenarios.filter(({ name }) => /^(users\/li|order\/p)/.test(name)));
  const done: string[] = [];
  const reset = async (scenario: Scenario) => {
    await setTimeout(1);
    done.push(`reset ${scenario.name}`);
  };
  const chosen = selectScenarios(scenarios, ['users/li', 'order/p']);
  const options = { scenarios: chosen, differences: noDifferences, baseUrl: server.baseUrl, tokens, reset };
  for await (const { scenario } of replay(options)) if (done.at(-1) !== scenario) done.push(scenario);
  t.same(done, ['reset order/page', 'order/page', 'reset users/list', 'users/list']);
  const broken = replay({ ...options, reset: () => Promise.reject(new Error('no reset')) });
  await t.rejects(broken.next(), { message: 'no reset' });
});

await test('an unreachable server and an abort end the replay', async (t) => {
  const chosen = find('list/own');
  const server = await startTranscriptServer(chosen);
  const controller = new AbortController();
  const running = replay({
    scenarios: chosen,
    differences: noDifferences,
    baseUrl: server.baseUrl,
    tokens,
    signal: controller.signal,
  });
  await running.next();
  controller.abort();
  await t.rejects(running.next(), { name: 'AbortError' });
  await server[Symbol.asyncDispose]();
  await t.rejects(collect(server, chosen), { name: 'UnreachableError' });
});
