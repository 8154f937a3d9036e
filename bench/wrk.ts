// Makes load with wrk: its script reads the requests from a file, and prints the figures as a line of JSON.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from './folder.ts';
import type { Load, LoadRequest, Measured } from './load.ts';

const script = join(import.meta.dirname, 'wrk.lua');
// A byte that no request of the bench has.
const separator = '\u0001';
const file = join(makeFolder(), 'requests');

export async function loadByWrk({ url, requests, connections, seconds }: Load): Promise<Measured> {
  await writeFile(file, requests.map((request) => onTheWire(request, new URL(url).host)).join(separator));
  // One thread: on two cores, a second thread would take processor time from the programs under load.
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script, url, '--', file];
  const { stdout } = await promisify(execFile)('wrk', args);
  const line = stdout.split('\n').find((text) => text.startsWith('{'));
  if (line === undefined) throw new Error(`wrk said nothing that can be read:\n${stdout}`);
  return JSON.parse(line) as Measured;
}

function onTheWire({ method, path, headers, body }: LoadRequest, host: string): string {
  const all = {
    host,
    ...headers,
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}
