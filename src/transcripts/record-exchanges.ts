// Runs the requests of scenarios against a server and makes the same scenarios with that server's answers, without base URL and
// tokens.
import { readContent } from './content.ts';
import { makeLeaveOutBaseUrl, makeRedact } from './placeholders.ts';
import { mapStrings } from './raw-json.ts';
import { type Received, send, type Target } from './send-request.ts';
import type { Scenario, Step, TranscriptResponse } from './transcript.ts';

/** Kept beside those that the transcript has already. */
const keptHeaders = ['content-type', 'allow', 'vary', 'www-authenticate', 'location', 'retry-after'];
const keptPrefix = 'x-ratelimit-';

interface RecordOptions extends Target {
  scenarios: readonly Scenario[];
  /** Runs before each scenario; what it throws ends the recording. */
  reset?: ((scenario: Scenario) => Promise<void>) | undefined;
  /** Called before each request. */
  onStep?: ((scenario: Scenario) => void) | undefined;
}

/** Throws UnreachableError, NoAnswerError, or the signal's reason. */
export async function record(options: RecordOptions): Promise<Scenario[]> {
  const recorded: Scenario[] = [];
  for (const scenario of options.scenarios) {
    options.signal?.throwIfAborted();
    await options.reset?.(scenario);
    recorded.push({ ...scenario, steps: await recordSteps(scenario, options) });
  }
  return recorded;
}

async function recordSteps(scenario: Scenario, options: RecordOptions): Promise<Step[]> {
  const leaveOutBaseUrl = makeLeaveOutBaseUrl(options.baseUrl);
  const redact = makeRedact(options.tokens);
  const steps: Step[] = [];
  for (const { request, response } of scenario.steps) {
    options.onStep?.(scenario);
    const answer = readAnswer(await send(request, options), response);
    steps.push({
      request: mapStrings(request, redact),
      response: mapStrings(answer, (text) => redact(leaveOutBaseUrl(text))),
    });
  }
  return steps;
}

function readAnswer(received: Received, before: TranscriptResponse): TranscriptResponse {
  const wanted = Object.keys(before.headers).map((name) => name.toLowerCase());
  const limits = Object.keys(received.headers).filter((name) => name.startsWith(keptPrefix));
  const names = [...new Set([...wanted, ...keptHeaders, ...limits])].filter((name) => received.headers[name]);
  const headers = Object.fromEntries(names.map((name) => [name, received.headers[name]?.join(', ') ?? '']));
  return { status: received.status, headers, ...readContent(received.body) };
}

/** A scenario as its file holds it. */
export function formatScenario({ name, steps }: Scenario): string {
  return `${JSON.stringify({ scenario: name, steps }, null, 1)}\n`;
}
