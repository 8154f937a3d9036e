// Nothing outlives its program: hosts, services and watchdogs that are killed, also in the middle of a start.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { t as file, test } from 'tap';
import type { Test } from 'tap';
import { start } from '../../src/package/library/index.ts';
import { providePackedCluster } from '../support/packed-cluster.ts';
import { firstMoments, makeScratch, untilMoment } from '../support/postgres-folders.ts';
import { listRemains, makePlace, untilNothingRemains } from '../support/place.ts';

file.setTimeout(240_000);

await providePackedCluster();
const place = makePlace(file);
const { NODE_OPTIONS: _, ...environment } = process.env;

function startHost(t: Test, env: Readonly<Record<string, string>>, ...args: string[]) {
  const script = join(import.meta.dirname, 'host.ts');
  const host = spawn(process.execPath, [script, '{}', ...args], {
    env: { ...environment, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => host.kill('SIGKILL'));
  return host;
}

await test('a program that ends without closing leaves nothing', async (t) => {
  const host = startHost(t, place.env);
  t.same(await once(host, 'close'), [0, null], 'no handle keeps it alive');
  await untilNothingRemains(place);
});

await test('a program that is killed while its service runs leaves nothing', async (t) => {
  const host = startHost(t, place.env, 'stay');
  await once(host.stdout, 'data');
  t.ok(listRemains(place).some((line) => line.includes('understudy-watchdog')));
  host.kill('SIGKILL');
  await untilNothingRemains(place);
});

for (const moment of firstMoments)
  await test(`a program that is killed in the start of its service leaves nothing: ${moment.join(' ') || 'its folder'}`, async () => {
    const host = startHost(file, place.env, 'stay');
    await untilMoment(join(place.tmp, 'understudy-*'), moment);
    host.kill('SIGKILL');
    await once(host, 'exit');
    await untilNothingRemains(place);
  });

await test('a program that is killed while its watchdog has made no folder yet leaves nothing', async (t) => {
  const { PATH } = process.env;
  const folder = makeScratch(t);
  chmodSync(folder, 0o777);
  const held = join(folder, 'held');
  // The watchdog's mktemp waits: its standard input is the watchdog's, which closes with the service.
  const lines = ['#!/bin/sh', `touch ${held}`, 'read -r _', `PATH=${PATH}`, 'exec mktemp "$@"\n'];
  writeFileSync(join(folder, 'mktemp'), lines.join('\n'), { mode: 0o755 });
  const host = startHost(t, { ...place.env, PATH: `${folder}:${PATH}` }, 'stay');
  while (!existsSync(held)) await sleep(1);
  host.kill('SIGKILL');
  await once(host, 'exit');
  await untilNothingRemains(place);
});

await test('a service that is killed leaves nothing', async (t) => {
  Object.assign(process.env, place.env);
  const api = await start();
  process.kill(api.pid, 'SIGKILL');
  await untilNothingRemains(place);
  t.pass('its watchdog ended PostgreSQL and removed the folder');
});

for (const kind of ['serve', 'hold'])
  await test(`a watchdog that is killed (${kind}): the service ends with a word, and leaves nothing`, async (t) => {
    Object.assign(process.env, place.env);
    const api = await start();
    const errors: Error[] = [];
    api.addEventListener('exit', ({ error }) => errors.push(error));
    const watchdog = new RegExp(`^ *(\\d+) .*understudy-watchdog ${kind}`, 'm').exec(listRemains(place).join('\n'));
    process.kill(Number(watchdog?.[1]), 'SIGKILL');
    while (errors.length === 0) await sleep(20);
    t.match(errors[0]?.message, /^Understudy ended unasked \(exit code 1\)[^]*ending: The watchdog of the embedded/);
    await untilNothingRemains(place);
  });
