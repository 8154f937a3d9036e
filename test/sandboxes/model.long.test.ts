// The model of test/sandboxes/model.test.ts with other seeds and more operations.
import { t as file, test } from 'tap';
import { startService } from '../support/service.ts';
import { runModel } from './model-run.ts';

file.setTimeout(300_000);

await test('random operations on three sandboxes at once', async (t) => {
  const { url } = await startService(t);
  for (const seed of [2, 3, 4]) {
    const { fault, operations } = await runModel({ url, seed, operations: 1000 });
    t.equal(fault, undefined);
    t.ok(operations >= 1000, `seed ${seed}`);
  }
});
