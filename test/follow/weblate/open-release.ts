// Runs a release of Weblate with the known world (make-world.ts), installed and filled if necessary.
import { globSync } from 'node:fs';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { UserError } from '../../../src/base/failure.ts';
import type { Undo } from '../../../src/base/undo.ts';
import type { CommandContext } from '../../../src/cli/command.ts';
import { realSide, type Side } from '../../differential/sides.ts';
import type { World } from '../../generator/world.ts';
import { findFreePort } from '../../support/programs.ts';
import { install } from './install.ts';
import { askRedis, checkMachine, readMachine } from './machine.ts';
import { makeWorld } from './make-world.ts';
import { startProgram } from './run-program.ts';
import { type Limits, makeSettings } from './settings.ts';

export interface Release {
  readonly side: Side;
  readonly reset: () => Promise<void>;
  /** Where the world of the release differs from the known world. */
  readonly notes: readonly string[];
  /** Ends the server if it runs, and starts it with the known world and these rate limits, or none. */
  readonly restart: (limits?: Limits) => Promise<void>;
}

interface ReleaseOptions {
  readonly release: string;
  readonly world: World;
  readonly port?: number | undefined;
}

export const isRelease = (text: string): boolean => /^\d{1,4}(\.\d{1,3}){1,3}$/u.test(text);

export async function openRelease(
  { release, world, port: wanted }: ReleaseOptions,
  owned: Pick<Undo, 'defer'>,
  { env: outer, note, signal }: Pick<CommandContext, 'env' | 'note' | 'signal'>,
): Promise<Release> {
  if (!isRelease(release)) throw new UserError(`${release} is no release of Weblate`);
  const machine = readMachine(outer);
  await checkMachine(machine, outer);
  const folder = join(machine.folder, release);
  await install({ folder, release, python: machine.python }, { env: outer, note, signal });

  const port = wanted ?? (await findFreePort());
  const env = { ...outer, DJANGO_SETTINGS_MODULE: 'settings', PYTHONPATH: folder };
  const writeSettings = async (database: string, limits?: Limits) => {
    const [example = ''] = globSync(join(folder, 'venv/lib/python*/site-packages/weblate/settings_example.py'));
    const url = Object.assign(new URL(machine.postgres), { pathname: database });
    const settings = { folder, port, database: url, redis: machine.redis, limits };
    await writeFile(join(folder, 'settings.py'), makeSettings(await readFile(example, 'utf8'), settings));
  };
  const database = `weblate_${release.replaceAll('.', '_')}`;
  const template = `${database}_seed`;
  await mkdir(join(folder, 'data'), { recursive: true });
  await writeSettings(template);
  const notes = await makeWorld({ release, folder, template, machine }, { env, note, signal });

  const url = `http://localhost:${port}`;
  const side = realSide({ url, databaseServer: machine.postgres, database, template, redis: machine.redis });
  const reset = () => side.reset(world);
  let end = async () => {};
  owned.defer(() => end());
  const restart = async (limits?: Limits) => {
    await end();
    await writeSettings(database, limits);
    await reset();
    end = await serve(folder, url, { env, signal });
    // Rate limits have counted the requests that waited for the server.
    await askRedis(machine.redis, 'FLUSHDB');
  };
  return { side, notes, reset, restart };
}

/** Resolves once the server answers, with the function that ends the server. */
async function serve(folder: string, url: string, { env, signal }: Pick<CommandContext, 'env' | 'signal'>) {
  const file = join(folder, 'server-log');
  const output = await open(file, 'w');
  const granian = join(folder, 'venv/bin/granian');
  const command = [granian, '--interface', 'wsgi', '--port', new URL(url).port, 'weblate.wsgi:application'];
  const { ended, end } = startProgram(command, { cwd: folder, env, output: output.fd });
  await output.close();
  let code: number | string | undefined;
  void ended.then((value) => (code = value));
  try {
    for (;;) {
      const isUp = await fetch(`${url}/api/`, { signal }).then(
        async (answer) => (await answer.text(), true),
        () => false,
      );
      if (isUp) return end;
      await wait(200, undefined, { signal });
      if (code !== undefined) throw new UserError(`${url}: the server ended (${code}); ${file} says why`);
    }
  } catch (error) {
    await end();
    throw error;
  }
}
