// Services as processes of their own, as they are deployed, and programs of the machine beside them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Owner } from '../support/database.ts';

const main = join(import.meta.dirname, '../../src/cli/main.ts');

export interface ServiceProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it has said on standard error so far. */
  said(): string;
  /** Sends SIGTERM; resolves with the exit code. */
  end(): Promise<number | null>;
}

/**
 * `serve` with that environment and nothing of ours; resolves when it listens.
 * @param onStderr gets all of standard error so far whenever more comes
 */
export async function startProcess(
  t: Owner,
  env: Readonly<Record<string, string>>,
  onStderr?: (said: string) => void,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [main, 'serve'], {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      onStderr?.(said);
      const found = / on (http:\/\/\S+),/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`the service ended: ${said}`)));
  });
  return {
    url,
    child,
    said: () => said,
    end: async () => {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
  };
}

/** The program's path, looked for where Debian puts servers as well. */
export function findProgram(name: string, ...folders: string[]): string | undefined {
  const all = [...folders, ...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return all.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Free a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Runs a server until the test is over; it must stay in the foreground. */
export function runServer(
  t: Owner,
  file: string,
  args: readonly string[],
  options: { uid?: number; gid?: number } = {},
): ChildProcess {
  const child = spawn(file, args, { stdio: 'ignore', ...options });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGINT');
    const isOver = await Promise.race([ended.then(() => true), sleep(5000, false, { ref: false })]);
    if (!isOver) child.kill('SIGKILL');
    await ended;
  });
  return child;
}
