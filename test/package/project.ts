// An empty project that installs the tarball, and the commands that run in it, under a Node of choice.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import type { Owner } from '../support/database.ts';
import { makeFolder } from './tarball.ts';

export interface Project {
  readonly folder: string;
  /** Runs a command, also of an installed package. Returns standard output; throws all output if it fails. */
  run(command: string, args: readonly string[]): string;
  /** Starts a service on a temporary database, and resolves with its URL. The service ends with the test. */
  serve(t: Owner, env?: Readonly<Record<string, string>>, command?: readonly string[]): Promise<string>;
}

interface ProjectOptions {
  /** The folder of the `node` that runs everything. */
  readonly node: string;
  /** Variables of the environment, beside PATH and those inherited. */
  readonly env?: Readonly<Record<string, string>>;
  /** The account that runs the commands, if root runs the test. */
  readonly uid?: number;
}

const ended = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** A user's environment: with certificates and npm's registry, without variables of npm run and the tests. */
const inherited = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(?:UNDERSTUDY_|DATABASE_URL$|PORT$|LOG_LEVEL$|NODE_COMPILE_CACHE$|NODE_OPTIONS$|TAP|npm_(?!config_(?:registry|cafile|cache)$))/i.test(
          name,
        ),
    ),
  );

/** Makes the folder with a package.json that names no package. */
export function makeProject(t: Owner, options: ProjectOptions): Project {
  const folder = makeFolder(t, 'project');
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  return openProject(folder, options);
}

/** An existing project, perhaps under another Node or another account. */
export function openProject(folder: string, { node, env: given = {}, uid }: ProjectOptions): Project {
  const path = [node, join(folder, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(':');
  const env = { ...inherited(), ...given, PATH: path };
  const common = { cwd: folder, env, ...(uid !== undefined && { uid, gid: uid }) };
  return {
    folder,
    run(command, args) {
      const { status, stdout, stderr, error } = spawnSync(command, args, { ...common, encoding: 'utf8' });
      if (error) throw error;
      if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
      return stdout;
    },
    async serve(t, more = {}, [program = '', ...args] = ['understudy', 'serve']) {
      const child = spawn(program, [...args, '--temporary', '--port', '0', '--json'], {
        ...common,
        env: { ...env, LOG_LEVEL: 'warn', ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
      const end = once(child, 'exit');
      t.teardown(async () => {
        child.kill('SIGTERM');
        if (!ended(child)) await end;
      });
      const line = once(createInterface(child.stdout), 'line').then(([text]) => String(text));
      const first = await Promise.race([line, end.then(() => undefined)]);
      if (first === undefined) throw new Error(`${program} ended:\n${said}`);
      return (JSON.parse(first) as { url: string }).url;
    },
  };
}
