// Every recorded scenario against the service itself, at the root and in a sandbox under its prefix.
import { t as file, test } from 'tap';
import { applySeed } from '../../src/seeds/load/apply.ts';
import { assertReplay } from './engine/assert-replay.ts';
import { loadTranscripts } from './engine/load.ts';
import type { Scenario } from './engine/transcript.ts';
import { addSandbox } from '../support/sandbox-database.ts';
import { readSeed, startService, transcriptsFolder } from '../support/service.ts';

file.setTimeout(180_000);

const { scenarios } = await loadTranscripts(transcriptsFolder);
// As they were recorded: 2 a day without a token, 3 an hour with one.
const recordedLimits = { anonymous: '2/day', user: '3/hour' };
const [limited, unlimited] = [true, false].map((wanted) =>
  scenarios.filter(({ name }) => name.startsWith('ratelimit/') === wanted),
) as [Scenario[], Scenario[]];

await test('the service answers as recorded at the root', async (t) => {
  const service = await startService(t, { seed: 'transcripts', anonymous: 'strict' });
  await assertReplay(t, unlimited, service.url, () => service.reset());
});

await test('the service answers as recorded in a sandbox, under its prefix', async (t) => {
  const { url, database } = await startService(t, { seed: null, anonymous: 'strict' });
  const seed = await readSeed('transcripts');
  const sandboxId = await addSandbox(database.load, 'mine');
  await assertReplay(t, unlimited, `${url}/sandboxes/mine`, async () => {
    await applySeed(database.load, { sandboxId, seeds: [seed], mode: 'replace', seedName: 'test' });
  });
});

await test('the service answers as recorded with rate limits', async (t) => {
  for (const scenario of limited)
    await t.test(scenario.name, async (own) => {
      const { url } = await startService(own, { seed: 'transcripts', anonymous: 'strict', rateLimits: recordedLimits });
      await assertReplay(own, [scenario], url);
    });
});
