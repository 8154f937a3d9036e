// Helpers of the browser tests: pages that fail the test on errors, axe checks, and keyboard focus.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { type Test, t as file } from 'tap';
import { startService } from '../support/service.ts';
import { closeChromium } from './chromium.ts';
import { openPage, type PageOptions } from './open-page.ts';

export { skip } from './chromium.ts';
export { openPage, type PageOptions } from './open-page.ts';

// An open Chromium keeps the test process alive.
file.teardown(closeChromium);
// Long enough for a busy machine. A passing test doesn't wait that long.
file.setTimeout(600_000);

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** A service of the test's own, and an empty page for it. */
export async function openService(t: Test, options: Omit<PageOptions, 'hosts'> = {}) {
  const service = await startService(t);
  return { service, page: await openPage(t, { hosts: [service.url], ...options }) };
}

/**
 * Returns the page's faults, of which a test expects none: axe violations outside of Swagger UI, one line per
 * element (`color-contrast: .hint`), horizontal scrolling of the page, and any number of h1 other than one.
 */
export async function findFaults(page: Page, runOnly = rules, exclude = ['#operations > *']): Promise<string[]> {
  // `evaluate` isn't subject to the page's policy, so the page needs no exception for axe.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axeSource);
  const { violations } = (await page.evaluate(
    `axe.run(${JSON.stringify({ exclude })}, ${JSON.stringify({ runOnly, resultTypes: ['violations'] })})`,
  )) as AxeResults;
  const found = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  const [needed = 0, given = 0] = (await page.evaluate(
    '[document.scrollingElement.scrollWidth, innerWidth]',
  )) as number[];
  if (needed > given) found.push(`the page scrolls horizontally: ${needed} px wide in ${given} px`);
  const headings = await page.locator('h1').count();
  if (headings !== 1) found.push(`${headings} h1, not 1`);
  return found;
}

/** The part of a DOM element that we use; the DOM's types aren't loaded. */
interface Matching {
  matches(selector: string): boolean;
}

/** Presses Tab until the element has the focus, which must be visible. */
export async function tabTo(page: Page, wanted: Locator, most = 300): Promise<void> {
  for (let presses = 0; presses < most; presses++) {
    await page.keyboard.press('Tab');
    if (!(await wanted.evaluate((element: Matching) => element.matches(':focus')))) continue;
    const [fault] = await findFocusFaults(page);
    if (fault !== undefined) throw new Error(fault);
    return;
  }
  throw new Error(`${most} presses of Tab don't reach ${String(wanted)}`);
}

// Returns the faults of the focus: no outline, an outline of 1 px that isn't the browser's own, or a place
// outside of the window.
export async function findFocusFaults(page: Page): Promise<string[]> {
  const { name, outline, isInside } = (await page.evaluate(`(() => {
    let focused = document.activeElement;
    while (focused.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(focused);
    const { top, bottom, left, right, width, height } = focused.getBoundingClientRect();
    const name = (focused.getAttribute('aria-label') ?? focused.textContent).trim().slice(0, 40);
    return {
      name: focused.tagName.toLowerCase() + ' ' + name,
      outline: outlineColor.endsWith(', 0)') ? 'none' : outlineStyle + ' ' + outlineWidth,
      isInside: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth && width > 0 && height > 0,
    };
  })()`)) as { name: string; outline: string; isInside: boolean };
  return [
    ...(/^none| 0px$|^(?!auto).* 1px$/.test(outline) ? [`the focus isn't visible: ${name}`] : []),
    ...(isInside ? [] : [`the focus is outside of the window: ${name}`]),
  ];
}
