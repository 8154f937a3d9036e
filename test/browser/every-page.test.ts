// What holds for every page, on a phone in the light scheme and on a desk in the dark one.
import { test } from 'tap';
import { startService } from '../support/service.ts';
import { everyPage, show } from './every-page.ts';
import { findFaults, findFocusFaults, openPage, skip } from './support.ts';

const firstStops = 4;

for (const [width, scheme] of [
  [390, 'light'],
  [1280, 'dark'],
] as const)
  await test(`${width} px wide, ${scheme}`, { skip }, async (t) => {
    const service = await startService(t);
    const page = await openPage(t, { hosts: [service.url], width, scheme });
    for (const one of everyPage) {
      await show(page, one);
      const faults = await findFaults(page);
      for (let stop = 0; stop < firstStops; stop++) {
        await page.keyboard.press('Tab');
        faults.push(...(await findFocusFaults(page)));
      }
      t.same(faults, [], one.name);
    }
  });
