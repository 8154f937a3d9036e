// Connections are cut, PostgreSQL restarts or crashes: no request hangs, and no acknowledged write is lost.
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'tap';
import { notificationTitles } from '../../src/model/notifications.ts';
import { startOwnServer } from './own-server.ts';
import { asAlice } from './as-alice.ts';
import { askUntil, targetOf, startBehindProxy, until, withClient } from '../support/setting.ts';

const names = Object.keys(notificationTitles);
const users = ['alice', 'bob', 'carol', 'dave', 'erin'];

for (const how of ['cut off', 'stopped', 'crashed'] as const)
  await test(`a server that is ${how} under load`, async (t) => {
    const server = await startOwnServer(t);
    const { proxy, service } = await startBehindProxy(t, { databaseUrl: server.url, statementTimeoutMs: 2000 });
    const { read, ready } = asAlice(service);
    const acknowledged = new Set<number>();
    const seen = new Set<number>();
    const state = { isOver: false };
    // Each user creates subscriptions with each name that the schema accepts, and deletes none.
    const writers = users.map(async (as) => {
      const path = `/api/users/${as}/notifications/`;
      for (let i = 0; !state.isOver; i++) {
        const json = {
          notification: names[i % names.length],
          scope: [0, 10, 20][Math.floor(i / names.length) % 3],
          frequency: 1,
        };
        const { status, json: body } = await service.request('POST', path, { as, json });
        seen.add(status);
        if (status === 201) acknowledged.add((body as { id: number }).id);
        await sleep(5);
      }
    });
    const readers = users.map(async (as) => {
      while (!state.isOver) {
        seen.add((await service.request('GET', `/api/users/${as}/notifications/`, { as })).status);
        await sleep(2);
      }
    });
    await until(() => acknowledged.size > 10);

    if (how === 'cut off') {
      proxy.answersToLose = 100;
      t.ok(await until(() => proxy.answersToLose === 0), 'each answer ended its connection');
    } else if (how === 'crashed') {
      const pid = await withClient(t, server.url, async (client) => {
        const { rows } = await client.query<{ pid: number }>(
          `select pid from pg_stat_activity where application_name = 'understudy' limit 1`,
        );
        return rows[0]?.pid;
      });
      t.ok(pid, 'a server process to kill: the server then ends its other processes and recovers');
      process.kill(pid as number, 'SIGKILL');
    } else {
      await server.stop();
      t.equal((await askUntil(503, ready)).status, 503, 'not ready');
      await server.start();
      proxy.aim(targetOf(server.url));
    }
    t.equal((await askUntil(200, ready)).status, 200, 'ready again');
    const before = acknowledged.size;
    t.ok(await until(() => acknowledged.size > before || before === users.length * names.length * 3), 'writes go on');
    t.equal((await askUntil(200, read)).status, 200, 'reads go on');
    state.isOver = true;
    await Promise.all([...writers, ...readers]);

    t.ok(
      [...seen].every((status) => [200, 201, 400, 503].includes(status)),
      `answers: ${[...seen].join(' ')}`,
    );
    const { rows } = await withClient(t, server.url, (client) =>
      client.query<{ id: number }>('select id from understudy.subscriptions'),
    );
    const there = new Set(rows.map(({ id }) => id));
    t.same(
      [...acknowledged].filter((id) => !there.has(id)),
      [],
      `${acknowledged.size} acknowledged writes are there`,
    );
  });
