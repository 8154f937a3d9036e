// `npm run fuzz`: random operations on three sandboxes at once, and then the fuzzer, on one service.
import { defineCommand } from '../../src/cli/command.ts';
import { exits, readCount, readUrlOption, valued } from '../../src/cli/usage.ts';
import { startOwn } from '../differential/sides.ts';
import { runModel } from '../sandboxes/model-run.ts';
import { describeFault, fuzz, settings } from './fuzz.ts';
import { createTally } from './tally.ts';

const options = {
  requests: { ...valued('N', 'how many requests to send (default: 20000)'), default: '20000' },
  seed: valued('N', 'the same seed makes the same requests (default: from the clock)'),
  against: valued('URL', 'a running service; replaces its sandboxes default, one, two, spare, heron, otter and lynx'),
};

export const fuzzing = defineCommand({
  name: 'fuzz',
  summary: 'send valid and broken requests to a service, and print its faults',
  forms: ['npm run fuzz -- [options]'],
  about: `Starts a service on an embedded PostgreSQL, or uses a running one. First sends up to a thousand operations
to each of three sandboxes at once: each sandbox must answer as it does alone. Then sends the random requests, and prints for
each kind of fault the shortest sequence of requests that repeats it.`,
  exit: 'Exit: 0 no faults, 1 faults, 2 wrong usage or the service is unreachable, 130 Ctrl-C.',
  options,
  async run({ requests, seed: given, against }, _operands, { undo, note, print, progress, signal }) {
    const count = readCount('--requests', requests, 1);
    const seed = given === undefined ? Date.now() % 1_000_000 : readCount('--seed', given, 0);
    const own = against === undefined ? await startOwn(undo, settings) : undefined;
    const url = own?.url ?? readUrlOption('--against', against);
    const ofModel = await runModel({ url, seed, operations: Math.min(1000, count / 20), signal });
    note(`${Math.round(ofModel.operations)} operations in each of three sandboxes, alone and at once`);
    const tally = createTally();
    const startedAt = performance.now();
    const onBatch = () => progress.show(`${tally.requests} of ${count} requests, ${tally.faults.size} kinds of faults`);
    await fuzz({ url, seed, count, tally, signal, onBatch });
    signal.throwIfAborted();
    const rate = Math.round(tally.requests / ((performance.now() - startedAt) / 1000));

    if (ofModel.fault !== undefined) print(`three sandboxes at once: ${ofModel.fault}`);
    for (const found of tally.faults.values()) print(await describeFault(found, own?.said.stdout));
    const seen = [...tally.seen].toSorted(([a], [b]) => a.localeCompare(b));
    print(['| seen | times |', '| --- | --- |', ...seen.map(([name, times]) => `| ${name} | ${times} |`)].join('\n'));
    print(`seed ${seed}: ${tally.requests} requests, ${rate} a second; ${tally.faults.size} kinds of faults`);
    return tally.faults.size > 0 || ofModel.fault !== undefined ? exits.no : exits.done;
  },
});
