// What people do with the forms of browsable pages.
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import type { Service } from '../support/service.ts';
import type { PageOptions } from './open-page.ts';
import { openService } from './support.ts';

export const list = '/api/users/alice/notifications/';

/** Chooses a user in the header of the page. */
export async function actAs(page: Page, username: string): Promise<void> {
  await page.locator('.account > summary').click();
  await page.locator(`.account button[value="${username}"]`).click();
  await page.locator('.account > summary', { hasText: `as ${username}` }).waitFor();
}

/** The form of a method, opened. */
export async function openForm(page: Page, method: string) {
  const details = page.locator('.forms > details', { has: page.locator(`[data-method="${method}"]`) });
  if ((await details.getAttribute('open')) === null) await details.locator('> summary').click();
  const choice = details.getByRole('radio', { name: method });
  if ((await choice.count()) > 0) await choice.check();
  return details.locator('form');
}

export const focused = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.id || document.activeElement.className');

/** The service's present answer at the path. */
export const entryAt = async (service: Service, path: string, as = 'alice') =>
  (await service.request('GET', path, { as })).json;

/** Opens a page of a new service, and acts as the user. */
export async function openAs(
  t: Test,
  username: string,
  path: string,
  options: Pick<PageOptions, 'expected'> = {},
): Promise<{ service: Service; page: Page }> {
  const { service, page } = await openService(t, options);
  await page.goto(`${path}?format=api`);
  await actAs(page, username);
  return { service, page };
}
