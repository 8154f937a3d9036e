// Installs a release from PyPI into a folder of its own. The next run continues an interrupted installation.
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../../src/base/failure.ts';
import type { CommandIo } from '../../../src/cli/command.ts';
import { runProgram } from './run-program.ts';

/**
 * Runs the commands, and returns their output, which a file in the folder keeps: a pipe could be held open by
 * processes that a command leaves running. Throws UserError with the end of the output.
 */
export async function runIn(
  folder: string,
  commands: readonly (readonly string[])[],
  { env, signal }: Pick<CommandIo, 'env' | 'signal'>,
  { outputName = 'log', cwd = folder } = {},
): Promise<string> {
  const file = join(folder, outputName);
  const output = await open(file, 'w');
  try {
    for (const command of commands) {
      const code = await runProgram(command, { cwd, env, output: output.fd, signal });
      if (code === 0) continue;
      const lines = (await readFile(file, 'utf8')).trimEnd().split('\n').slice(-10);
      throw new UserError(`${command.join(' ')} failed (${code}); its output ends\n${lines.join('\n')}`);
    }
  } finally {
    await output.close();
  }
  return await readFile(file, 'utf8');
}

export async function install(
  { folder, release, python }: { folder: string; release: string; python: string },
  io: Pick<CommandIo, 'env' | 'signal'> & { note: (line: string) => void },
): Promise<void> {
  const isDone = join(folder, 'installed');
  if (existsSync(isDone)) return;
  io.note(`installing Weblate ${release} into ${folder}: this takes some minutes`);
  await mkdir(folder, { recursive: true });
  const inEnvironment = join(folder, 'venv/bin/python');
  const pip = [inEnvironment, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  if (!existsSync(join(folder, 'venv/bin/pip'))) await runIn(folder, [[python, '-m', 'venv', 'venv']], io);
  await runIn(folder, [[...pip, '--no-deps', `weblate==${release}`, 'packaging']], io);
  const script = join(import.meta.dirname, 'requirements.py');
  await runIn(folder, [[inEnvironment, script]], io, { outputName: 'requirements.txt' });
  await runIn(folder, [[...pip, '-r', 'requirements.txt']], io);
  await writeFile(isDone, '');
}
