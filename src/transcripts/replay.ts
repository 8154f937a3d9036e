// Replays scenarios against a server, each after a reset, and reports the differences of each step.
import type { Mismatch } from './compare-json.ts';
import { compare } from './compare.ts';
import { getExpectation } from './expectation.ts';
import { NoAnswerError, send, type Target } from './send-request.ts';
import type { Differences, Scenario, Step, TranscriptRequest } from './transcript.ts';

export interface StepResult {
  scenario: string;
  step: number;
  request: TranscriptRequest;
  /** Empty when the answer is as expected. The texts may hold tokens if the server repeats them: redact before printing. */
  mismatches: Mismatch[];
  /** Why the answer was not compared. The request is sent all the same: later steps build on it. */
  skipped?: string;
}

interface ReplayOptions extends Target {
  scenarios: readonly Scenario[];
  differences: Differences;
  /** Runs before each scenario; what it throws ends the replay. */
  reset?: ((scenario: Scenario) => Promise<void>) | undefined;
}

/** Throws UnreachableError, or the signal's reason; a request without an answer is a mismatch. */
export async function* replay(options: ReplayOptions): AsyncGenerator<StepResult, void, undefined> {
  for (const scenario of options.scenarios) {
    options.signal?.throwIfAborted();
    await options.reset?.(scenario);
    for (const [index, step] of scenario.steps.entries()) yield await replayStep(scenario.name, index, step, options);
  }
}

/** Those whose names begin with one of the prefixes; all if there are none. */
export function selectScenarios(scenarios: readonly Scenario[], only: readonly string[] = []): Scenario[] {
  return scenarios.filter(({ name }) => only.length === 0 || only.some((prefix) => name.startsWith(prefix)));
}

async function replayStep(
  scenario: string,
  index: number,
  { request, response }: Step,
  options: ReplayOptions,
): Promise<StepResult> {
  const expected = getExpectation(scenario, index, response, options.differences);
  const skipped = expected.skip === undefined ? {} : { skipped: expected.skip };
  const result = { scenario, step: index, request, ...skipped };
  try {
    const received = await send(request, options);
    return { ...result, mismatches: compare(expected, received, options.baseUrl) };
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    return { ...result, mismatches: [{ place: 'answer', expected: 'an answer', received: `none (${error.reason})` }] };
  }
}
