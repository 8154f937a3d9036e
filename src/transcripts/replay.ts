// Replays scenarios against a server, each from the state that the reset makes, and tells step by step what differs.
import { compare } from './compare.ts';
import type { Mismatch } from './compare.ts';
import { getExpectation } from './expectation.ts';
import { NoAnswerError, send } from './send.ts';
import type { Target } from './send.ts';
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

export interface ReplayOptions extends Target {
  scenarios: readonly Scenario[];
  differences: Differences;
  /** Runs before each scenario; what it throws ends the replay. */
  reset?: ((scenario: Scenario) => Promise<void>) | undefined;
  /** Beginnings of the names of the scenarios to replay; all when absent or empty. */
  only?: readonly string[] | undefined;
}

/** Throws UnreachableError, or what the signal was aborted with; a request without an answer is a mismatch. */
export async function* replay(options: ReplayOptions): AsyncGenerator<StepResult, void, undefined> {
  for (const scenario of selectScenarios(options.scenarios, options.only)) {
    options.signal?.throwIfAborted();
    await options.reset?.(scenario);
    for (const [index, step] of scenario.steps.entries()) yield await replayStep(scenario.name, index, step, options);
  }
}

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
    return { ...result, mismatches: [{ place: 'answer', expected: 'an answer', received: `none (${error.message})` }] };
  }
}
