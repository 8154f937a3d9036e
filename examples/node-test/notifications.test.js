import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from 'weblate-understudy';

const api = connect();

test('alice subscribes', (t) =>
  api.withSandbox(
    async (box) => {
      const response = await fetch(`${box.baseUrl}/api/users/alice/notifications/`, {
        method: 'POST',
        headers: { ...box.headers('alice'), 'Content-Type': 'application/json' },
        body: JSON.stringify({ notification: 'RepositoryNotification', scope: 10, frequency: 1 }),
      });
      assert.equal(response.status, 201);
      await box.requests.expect({ method: 'POST', path: '/api/users/*/notifications/', body: { scope: 10 } });
    },
    { signal: t.signal },
  ));
