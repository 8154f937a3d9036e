const { connect } = require('weblate-understudy');

const api = connect();

test('alice subscribes', () =>
  api.withSandbox(async (box) => {
    const response = await fetch(`${box.baseUrl}/api/users/alice/notifications/`, {
      method: 'POST',
      headers: { ...box.headers('alice'), 'Content-Type': 'application/json' },
      body: JSON.stringify({ notification: 'RepositoryNotification', scope: 10, frequency: 1 }),
    });
    expect(response.status).toBe(201);
    await box.requests.expect({ method: 'POST', path: '/api/users/*/notifications/', body: { scope: 10 } });
  }));
