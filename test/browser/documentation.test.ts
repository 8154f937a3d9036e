// The documentation page sends a request.
import { test } from 'tap';
import { readSeed, startService } from '../support/service.ts';
import { openPage, skip } from './support.ts';

await test('a request is sent and its answer shown', { skip }, async (t) => {
  const service = await startService(t);
  const { users } = await readSeed('documented');
  const token = users.find(({ username }) => username === 'alice')?.tokens[0]?.text ?? '';
  const page = await openPage(t, { hosts: [service.url], width: 390 });
  await page.goto('/api/docs/');
  const operation = page.locator('#notifications_create');
  for (const summary of await operation.locator('summary').all()) await summary.click();
  await page.locator('#token').fill(token);
  await operation.locator('[name=username]').fill('alice');
  await operation.locator('form button').click();
  const output = operation.locator('output');
  await output.getByText('201 Created').waitFor();
  t.match(await output.innerText(), '"notification": "RepositoryNotification"');
  const { json } = await service.request('GET', '/api/users/alice/notifications/?page=last', { as: 'alice' });
  const { results } = json as { results: { notification: string }[] };
  t.equal(results.at(-1)?.notification, 'RepositoryNotification');
});
