// What verify and record have in common: the folder and the server they are given, the reset, and what went wrong.
import { BaseUrlError, readBaseUrl } from '../transcripts/placeholder.ts';
import { loadTranscripts, TranscriptFaults } from '../transcripts/load.ts';
import type { Transcripts } from '../transcripts/load.ts';
import { selectScenarios } from '../transcripts/replay.ts';
import { NoAnswerError, UnreachableError } from '../transcripts/send.ts';
import { makeRedact } from '../transcripts/tokens.ts';
import type { Scenario } from '../transcripts/transcript.ts';
import { WrongUse } from './command.ts';
import type { CommandIo } from './command.ts';
import { startProgress } from './progress.ts';
import type { Progress } from './progress.ts';
import { runResetCommand } from './reset-command.ts';

export const sessionOptions = {
  against: { type: 'string' },
  reset: { type: 'string' },
  only: { type: 'string', multiple: true },
  except: { type: 'string', multiple: true },
  seed: { type: 'string' },
} as const;

export const sessionUsage = `  --against URL     the server; the URL may carry a path, such as http://127.0.0.1:8000/sandboxes/mine
  --reset COMMAND   run by the shell before each scenario, to bring the server back to the state of the seed;
                    it gets VERIFY_SCENARIO and VERIFY_SEED_FILE
  --only PREFIX     only scenarios whose name begins so; may be given several times
  --except PREFIX   not these; may be given several times
  --seed FILE       whose users' tokens are sent (default: seed.json in DIR)`;

interface SessionValues {
  against?: string | undefined;
  reset?: string | undefined;
  only?: string[] | undefined;
  except?: string[] | undefined;
  seed?: string | undefined;
}

export interface TranscriptSession extends Transcripts {
  /** The scenarios chosen. */
  scenarios: Scenario[];
  baseUrl: string;
  stepCount: number;
  redact: (text: string) => string;
  reset: ((scenario: Scenario) => Promise<void>) | undefined;
  progress: Progress;
}

/** Throws WrongUse. */
export async function openTranscriptSession(
  values: SessionValues,
  positionals: readonly string[],
  io: CommandIo,
): Promise<TranscriptSession> {
  const [folder] = positionals;
  if (folder === undefined || positionals.length !== 1) throw new WrongUse('one folder of transcripts must be named');
  if (values.against === undefined) throw new WrongUse('--against must say which server');
  const { baseUrl, loaded } = await read(values.against, folder, values.seed);
  const except = values.except?.length
    ? new Set(selectScenarios(loaded.scenarios, values.except))
    : new Set<Scenario>();
  const scenarios = selectScenarios(loaded.scenarios, values.only).filter((scenario) => !except.has(scenario));
  if (scenarios.length === 0) throw new WrongUse('no scenario is left of those in the folder', { showUsage: false });

  const redact = makeRedact(loaded.tokens);
  const { reset: command } = values;
  const reset = (scenario: Scenario) =>
    runResetCommand({ command: command ?? '', scenario: scenario.name, seedFile: loaded.seedFile, redact }, io);
  if (command === undefined) noteWrites(scenarios, io);
  return {
    ...loaded,
    scenarios,
    baseUrl,
    stepCount: scenarios.reduce((sum, scenario) => sum + scenario.steps.length, 0),
    redact,
    reset: command === undefined ? undefined : reset,
    progress: startProgress(io.stderr),
  };
}

async function read(against: string, folder: string, seedFile: string | undefined) {
  try {
    const baseUrl = readBaseUrl(against);
    return { baseUrl, loaded: await loadTranscripts(folder, seedFile === undefined ? {} : { seedFile }) };
  } catch (error) {
    if (error instanceof BaseUrlError) throw new WrongUse(`--against: ${error.message}`);
    if (error instanceof TranscriptFaults) throw new WrongUse(error.message, { showUsage: false });
    throw error;
  }
}

function noteWrites(scenarios: readonly Scenario[], io: CommandIo): void {
  const reads = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
  const writing = scenarios.filter(({ steps }) => steps.some(({ request }) => !reads.has(request.method))).length;
  if (writing > 0)
    io.stderr.write(
      `note: without --reset each scenario starts from what the one before left; ${writing} of them write\n`,
    );
}

/** Runs `work`; a server that gives no answer becomes a WrongUse that says so. The rewritten line of progress never stays. */
export async function withServer<T>({ baseUrl, progress }: TranscriptSession, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnreachableError)
      throw new WrongUse(`${baseUrl} is not reachable (${error.message})`, { showUsage: false });
    if (error instanceof NoAnswerError)
      throw new WrongUse(`${baseUrl} took a request and gave no answer (${error.message})`, { showUsage: false });
    throw error;
  } finally {
    progress.clear();
  }
}
