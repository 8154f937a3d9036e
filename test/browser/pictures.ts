// Takes a picture of every page at 390 and 1280 px, light and dark: npx node test/browser/pictures.ts <folder> [<page> …]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownByHand } from '../support/by-hand.ts';
import { startService } from '../support/service.ts';
import { closeChromium } from './chromium.ts';
import { everyPage, show } from './every-page.ts';
import { openPage } from './open-page.ts';

const [folder, ...names] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder for the pictures');
mkdirSync(folder, { recursive: true });

await using owner = ownByHand();
owner.teardown(closeChromium);
const service = await startService(owner);
const watcher = { ...owner, fail: (complaint: string) => process.stderr.write(`${complaint}\n`) };
for (const width of [390, 1280])
  for (const scheme of ['light', 'dark'] as const) {
    const page = await openPage(watcher, { hosts: [service.url], width, scheme });
    for (const one of everyPage.filter(({ name }) => names.length === 0 || names.includes(name))) {
      await show(page, one);
      await page.screenshot({ path: join(folder, `${one.name}-${width}-${scheme}.png`), fullPage: true });
    }
  }
