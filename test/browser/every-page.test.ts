// What holds for every page: on a phone in the light scheme, on a desk in the dark one, on paper and in forced
// colours.
import type { Page } from 'playwright-core';
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
        // Where a form was refused, the stops begin at its field, near the end of the page.
        if (stop > 0 && (await page.evaluate('document.activeElement === document.body'))) break;
        faults.push(...(await findFocusFaults(page)));
      }
      // Swagger UI has colours of its own.
      if (scheme === 'dark' && !one.name.startsWith('documentation')) faults.push(...(await findMediaFaults(page)));
      t.same(faults, [], one.name);
    }
  });

/** Paper is white with dark ink and has no menus, and forced colours show which page, tab and view is chosen. */
async function findMediaFaults(page: Page): Promise<string[]> {
  await page.emulateMedia({ media: 'print' });
  const onPaper = (await page.evaluate(String.raw`(() => {
    const lightness = (colour) => colour.match(/[\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 765;
    const seen = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
    return [
      ...seen('body, h1, main p, main td, main code')
        .filter((element) => lightness(getComputedStyle(element).color) > 0.6)
        .map((element) => 'light on paper: ' + element.outerHTML.slice(0, 80)),
      ...(lightness(getComputedStyle(document.body).backgroundColor) < 0.9 ? ['the paper is dark'] : []),
      ...seen('header details').map(() => 'a menu on paper'),
    ];
  })()`)) as string[];
  await page.emulateMedia({ media: 'screen', forcedColors: 'active' });
  const forced = (await page.evaluate(`[...document.querySelectorAll('[aria-current]')]
    .filter((element) => element.checkVisibility() && getComputedStyle(element).outlineStyle === 'none')
    .map((element) => 'not seen to be chosen: ' + element.outerHTML.slice(0, 80))`)) as string[];
  await page.emulateMedia({ forcedColors: 'none' });
  return [...onPaper, ...forced];
}
