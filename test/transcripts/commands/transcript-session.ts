// What verify and record share: the scenarios, the server, and the reset before each scenario.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadTranscripts } from '../engine/load.ts';
import { selectScenarios } from '../engine/replay.ts';
import { makeRedact } from '../engine/placeholders.ts';
import type { Scenario } from '../engine/transcript.ts';
import type { CommandContext } from '../../../src/cli/command.ts';
import { UserError } from '../../../src/base/failure.ts';
import { readUrlOption, UsageError, type Values } from '../../../src/cli/usage.ts';
import type { Undo } from '../../../src/base/undo.ts';
import { runIn } from '../../follow/weblate/install.ts';
import { isRelease, openRelease, type Release } from '../../follow/weblate/open-release.ts';
import type { Limits } from '../../follow/weblate/settings.ts';
import { readWorld } from '../../generator/world.ts';

const defaultFolder = join(import.meta.dirname, '../data');

export const sessionOptions = {
  recordings: { type: 'string', default: defaultFolder },
  reset: { type: 'string' },
  only: { type: 'string', multiple: true },
  except: { type: 'string', multiple: true },
  seed: { type: 'string' },
} as const;

export const sessionUsage = `  URL               the server; it may carry a path, such as http://127.0.0.1:8000/sandboxes/mine. Or the number of a
                    release of Weblate, such as 2026.10.1, which is then installed and run
  --recordings DIR  the folder of the recordings (default: test/transcripts/data)
  --reset COMMAND   run by the shell before each scenario, to bring the server back to the state of the seed;
                    it gets VERIFY_SCENARIO and VERIFY_SEED_FILE
  --only PREFIX     only scenarios whose name begins with the prefix; may be given several times
  --except PREFIX   no scenarios whose name begins with the prefix; may be given several times
  --seed FILE       the seed whose users' tokens are sent (default: seed.json in the folder of the recordings)`;

export async function openTranscriptSession(
  { recordings, reset: command, only, except = [], seed }: Values<typeof sessionOptions>,
  server: string | Release,
  context: CommandContext,
) {
  const release = typeof server === 'string' ? undefined : server;
  if (release !== undefined && command !== undefined) throw new UsageError('--reset goes with a URL');
  const loaded = await loadTranscripts(recordings, seed);
  const excluded = new Set(except.length === 0 ? [] : selectScenarios(loaded.scenarios, except));
  const scenarios = selectScenarios(loaded.scenarios, only).filter((scenario) => !excluded.has(scenario));
  if (scenarios.length === 0) throw new UserError('--only and --except leave no scenario of the folder');

  const redact = makeRedact(loaded.tokens);
  if (command === undefined && release === undefined) noteWrites(scenarios, context);
  return {
    ...loaded,
    scenarios,
    baseUrl: typeof server === 'string' ? server : server.side.baseUrl,
    stepCount: scenarios.reduce((sum, scenario) => sum + scenario.steps.length, 0),
    redact,
    reset:
      command === undefined
        ? release && makeReleaseReset(release)
        : async ({ name }: Scenario) => {
            const env = { ...context.env, VERIFY_SCENARIO: name, VERIFY_SEED_FILE: loaded.seedFile };
            await runReset(command, { env, signal: context.signal }).catch((error: unknown) => {
              throw error instanceof UserError
                ? new UserError(`the reset before ${name}: ${redact(error.message)}`)
                : error;
            });
          },
  };
}

/** Throws UserError with the end of the command's output if it fails. */
async function runReset(command: string, io: Pick<CommandContext, 'env' | 'signal'>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-reset-'));
  try {
    await runIn(folder, [['sh', '-c', command]], io, { cwd: process.cwd() });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Reads the operand URL. A release runs until `owned` ends it. */
export async function openServer(url: string, owned: Undo, context: CommandContext): Promise<string | Release> {
  if (!isRelease(url)) return readUrlOption('URL', url);
  return await openRelease({ release: url, world: await readWorld() }, owned, context);
}

/** The limits with which the scenarios `ratelimit/…` were recorded. */
const recordedLimits: Limits = { anonymous: '2/day', user: '3/hour' };

function makeReleaseReset({ restart, reset }: Release) {
  let isLimited: boolean | undefined;
  return async ({ name }: Scenario) => {
    const wasLimited = isLimited;
    isLimited = name.startsWith('ratelimit/');
    await (isLimited === wasLimited ? reset() : restart(isLimited ? recordedLimits : undefined));
  };
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

function noteWrites(scenarios: readonly Scenario[], { note }: CommandContext): void {
  const isWriting = ({ steps }: Scenario) => steps.some(({ request }) => !readingMethods.has(request.method));
  const writing = scenarios.filter(isWriting).length;
  if (writing > 0)
    note(`note: without --reset each scenario starts from what the one before left; ${writing} of them write`);
}
