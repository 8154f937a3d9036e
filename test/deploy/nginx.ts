// Finds nginx for tests, and runs it with a changed copy of a shipped configuration.
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { makeScratch } from '../support/postgres-folders.ts';
import { findFreePort, findProgram, runServer } from '../support/programs.ts';

/**
 * The path of nginx, or undefined if none is installed. If NGINX_PATH is set, as by .ci/run, tests without
 * nginx fail instead of skipping themselves.
 */
function findNginx(): string | undefined {
  const wanted = process.env['NGINX_PATH'] ?? '';
  if (wanted === '') return findProgram('nginx');
  if (!existsSync(wanted)) throw new Error(`NGINX_PATH: there is no ${wanted}; install nginx`);
  return wanted;
}

/** The option `skip` of a test that needs nginx. */
export const skip = findNginx() === undefined && 'there is no nginx: install Debian’s package nginx, or set NGINX_PATH';

const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

type Replacements = readonly (readonly [from: string, to: string])[];

/**
 * Runs nginx until the test ends: as one process, on a free port, with all its files in one folder. Resolves
 * with its URL when nginx listens.
 * @param replacements each of these texts must be in the file once
 */
export async function startNginx(t: Test, file: string, replacements: Replacements): Promise<string> {
  const folder = makeScratch(t);
  const port = await findFreePort();
  let text = readFileSync(file, 'utf8');
  const folders = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
  const listen = /\blisten [^;]+;/.exec(text)?.[0] ?? 'listen';
  for (const [from, to] of [
    ...replacements,
    [listen, `listen 127.0.0.1:${port};`],
    ['http {', `http { access_log off; ${folders}`],
  ] as const) {
    if (text.split(from).length !== 2) throw new Error(`${file} must have ${from} once`);
    text = text.replace(from, () => to);
  }
  const [configuration, log] = [join(folder, 'nginx.conf'), join(folder, 'error.log')];
  writeFileSync(configuration, `daemon off; master_process off; pid ${folder}/pid;\n${text}`);
  const nginx = runServer(t, findNginx() ?? 'nginx', ['-e', log, '-p', folder, '-c', configuration]);
  while (!(await canConnect(port))) {
    if (nginx.exitCode !== null) throw new Error(`nginx ended: ${readFileSync(log, 'utf8')}`);
    await sleep(25);
  }
  return `http://127.0.0.1:${port}`;
}

async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
