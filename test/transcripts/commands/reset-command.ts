// Runs the user's reset command by the shell, before each scenario of a replay.
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Undo } from '../../../src/base/undo.ts';
import { runProgram } from '../../follow/weblate/run-program.ts';
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
  await using undo = new Undo();
  const folder = await mkdtemp(join(tmpdir(), 'understudy-reset-'));
  undo.defer(() => rm(folder, { recursive: true }));
  // A file rather than a pipe: a server that the command leaves behind may keep it open without holding us up.
  const outputFile = join(folder, 'output');
  const output = undo.use(await open(outputFile, 'w'));
  const code = await runProgram(['sh', '-c', command], {
    env: { ...env, VERIFY_SCENARIO: scenario, VERIFY_SEED_FILE: seedFile },
    output: output.fd,
    signal,
  });
  if (code === 0) return;
  const text = redact(await readFile(outputFile, 'utf8')).trim();
  const message = `the reset command failed before ${scenario} (exit ${code})`;
  throw new UserError(text === '' ? message : `${message}:\n${text}`);
}
