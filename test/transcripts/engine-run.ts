// Runs a command as bin/understudy does, with its streams kept; and the recorded folder that the commands' tests use.
import type { Command } from '../../src/cli/command.ts';
import { loadTranscripts } from '../../src/transcripts/load.ts';
import type { Scenario } from '../../src/transcripts/transcript.ts';

export const data = new URL('data', import.meta.url).pathname;
export const { scenarios, tokens } = await loadTranscripts(data);
export const secrets = [...new Set(tokens.values())];

export function choose(prefix: string): Scenario[] {
  return scenarios.filter(({ name }) => name.startsWith(prefix));
}

export async function run(
  command: Command,
  args: string[],
  { isTTY = false, signal = new AbortController().signal } = {},
) {
  const written = { stdout: '', stderr: '' };
  const stdout = { write: (text: string) => (written.stdout += text) };
  const stderr = { write: (text: string) => (written.stderr += text), isTTY };
  const code = await command.run(args, { stdout, stderr, env: process.env, signal });
  return { code, ...written };
}
