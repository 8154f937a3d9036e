// Runs a curl line in a shell, as a person does who copied it from a page.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

interface Answered {
  readonly status: number;
  readonly body: string;
}

/** Rejects if the shell or curl fails. A status of 400 or above is no failure. */
export async function runCurl(line: string): Promise<Answered> {
  const script = `curl() { command curl --silent --show-error --write-out '\\n%{http_code}' "$@"; }\n${line}`;
  const { stdout } = await promisify(execFile)('sh', ['-c', script]);
  const end = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(end)), body: stdout.slice(0, end) };
}
