// Runs the user's reset command by the shell, before each scenario of a replay.
import { spawn } from 'node:child_process';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WrongUse } from './command.ts';
import type { CommandIo } from './command.ts';

export interface ResetCommand {
  command: string;
  scenario: string;
  /** Absolute path; given on as VERIFY_SEED_FILE. */
  seedFile: string | null;
  /** Makes the command's output fit to be shown. */
  redact: (text: string) => string;
}

/** Output is shown only when the command fails. Throws WrongUse then, or what the signal was aborted with. */
export async function runResetCommand(reset: ResetCommand, { env, signal }: CommandIo): Promise<void> {
  signal.throwIfAborted();
  // A file rather than a pipe: a server that the command leaves behind may hold on to it without holding us up.
  const folder = await mkdtemp(join(tmpdir(), 'understudy-reset-'));
  try {
    const outputFile = join(folder, 'output');
    const failure = await runShell(reset, outputFile, { env, signal });
    if (failure === null) return;
    const said = reset.redact(await readFile(outputFile, 'utf8')).trim();
    const message = `the reset command failed before ${reset.scenario} (${failure})`;
    throw new WrongUse(said === '' ? message : `${message}:\n${said}`, { showUsage: false });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Gives null, or how the command failed. */
async function runShell(
  { command, scenario, seedFile }: ResetCommand,
  outputFile: string,
  { env, signal }: Pick<CommandIo, 'env' | 'signal'>,
): Promise<string | null> {
  const seed = seedFile === null ? {} : { VERIFY_SEED_FILE: seedFile };
  await using output = await open(outputFile, 'w');
  // A process group of its own: on Ctrl-C what the shell has started ends with it.
  const child = spawn(command, {
    shell: true,
    detached: process.platform !== 'win32',
    env: { ...env, VERIFY_SCENARIO: scenario, ...seed },
    stdio: ['ignore', output.fd, output.fd],
  });
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  const stop = () => {
    killGroup(child.pid);
    reject(signal.reason);
  };
  signal.addEventListener('abort', stop, { once: true });
  child.on('error', reject);
  child.on('exit', (code, killedBy) => resolve(code === 0 ? null : `exit ${code ?? killedBy}`));
  return await promise.finally(() => signal.removeEventListener('abort', stop));
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGTERM');
  } catch {
    // It has ended meanwhile.
  }
}
