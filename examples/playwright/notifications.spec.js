import { expect, test } from 'weblate-understudy/playwright';

test('alice subscribes', async ({ box, request }) => {
  const response = await request.post(`${box.baseUrl}/api/users/alice/notifications/`, {
    headers: box.headers('alice'),
    data: { notification: 'RepositoryNotification', scope: 10, frequency: 1 },
  });
  expect(response.status()).toBe(201);
  await box.requests.expect({ method: 'POST', path: '/api/users/*/notifications/', body: { scope: 10 } });
});
