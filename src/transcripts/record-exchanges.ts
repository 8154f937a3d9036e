// Runs the requests of scenarios against a server and makes the same scenarios with that server's answers, without base
// URL and tokens.
import { readContent } from './content.ts';
import { makeLeaveOutBaseUrl, makeRedact } from './placeholders.ts';
import { mapStrings } from './raw-json.ts';
import type { RunOptions } from './replay.ts';
import { type Received, send } from './send-request.ts';
import type { Scenario, Step, TranscriptResponse } from './transcript.ts';

/** Kept beside those that the transcript has already. */
const keptHeaders = ['content-type', 'allow', 'vary', 'www-authenticate', 'location', 'retry-after'];
const keptPrefix = 'x-ratelimit-';

interface RecordOptions extends RunOptions {
  /** Called before each request. */
  onStep: (scenario: Scenario) => void;
}

/** Throws UnreachableError, NoAnswerError, or the signal's reason. */
export async function record({ scenarios, reset, onStep, ...target }: RecordOptions): Promise<Scenario[]> {
  const leaveOutBaseUrl = makeLeaveOutBaseUrl(target.baseUrl);
  const redact = makeRedact(target.tokens);
  const recorded: Scenario[] = [];
  for (const scenario of scenarios) {
    target.signal?.throwIfAborted();
    await reset?.(scenario);
    const steps: Step[] = [];
    for (const { request, response } of scenario.steps) {
      onStep(scenario);
      const answer = readAnswer(await send(request, target), response);
      steps.push({
        request: mapStrings(request, redact),
        response: mapStrings(answer, (text) => redact(leaveOutBaseUrl(text))),
      });
    }
    recorded.push({ ...scenario, steps });
  }
  return recorded;
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
