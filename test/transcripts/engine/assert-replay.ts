// Replays recorded scenarios in a test, which fails where an answer differs.
import { Agent } from 'node:http';
import type { Test } from 'tap';
import { transcriptsFolder } from '../../support/service.ts';
import { loadTranscripts } from './load.ts';
import { replay } from './replay.ts';
import type { Scenario } from './transcript.ts';

const { differences, tokens } = await loadTranscripts(transcriptsFolder);

/** @param reset is called before the first scenario, and before each that follows a scenario with a write */
export async function assertReplay(
  t: Test,
  chosen: readonly Scenario[],
  baseUrl: string,
  reset?: () => Promise<void>,
): Promise<void> {
  const found: string[] = [];
  // True at first: the first scenario needs a reset. Scenarios that only read leave it false.
  let isChanged = true;
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  const resetChanged = async () => {
    if (isChanged) await reset?.();
    isChanged = false;
  };
  for await (const result of replay({ scenarios: chosen, differences, baseUrl, tokens, agent, reset: resetChanged })) {
    isChanged ||= !['GET', 'HEAD', 'OPTIONS'].includes(result.request.method);
    if (result.mismatches.length === 0) continue;
    const { scenario, step, mismatches } = result;
    const places = mismatches.map((m) => `${m.place}: expected ${short(m.expected)}, received ${short(m.received)}`);
    found.push([`${scenario}: ${step}`, ...places].join('\n'));
  }
  t.same(found, [], 'nothing differs; what differs on purpose stands in test/transcripts/data/differences.json');
}

const short = (text: string) => (text.length <= 300 ? text : `${text.slice(0, 300)}…`);
