// The log: JSON lines with request ids and without tokens, and readable lines on a terminal.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { test } from 'tap';
import { startBehindProxy } from '../support/setting.ts';
import { readLine } from '../../src/service/process/log-output.ts';
import { loadTranscripts } from '../transcripts/engine/load.ts';
import { replay, selectScenarios } from '../transcripts/engine/replay.ts';
import { addSandbox } from '../support/sandbox-database.ts';
import { createSeededDatabase, startService, transcriptsFolder } from '../support/service.ts';

function keepLines() {
  const lines: string[] = [];
  return {
    lines,
    entries: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    write: (line: string) => void lines.push(line),
  };
}

const list = '/api/users/alice/notifications/';

await test('at level debug each request has a line', async (t) => {
  const log = keepLines();
  const service = await startService(t, { logLevel: 'debug', logTo: log });
  const { headers } = await service.request('GET', `${list}?page_size=2&q=secret`, {
    headers: { 'x-request-id': 'abc-1' },
  });
  t.equal(headers['x-request-id'], 'abc-1', 'the id that was sent comes back');
  const { durationMs, time, ...entry } = log.entries().find(({ requestId }) => requestId === 'abc-1') ?? {};
  t.type(durationMs, 'number');
  t.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  t.same(entry, {
    level: 'debug',
    requestId: 'abc-1',
    method: 'GET',
    path: list,
    route: '/api/users/:username/notifications/',
    status: 200,
    msg: 'answered',
  });
});

await test('a request without a valid id gets its own', async (t) => {
  const log = keepLines();
  const service = await startService(t, { logLevel: 'debug', logTo: log });
  const unfit = ['', 'two words', 'a'.repeat(129), 'caf\u00e9'];
  for (const given of [undefined, ...unfit]) {
    const { headers } = await service.request(
      'GET',
      list,
      given === undefined ? {} : { headers: { 'x-request-id': given } },
    );
    t.equal(headers['x-request-id'], undefined, 'no header that was not sent');
  }
  const ids = log.entries().flatMap(({ requestId }) => (typeof requestId === 'string' ? [requestId] : []));
  t.equal(new Set(ids).size, unfit.length + 1, 'each its own');
  for (const id of ids) t.match(id, /^[0-9a-f-]{36}$/);
});

await test('every kind of answer carries the id', async (t) => {
  const service = await startService(t);
  for (const [method, path] of [
    ['GET', '/api/users/nobody/notifications/'],
    ['PUT', list],
    ['GET', '/nowhere/'],
    ['GET', '/_understudy/health/live'],
    ['GET', `${list}?format=api`],
  ] as const) {
    const { headers } = await service.request(method, path, { headers: { 'x-request-id': 'mine' } });
    t.equal(headers['x-request-id'], 'mine', `${method} ${path}`);
  }
});

await test('at level info a successful request logs nothing', async (t) => {
  const log = keepLines();
  const service = await startService(t, { logLevel: 'info', logTo: log });
  await service.request('GET', list);
  t.same(
    log.entries().filter(({ requestId }) => requestId !== undefined),
    [],
  );
});

// This test runs before those that lose the database, because a process logs an outage once a second at most.
await test('a client that disconnects while it sends a body is not logged as a database outage', async (t) => {
  const log = keepLines();
  const service = await startService(t, { logTo: log, logLevel: 'debug' });
  const arrived = once(service.app.server, 'request');
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const broken = [`POST ${list} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', 'Content-Length: 100', '', '{'];
  socket.write(broken.join('\r\n'));
  const [request] = (await arrived) as [IncomingMessage];
  const gone = new Promise((resolve) => request.once('close', resolve));
  socket.destroy();
  await gone;
  t.equal(request.errored?.message, 'aborted');
  t.equal((await service.request('GET', list)).status, 200);
  t.notMatch(log.lines.join(''), /the database did not answer/);
});

await test('no token in the log, not even of failed requests', async (t) => {
  const { scenarios: all, differences, tokens } = await loadTranscripts(transcriptsFolder);
  // Each kind of request, in a third of the time that all take.
  const scenarios = selectScenarios(all, ['list', 'create', 'change', 'membership', 'order']);
  const log = keepLines();
  const { proxy, service } = await startBehindProxy(t, {
    seed: 'transcripts',
    databaseUrl: await createSeededDatabase(t, 'transcripts'),
    anonymous: 'strict',
    logLevel: 'trace',
    logTo: log,
  });
  const target = { scenarios, differences, tokens, baseUrl: service.url, reset: () => service.reset() };
  let steps = 0;
  for await (const _ of replay(target)) steps++;
  // Tokens in places where they don't belong, and a lost database.
  const [token = ''] = tokens.values();
  await service.request('GET', `${list}?token=${token}`, { token });
  await service.request('POST', list, { token, json: { notification: token } });
  await service.request('GET', list, { token: 'wlu_wrong_secret' });
  await service.request('GET', list, { headers: { authorization: 'Basic c2VjcmV0OnNlY3JldA==' } });
  await service.request('POST', list, {
    token,
    body: '{"token": "wlu_in_a_body',
    headers: { 'content-type': 'application/json' },
  });
  await proxy.refuse();
  const broken = await service.request('GET', list, { token });
  t.equal(broken.status, 503);
  const text = log.lines.join('');
  t.ok(log.lines.length > steps, 'a line a request');
  t.match(text, /the database did not answer/);
  for (const secret of [...tokens.values(), 'wlu_wrong_secret', 'c2VjcmV0', 'wlu_in_a_body'])
    t.notOk(text.includes(secret), 'a token is nowhere');
  t.notMatch(text, /authorization/i);
});

await test('a logged database error names the constraint and no values', async (t) => {
  const log = keepLines();
  const service = await startService(t, { logTo: log, logLevel: 'info' });
  const error = await addSandbox(service.database.load, 'default').then(
    () => undefined,
    (refused: unknown) => refused,
  );
  service.app.log.error({ err: error }, 'a request failed');
  const [entry] = log.entries().filter(({ level }) => level === 'error');
  t.match(entry, { msg: 'a request failed', err: { type: 'error', code: '23505', constraint: String } });
  t.same(Object.keys(entry?.['err'] ?? {}), ['type', 'message', 'stack', 'code', 'constraint']);
});

const line = (entry: object) => `${JSON.stringify(entry)}\n`;

await test('on a terminal the log is readable lines', async (t) => {
  const time = '2026-11-21T09:30:01.250Z';
  t.equal(
    readLine(line({ level: 'warn', time, requestId: 'r-1', status: 503, msg: 'the database did not answer' }), false),
    '09:30:01.250 WARN  the database did not answer requestId=r-1 status=503',
  );
  const err = { type: 'Error', message: 'no', stack: 'Error: no\n    at a.ts:1', cause: { message: 'deep' } };
  t.equal(
    readLine(line({ level: 'error', time, msg: 'a request failed', err }), false),
    '09:30:01.250 ERROR a request failed\n    Error: no\n        at a.ts:1\n    caused by\n    deep',
  );
  t.ok(readLine(line({ level: 'info', time, msg: 'm' }), true).includes('\u001b[36mINFO'));
  t.equal(
    readLine(line({ level: 'info', time, msg: 'a\u001b[2Jb', path: '/\u009b31m' }), false),
    '09:30:01.250 INFO  a\\x1b[2Jb path=/\\x9b31m',
    'what a client sent moves no cursor',
  );
});
