import { ownByHand } from '/work/wt/live/test/support/by-hand.ts';
import { startService } from '/work/wt/live/test/support/service.ts';
import { openPage } from '/work/wt/live/test/browser/open-page.ts';
await using owner = ownByHand();
const service = await startService(owner);
const r = (m: string, p: string, a = {}) => service.request(m, p, a);
await r('GET', '/api/users/alice/notifications/', { as: 'alice' });
await r('POST', '/api/users/alice/notifications/', { as: 'alice', json: { notification: 'RepositoryNotification', scope: 10, frequency: 1 } });
await r('POST', '/api/users/alice/notifications/', { as: 'alice', json: { notification: 'RepositoryNotification', scope: 10, frequency: 1 } });
await r('GET', '/api/users/bob/notifications/?page=2&page_size=1', { as: 'alice' });
await r('GET', '/api/language/');
const watcher = { ...owner, fail: (c: string) => console.log('FAIL', c) };
for (const width of [390, 1280]) for (const scheme of ['light', 'dark'] as const) {
  const page = await openPage(watcher, { hosts: [service.url], width, scheme });
  await page.goto('/_understudy/console/default/journal/');
  await page.getByText('Live', { exact: true }).waitFor();
  await r('DELETE', '/api/users/alice/notifications/1/', { as: 'alice' });
  await page.getByText('DELETE').first().waitFor();
  await page.screenshot({ path: `/tmp/live-j-${width}-${scheme}.png`, fullPage: true });
  await page.getByRole('link', { name: /POST/ }).first().click();
  await page.screenshot({ path: `/tmp/live-e-${width}-${scheme}.png`, fullPage: true });
}
process.exit(0);
