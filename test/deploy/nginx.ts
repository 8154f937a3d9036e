// nginx for tests and the bench: where it is, and one that runs a copy of a configuration that we ship.
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Owner } from '../support/database.ts';
import { findFreePort, findProgram, runServer } from '../support/programs.ts';

/**
 * The path of nginx, or undefined if it isn't installed. Where NGINX_PATH is set, as in .ci/run, there must be one: the
 * tests then fail instead of skipping themselves.
 */
export function findNginx(wanted = process.env['NGINX_PATH'] ?? ''): string | undefined {
  if (wanted === '') return findProgram('nginx');
  if (!existsSync(wanted)) throw new Error(`NGINX_PATH: there is no ${wanted}; install nginx`);
  return wanted;
}

/** The option `skip` of a test that needs nginx. */
export const skip = findNginx() === undefined && 'there is no nginx: install Debian’s package nginx, or set NGINX_PATH';

const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

type Replacements = readonly (readonly [from: string, to: string])[];

export interface Nginx {
  /** `http://127.0.0.1:40123` */
  readonly url: string;
  readonly pid: number | undefined;
}

const balancer = join(import.meta.dirname, '../../deploy/nginx.conf');
const lineOf = (place: string) => `server ${place} weight=10 max_fails=0;`;

/** The balancer that we ship, before the services of these URLs. The lines of further ones are left out. */
export const startShippedNginx = (t: Owner, urls: readonly string[], replacements: Replacements = []): Promise<Nginx> =>
  startNginx(t, balancer, [
    ...[1, 2, 3].map((n) => {
      const url = urls[n - 1];
      return [lineOf(`understudy-${n}:8000`), url === undefined ? '' : lineOf(new URL(url).host)] as const;
    }),
    ...replacements,
  ]);

/**
 * Runs nginx in one process with a free port and no file outside of a folder of its own, until its owner ends; resolves
 * when it listens.
 * @param replacements each of these texts must be in the file once
 */
export async function startNginx(t: Owner, file: string, replacements: Replacements): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-nginx-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
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
  return { url: `http://127.0.0.1:${port}`, pid: nginx.pid };
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
