import { describe, expect } from 'vitest';
import { test } from 'weblate-understudy/vitest';

describe('with a seed of its own', () => {
  test.override({ seed: { users: [{ username: 'zoe' }] }, allowUnmatched: true });

  test('zoe has no subscriptions', async ({ box }) => {
    const list = `${box.baseUrl}/api/users/zoe/notifications/`;
    const response = await fetch(list, { headers: box.headers('zoe') });
    expect(await response.json()).toMatchObject({ count: 0 });
    expect((await fetch(`${box.baseUrl}/api/changes/`)).status).toBe(404);
  });
});
