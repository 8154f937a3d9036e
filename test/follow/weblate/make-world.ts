// Fills a database of a release with the known world: the content of seed.json. Each reset copies this database.
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandContext } from '../../../src/cli/command.ts';
import { seedPath } from '../../generator/world.ts';
import { query } from '../../support/postgres-folders.ts';
import { runIn } from './install.ts';
import { askRedis, type Machine } from './machine.ts';

const script = join(import.meta.dirname, 'world.py');

interface WorldOptions {
  readonly release: string;
  readonly folder: string;
  readonly template: string;
  readonly machine: Machine;
}

/** Weblate's settings must name `template`. Returns how the groups differ from those of the known world. */
export async function makeWorld(
  { release, folder, template, machine }: WorldOptions,
  { env, note, signal }: Pick<CommandContext, 'env' | 'note' | 'signal'>,
): Promise<string[]> {
  const sources = await Promise.all([script, seedPath].map((file) => readFile(file, 'utf8')));
  const version = createHash('sha256').update(sources.join()).digest('hex');
  const file = join(folder, 'world');
  const [made = '', ...known] = (await readFile(file, 'utf8').catch(() => '')).trimEnd().split('\n');
  const { postgres } = machine;
  const exists = await query(postgres, `select true from pg_database where datname = '${template}'`);
  if (made === version && exists.length > 0) return known;
  note(`filling Weblate ${release} with the data of seed.json: this takes two minutes`);
  await rm(file, { force: true });
  await query(postgres, `drop database if exists ${template} with (force)`);
  await query(postgres, `create database ${template}`);
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
