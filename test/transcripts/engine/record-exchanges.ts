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
/** Kept where the scenario has them: elsewhere a server's limits would stand in every answer, and change with each. */
const limitPrefix = 'x-ratelimit-';

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
    const isAboutLimits = scenario.steps.some(({ response }) => listLimits(response.headers).length > 0);
    for (const { title, request, response } of scenario.steps) {
      onStep(scenario);
      const answer = readAnswer(await send(request, target), response, isAboutLimits);
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

const listLimits = (headers: object): string[] =>
  Object.keys(headers).filter((name) => name.toLowerCase().startsWith(limitPrefix));

function readAnswer(received: Received, before: TranscriptResponse, isAboutLimits: boolean): TranscriptResponse {
  const wanted = Object.keys(before.headers).map((name) => name.toLowerCase());
  const limits = isAboutLimits ? listLimits(received.headers) : [];
  const names = [...new Set([...wanted, ...keptHeaders, ...limits])].filter((name) => received.headers[name]);
  const headers = Object.fromEntries(names.map((name) => [name, received.headers[name]?.join(', ') ?? '']));
  return { status: received.status, headers, ...readContent(received.body) };
}

export function formatScenario({ name, steps }: Scenario): string {
  const untitled = steps.map(({ request, response }) => ({ request, response }));
  return `${JSON.stringify({ scenario: name, steps: untitled }, null, 1)}\n`;
}
