// Makes the database of the known world in a release: the template from which each reset copies.
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import type { CommandContext } from '../../../src/cli/command.ts';
import { seedPath } from '../../generator/world.ts';
import { runIn } from './install.ts';
import { askRedis, type Machine } from './machine.ts';

const script = join(import.meta.dirname, 'world.py');

interface WorldOptions {
  readonly release: string;
  readonly folder: string;
  readonly template: string;
  readonly machine: Machine;
}

/**
 * Makes the database if it is missing or made from another seed. The settings must name it. Returns where its world
 * differs from the known one.
 */
export async function makeWorld(
  { release, folder, template, machine }: WorldOptions,
  { env, note, signal }: Pick<CommandContext, 'env' | 'note' | 'signal'>,
): Promise<string[]> {
  const sources = await Promise.all([script, seedPath].map((file) => readFile(file, 'utf8')));
  const version = createHash('sha256').update(sources.join()).digest('hex');
  const file = join(folder, 'world');
  const [made = '', ...known] = (await readFile(file, 'utf8').catch(() => '')).trimEnd().split('\n');
  const client = new Client(machine.postgres);
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
    if (made === version && rowCount === 1) return known;
    note(`making the known world in Weblate ${release}: two minutes`);
    await rm(file, { force: true });
    await client.query(`drop database if exists ${escapeIdentifier(template)} with (force)`);
    await client.query(`create database ${escapeIdentifier(template)}`);
  } finally {
    await client.end();
  }
  await askRedis(machine.redis, 'FLUSHDB');
  const weblate = join(folder, 'venv/bin/weblate');
  const commands = ['migrate -v0', 'setupgroups', 'setuplang', 'collectstatic --noinput -v0'];
  await runIn(
    folder,
    commands.map((command) => [weblate, ...command.split(' ')]),
    { env, signal },
  );
  const printed = await runIn(
    folder,
    [[join(folder, 'venv/bin/python'), script, seedPath]],
    { env, signal },
    { outputName: 'differs' },
  );
  const differs = printed.split('\n').filter((line) => line.startsWith('group '));
  await writeFile(file, `${[version, ...differs].join('\n')}\n`);
  return differs;
}
