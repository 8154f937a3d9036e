// Replays scenarios against a server, each after a reset, and reports the differences of each step.
import type { Mismatch } from './compare-json.ts';
import { compare } from './compare.ts';
import { type Expectation, getExpectation } from './expectation.ts';
import { NoAnswerError, send, type Target } from './send-request.ts';
import type { Differences, Scenario, TranscriptRequest } from './transcript.ts';

export interface StepResult {
  scenario: string;
  step: string;
  request: TranscriptRequest;
  /** The texts may hold tokens if the server repeats them: redact before printing. */
  mismatches: Mismatch[];
  /** Why the answer was not compared. The request is sent all the same: later steps build on it. */
  skipped: string | undefined;
}

export interface RunOptions extends Target {
  scenarios: readonly Scenario[];
  /** Runs before each scenario; what it throws ends the run. */
  reset?: ((scenario: Scenario) => Promise<void>) | undefined;
}

/** Throws UnreachableError, or the signal's reason; a request without an answer is a mismatch. */
export async function* replay(options: RunOptions & { differences: Differences }): AsyncGenerator<StepResult> {
  for (const scenario of options.scenarios) {
    options.signal?.throwIfAborted();
    await options.reset?.(scenario);
    const differences = options.differences.steps[scenario.name] ?? {};
    for (const { title, request, response } of scenario.steps) {
      const expected = getExpectation(response, differences[title] ?? {}, options.differences.everywhere);
      const mismatches = await exchange(request, expected, options);
      yield { scenario: scenario.name, step: title, request, skipped: expected.skip, mismatches };
    }
  }
}

async function exchange(request: TranscriptRequest, expected: Expectation, target: Target): Promise<Mismatch[]> {
  try {
    return compare(expected, await send(request, target), target.baseUrl);
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    return [{ place: 'answer', expected: 'an answer', received: `none (${error.reason})` }];
  }
}

export function selectScenarios(scenarios: readonly Scenario[], only: readonly string[] = []): Scenario[] {
  return scenarios.filter(({ name }) => only.length === 0 || only.some((prefix) => name.startsWith(prefix)));
}
