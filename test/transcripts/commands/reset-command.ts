// Runs the user's reset command by the shell, before each scenario of a replay.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Undo } from '../../../src/base/undo.ts';
import type { CommandIo } from '../../../src/cli/command.ts';
import { UserError } from '../../../src/base/errors.ts';

interface ResetCommand {
  readonly command: string;
  readonly scenario: string;
  /** Absolute path; passed on as VERIFY_SEED_FILE. */
  readonly seedFile: string | undefined;
  /** Takes tokens out of the command's output. */
  readonly redact: (text: string) => string;
}

/** Throws UserError with the command's output if it fails. */
export async function runResetCommand(
  { command, scenario, seedFile, redact }: ResetCommand,
  { env, signal }: CommandIo,
): Promise<void> {
  signal.throwIfAborted();
  await using undo = new Undo();
  const folder = await mkdtemp(join(tmpdir(), 'understudy-reset-'));
  undo.defer(() => rm(folder, { recursive: true }));
  // A file rather than a pipe: a server that the command leaves behind may keep it open without holding us up.
  const outputFile = join(folder, 'output');
  const output = undo.use(await open(outputFile, 'w'));
  // A process group of its own: Ctrl-C ends all that the shell has started.
  const child = spawn(command, {
    shell: true,
    detached: true,
    env: { ...env, VERIFY_SCENARIO: scenario, VERIFY_SEED_FILE: seedFile },
    stdio: ['ignore', output.fd, output.fd],
  });
  const [code, killedBy] = (await once(child, 'exit', { signal }).catch((error: unknown) => {
    endGroup(child.pid);
    throw error;
  })) as [number | null, string | null];
  if (code === 0) return;
  const text = redact(await readFile(outputFile, 'utf8')).trim();
  const message = `the reset command failed before ${scenario} (exit ${code ?? killedBy})`;
  throw new UserError(text === '' ? message : `${message}:\n${text}`);
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // It has already ended.
  }
}
