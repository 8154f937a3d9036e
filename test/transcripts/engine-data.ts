// The recorded folder that the tests of the engine use.
import { loadTranscripts } from './engine/load.ts';
import type { Scenario } from './engine/transcript.ts';

export const data = new URL('data', import.meta.url).pathname;
export const { scenarios, tokens } = await loadTranscripts(data);
export const stepCount = scenarios.reduce((sum, { steps }) => sum + steps.length, 0);
/** As the commands' summaries begin. */
export const counted = `${scenarios.length} scenarios, ${stepCount} steps`;
export const secrets = [...new Set(tokens.values())];

export function choose(prefix: string): Scenario[] {
  return scenarios.filter(({ name }) => name.startsWith(prefix));
}
