// The pages that test/browser/every-page.test.ts checks and test/browser/pictures.ts takes pictures of. One row per page.
import type { Page } from 'playwright-core';

export interface EveryPage {
  /** Names its pictures too. */
  readonly name: string;
  readonly path: string;
  /** The steps that bring the page into the wanted state. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

const shown = (page: Page) => page.locator('.opblock').first().waitFor();

/** Executes the open operation, waits for the answer, and shows every schema. */
async function shownWhole(page: Page): Promise<void> {
  const operation = page.locator('.opblock.is-open');
  await operation.getByRole('button', { name: 'Execute' }).click();
  await operation.locator('.live-responses-table').waitFor();
  for (const schema of await operation.getByRole('tab', { name: 'Schema' }).all()) await schema.click();
}

const openChoice = (page: Page) => page.locator('.account > summary').click();

async function signIn(page: Page): Promise<void> {
  await openChoice(page);
  await page.getByRole('button', { name: /^alice/ }).click();
}

const alice = '/api/users/alice/';

export const everyPage: readonly EveryPage[] = [
  { name: 'home', path: '/' },
  { name: 'home-choice', path: '/', prepare: openChoice },
  {
    name: 'home-of-sandbox',
    path: '/',
    prepare: async (page) => {
      await page.request.put('/_understudy/sandboxes/a-sandbox-with-a-rather-long-name-for-job-17');
      await page.goto('/sandboxes/a-sandbox-with-a-rather-long-name-for-job-17/');
    },
  },
  { name: 'no-sandbox', path: '/sandboxes/job-18/' },
  {
    name: 'wrong-token',
    path: '/session/',
    prepare: async (page) => {
      await page.getByLabel('Or with a token').fill('wlu_nonsense');
      await page.getByRole('button', { name: 'Act', exact: true }).click();
    },
  },
  { name: 'root', path: '/api/?format=api' },
  { name: 'users', path: '/api/users/?format=api' },
  { name: 'user', path: `${alice}?format=api` },
  { name: 'list', path: `${alice}notifications/?format=api&page_size=3` },
  { name: 'entry', path: `${alice}notifications/1/?format=api` },
  { name: 'not-found', path: '/api/users/nobody/?format=api' },
  { name: 'without-slash', path: '/api/users/alice?format=api' },
  { name: 'not-mirrored', path: '/api/units/1/?format=api' },
  { name: 'documentation', path: '/api/docs/', prepare: shown },
  { name: 'documentation-own', path: '/_understudy/docs/', prepare: shown },
  { name: 'home-as-alice', path: '/', prepare: signIn },
  {
    name: 'token-ended',
    path: '/',
    prepare: async (page) => {
      const sandbox = '/_understudy/sandboxes/token-ended';
      await page.request.put(sandbox);
      await page.goto('/sandboxes/token-ended/');
      await signIn(page);
      await page.request.put(sandbox, { data: { from: 'empty' } });
      await page.reload();
      await openChoice(page);
    },
  },
  { name: 'documentation-operation', path: '/api/docs/#/Users/users_create', prepare: shownWhole },
  { name: 'console', path: '/_understudy/' },
  { name: 'console-new', path: '/_understudy/console/new/' },
  { name: 'console-sandbox', path: '/_understudy/console/default/' },
  {
    name: 'console-undo',
    path: '/',
    prepare: async (page) => {
      const sandbox = '/_understudy/sandboxes/a-sandbox-with-a-rather-long-name-for-job-18';
      await page.request.put(sandbox);
      await page.request.put(`${sandbox}/snapshots/a-snapshot-with-a-rather-long-name-before-the-release-of-job-18`);
      await page.goto('/_understudy/console/a-sandbox-with-a-rather-long-name-for-job-18/state/');
      await page.getByRole('button', { name: 'Reset' }).click();
    },
  },
  { name: 'console-state', path: '/_understudy/console/default/state/' },
  { name: 'console-seed', path: '/_understudy/console/default/seed/' },
  {
    name: 'console-seed-check',
    path: '/_understudy/console/default/seed/',
    prepare: async (page) => {
      const name = 'x'.repeat(150);
      await page.getByLabel('Seed, as YAML or JSON').fill(`users: [{ username: ${name} }, { username: alice }]`);
      await page.getByRole('button', { name: 'Check' }).click();
    },
  },
  {
    name: 'console-requests',
    path: '/api/nowhere/',
    prepare: async (page) => {
      const headers = { authorization: 'Token wlu_alice_public_sample_token_0000000000' };
      await page.request.post('/_understudy/sandboxes/default/reset');
      await page.request.get(`${alice}notifications`, { headers });
      for (const scope of [10, 'watched'])
        await page.request.post(`${alice}notifications/`, {
          headers,
          data: { notification: 'RepositoryNotification', scope, frequency: 1 },
        });
      await page.request.delete(`${alice}notifications/1/`);
      await page.goto('/_understudy/console/default/journal/');
    },
  },
  {
    name: 'console-all-requests',
    path: '/nowhere/',
    prepare: (page) => page.goto('/_understudy/console/all/journal/'),
  },
  {
    name: 'console-request',
    path: '/_understudy/console/default/journal/?limit=1&from=all',
    prepare: (page) => page.locator('#requests a').first().click(),
  },
  {
    name: 'console-faults',
    path: '/_understudy/console/default/faults/',
    prepare: async (page) => {
      const rules = [{ match: { method: 'PURGE' }, status: 429, headers: { 'Retry-After': '5' }, next: 2 }];
      await page.request.put('/_understudy/sandboxes/default/faults', { data: { rules } });
      await page.reload();
    },
  },
];

/** Opens the page, and resolves when it is complete. */
export async function show(page: Page, { path, prepare }: EveryPage): Promise<void> {
  await page.goto(path, { waitUntil: 'load' });
  await prepare?.(page);
}
