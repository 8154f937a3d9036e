// node test/fuzz/run.ts --requests N --seed S --against URL [--only NUMBER]
// Asks a server that holds the documented sample. The same seed makes the same requests; --only repeats one of them. Exit 1: faults.
import { parseArgs } from 'node:util';
import { describeFault, fuzz } from './fuzz.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    against: { type: 'string', default: 'http://127.0.0.1:8000' },
    only: { type: 'string' },
  },
});

const [first, count] = values.only === undefined ? [0, Number(values.requests)] : [Number(values.only), 1];
const { faults, statuses } = await fuzz({ url: values.against, seed: Number(values.seed), first, count });
for (const fault of faults) process.stdout.write(`${describeFault(fault)}\n\n`);
const counted = [...statuses]
  .toSorted(([a], [b]) => a.localeCompare(b))
  .map(([status, times]) => `${status}: ${times}`);
process.stdout.write(`seed ${values.seed}, ${count} requests, ${faults.length} faults (${counted.join(', ')})\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
