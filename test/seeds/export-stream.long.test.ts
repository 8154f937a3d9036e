// Export over HTTP: read from one snapshot, as fast and as long as the client reads.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Test, test } from 'tap';
import { adminOptions, readConfiguration } from '../../src/service/config/config.ts';
import { type Service, startService } from '../support/service.ts';
import { endSession, fillDefault, manyUsers, untilExports } from './export-sessions.ts';

const path = '/_understudy/sandboxes/default/seed';

/** The answer with its first bytes read, and no more. */
async function openExport(t: Test, { url }: Service): Promise<{ answer: IncomingMessage; first: string }> {
  const request = get(`${url}${path}`, { agent: false });
  t.teardown(() => request.destroy());
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  // A broken connection is reported here too, not only by the answer.
  request.on('error', () => undefined);
  answer.setEncoding('utf8');
  const first = await new Promise<string>((resolve) => answer.once('data', resolve));
  answer.pause();
  return { answer, first };
}

/** Waits until nothing more is read from the database. */
async function untilHeldBack({ database }: Service): Promise<void> {
  for (let before = ''; ;) {
    const now = JSON.stringify(await untilExports(database, 1));
    if (now === before && now.includes('idle in transaction')) return;
    before = now;
    await sleep(200);
  }
}

await test('export', async (suite) => {
  // On a busy machine, what holds an export back takes longer to see than the service waits.
  const service = await startService(suite, { exportTimeoutMs: 60_000 });
  const { database } = service;
  await fillDefault(database);

  await suite.test('is one snapshot, read while it is sent', async (t) => {
    const { answer, first } = await openExport(t, service);
    t.match(answer, { statusCode: 200, headers: { 'content-type': 'application/yaml' } });
    t.notOk('content-length' in answer.headers);
    await untilHeldBack(service);
    await sql`update understudy.users set full_name = 'Changed Meanwhile' where sandbox_id = 1 and id = ${manyUsers}`.execute(
      database.load,
    );
    answer.resume();
    const text = first + (await textOf(answer));
    t.equal(text.match(/^ {4}username: /gm)?.length, manyUsers);
    t.equal(text.match(/^ {6}- /gm)?.length, 10 * manyUsers);
    t.match(text, /\nnext_id: .*\n$/);
    t.notMatch(text, /Changed Meanwhile/);
    t.strictSame(await untilExports(database, 0), []);
  });

  await suite.test('slow readers of a sandbox hold two places, and give way to others', async (t) => {
    const impatient = await startService(t, { databaseUrl: service.databaseUrl, exportTimeoutMs: 300 });
    const opened = [await openExport(t, impatient), await openExport(t, impatient)];
    // They read on, but slowly: each a piece now and then.
    const reading = setInterval(() => opened.forEach(({ answer }) => answer.read(1000)), 20);
    t.teardown(() => clearInterval(reading));
    const made = await impatient.request('PUT', '/_understudy/sandboxes/other', { json: { from: 'empty' } });
    t.equal(made.status, 201);
    const others = Array.from({ length: 12 }, () => impatient.request('GET', '/_understudy/sandboxes/other/seed'));
    t.strictSame(new Set((await Promise.all(others)).map(({ status }) => status)), new Set([200]));
    const third = get(`${impatient.url}${path}`, { agent: false });
    t.teardown(() => third.destroy());
    const [answer] = (await once(third, 'response')) as [IncomingMessage];
    t.equal(answer.statusCode, 200, 'one of the two was cut');
    t.strictSame(
      opened.map((one) => one.answer.complete),
      [false, false],
      'though neither was read to its end',
    );
    for (const one of opened) one.answer.destroy();
    answer.destroy();
    await untilExports(database, 0);
  });

  await suite.test('a client that goes away leaves nothing behind', async (t) => {
    for (let i = 0; i < 3; i++) {
      const { answer } = await openExport(t, service);
      await untilExports(database, 1);
      answer.destroy();
      t.strictSame(await untilExports(database, 0), []);
    }
  });

  await suite.test('an export that can not start is an ordinary error', async (t) => {
    t.equal((await service.request('GET', '/_understudy/sandboxes/nowhere/seed')).status, 404);
    t.equal((await service.request('GET', `${path}?format=xml`)).status, 404);
    t.strictSame(await untilExports(database, 0), []);
  });

  await suite.test('a failure midway breaks the transfer', async (t) => {
    const { answer } = await openExport(t, service);
    const [session] = await untilExports(database, 1);
    await endSession(database, session?.pid ?? 0);
    await t.rejects(textOf(answer), { code: 'ECONNRESET' });
    t.notOk(answer.complete);
  });

  await suite.test('a failure midway breaks a transfer by HTTP/1.0 too', async (t) => {
    // HTTP/1.0 is what a proxy may speak.
    const defaults = adminOptions(readConfiguration({}));
    const admin = { ...defaults, access: { ...defaults.access, mode: 'on' as const } };
    const open = await startService(t, { databaseUrl: service.databaseUrl, admin });
    const socket = connect(Number(new URL(open.url).port), '127.0.0.1');
    t.teardown(() => socket.destroy());
    socket.write(`GET ${path} HTTP/1.0\r\nHost: localhost\r\n\r\n`);
    await once(socket, 'readable');
    const [session] = await untilExports(database, 1);
    // Listened for before it can happen.
    const broken = once(socket, 'error');
    await endSession(database, session?.pid ?? 0);
    socket.resume();
    t.match(await broken, [{ code: 'ECONNRESET' }]);
  });

  await suite.test('a client that stops reading is given up', async (t) => {
    const impatient = await startService(t, { databaseUrl: service.databaseUrl, exportTimeoutMs: 300 });
    const { answer } = await openExport(t, impatient);
    t.strictSame(await untilExports(database, 0), []);
    await t.rejects(textOf(answer), { code: 'ECONNRESET' });
  });
});
