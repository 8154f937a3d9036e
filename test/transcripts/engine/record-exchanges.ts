// Makes scenarios with the answers of a server, without base URL and tokens.
import { readContent } from './content.ts';
import { makeLeaveOutBaseUrl, makeRedact } from './placeholders.ts';
import { mapStrings } from './raw-json.ts';
import type { RunOptions } from './replay.ts';
import { type Received, send } from './send-request.ts';
import type { Scenario, Step, TranscriptResponse } from './transcript.ts';

/** Headers to keep besides those that the transcript has already. */
const keptHeaders = ['content-type', 'allow', 'vary', 'www-authenticate', 'location', 'retry-after'];

interface RecordOptions extends RunOptions {
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
    for (const { title, request, response } of scenario.steps) {
      onStep(scenario);
      const answer = readAnswer(await send(request, target), response);
      steps.push({
        title,
        request: mapStrings(request, redact),
        response: mapStrings(answer, (text) => redact(leaveOutBaseUrl(text))),
      });
    }
    recorded.push({ ...scenario, steps });
  }
  return recorded;
}

function readAnswer({ status, headers, body }: Received, before: TranscriptResponse): TranscriptResponse {
  const wanted = Object.keys(before.headers).map((name) => name.toLowerCase());
  const names = [...new Set([...wanted, ...keptHeaders])].filter((name) => headers[name]);
  const kept = Object.fromEntries(names.map((name) => [name, headers[name]?.join(', ') ?? '']));
  return { status, headers: kept, ...readContent(body) };
}

export function formatScenario({ name, steps }: Scenario): string {
  const untitled = steps.map(({ request, response }) => ({ request, response }));
  return `${JSON.stringify({ scenario: name, steps: untitled }, null, 1)}\n`;
}
