// What a real Weblate needs from the machine, and the variables that say where each thing is.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { UserError } from '../../../src/base/failure.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface Machine {
  readonly folder: string;
  readonly python: string;
  /** The URL of a database other than Weblate's, with a role that may create databases. */
  readonly postgres: string;
  /** The URL of a database of Redis, which is emptied often. */
  readonly redis: string;
}

export const variables = {
  WEBLATE_FOLDER: '~/.cache/understudy/weblate',
  WEBLATE_PYTHON: 'python3',
  WEBLATE_POSTGRES: 'postgres://weblate:weblate@127.0.0.1:5432/postgres',
  WEBLATE_REDIS: 'redis://127.0.0.1:6379/1',
};

export function readMachine(env: Env): Machine {
  const get = (name: keyof typeof variables) => env[name] ?? variables[name];
  return {
    folder: resolve(get('WEBLATE_FOLDER').replace(/^~(?=\/)/u, homedir)),
    python: get('WEBLATE_PYTHON'),
    postgres: get('WEBLATE_POSTGRES'),
    redis: get('WEBLATE_REDIS'),
  };
}

const execute = promisify(execFile);
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return code === 'ENOENT' ? 'not found' : code || error.message;
};

/** From release 5.15 on, Weblate requires Python 3.12; earlier releases run with Python 3.12 too. */
async function findPythonFault({ python }: Machine, env: Env): Promise<string | undefined> {
  const script = 'import sys, venv, ensurepip; print(sys.version.split()[0], sys.version_info >= (3, 12))';
  const found = await execute(python, ['-c', script], { env }).then(
    ({ stdout }) => stdout.trim().split(' '),
    (error: unknown) => [reasonOf(error)],
  );
  if (found[1] === 'True') return undefined;
  return `Python 3.12 or newer, with venv (${python}: ${found[0]}); WEBLATE_PYTHON can name another`;
}

function findGitFault(_machine: Machine, env: Env): Promise<string | undefined> {
  return execute('git', ['--version'], { env }).then(
    () => undefined,
    (error: unknown) => `git (${reasonOf(error)})`,
  );
}

async function findPostgresFault({ postgres }: Machine): Promise<string | undefined> {
  const { host } = new URL(postgres);
  const client = new Client({ connectionString: postgres, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
    const { rows } = await client.query('select 1 from pg_roles where rolname = user and (rolcreatedb or rolsuper)');
    return rows.length === 1
      ? undefined
      : `PostgreSQL (${host}: the role may not create databases); WEBLATE_POSTGRES can name another`;
  } catch (error) {
    return `PostgreSQL (${host}: ${reasonOf(error)}); WEBLATE_POSTGRES can name another`;
  } finally {
    await client.end();
  }
}

/** Sends one command, and returns the answers up to the end of the connection. */
export async function askRedis(url: string, command: string): Promise<string> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port || 6379), hostname);
  await once(socket, 'connect');
  socket.end(`SELECT ${pathname.slice(1) || 0}\r\n${command}\r\nQUIT\r\n`);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

async function findRedisFault({ redis }: Machine): Promise<string | undefined> {
  const answer = await askRedis(redis, 'PING').catch(reasonOf);
  if (answer.includes('+PONG')) return undefined;
  return `Redis (${new URL(redis).host}: ${answer.trim().split('\r\n')[0]}); WEBLATE_REDIS can name another`;
}

/** Throws UserError with a line for each thing that is missing. */
export async function checkMachine(machine: Machine, env: Env): Promise<void> {
  const faults = await Promise.all(
    [findPythonFault, findGitFault, findPostgresFault, findRedisFault].map((find) => find(machine, env)),
  );
  const missing = faults.filter((fault) => fault !== undefined);
  if (missing.length > 0) throw new UserError(['a real Weblate needs', ...missing].join('\n  '));
}
