// Finds and runs other programs of the machine, such as nginx, beside the service.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Owner } from './database.ts';

/** Searches these folders, PATH, and the folders where Debian puts servers. */
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

/** A port that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Runs a server, which must stay in the foreground, until the test ends. */
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
