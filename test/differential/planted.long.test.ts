// The differential run with a sandbox of our own as the real system: it finds every planted fault, and nothing else.
import { type Test, test } from 'tap';
import { readWorld } from '../generator/world.ts';
import { startService } from '../support/service.ts';
import { differ, type Report } from './differ.ts';
import type { Sides } from './episode.ts';
import { plantable } from './faults.ts';
import { sandboxSide } from './sides.ts';

async function openSides(t: Test): Promise<Sides> {
  const { url } = await startService(t, { seed: null, anonymous: 'strict' });
  const world = await readWorld();
  const [theirs, ours] = [await sandboxSide(url, 'theirs'), await sandboxSide(url, 'ours')];
  return { world, theirs, ours };
}

await test('two sandboxes of one service answer alike', async (t) => {
  const sides = await openSides(t);
  const report = await differ({ sides, seed: 1, steps: 600 });
  t.same([...report.classes.keys()], []);
  t.equal(report.steps, 600);
});

await test('planted faults are found', async (t) => {
  const sides = await openSides(t);
  for (const [name, change] of Object.entries(plantable)) {
    const ours = { ...sides.ours, change };
    // With this seed a run soon creates what each fault needs.
    const isOver = ({ classes, steps }: Report) => classes.size > 0 || steps === 2000;
    const { classes } = await differ({ sides: { ...sides, ours }, seed: 2, steps: 2000, isOver });
    t.equal(classes.size, 1, name);
  }
});
