import { test } from 'weblate-understudy/vitest';
import { changeAndList, count } from './steps.js';

for (let n = 0; n < count; n++)
  test(`test ${n}`, async ({ box }) => {
    await changeAndList(`${box.baseUrl}/api/users/alice/notifications/`, box.headers('alice'));
    await box.requests.expect({ method: 'POST', path: '/api/users/*/notifications/', body: { scope: 10 } });
  });
