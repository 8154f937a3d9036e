// Each test has its own server, because json-server can't be reset. json-server keeps no requests that a test could assert.
import { once } from 'node:events';
import jsonServer from 'json-server';
import { test } from 'vitest';
import { changeAndList, count } from './steps.js';

for (let n = 0; n < count; n++)
  test(`test ${n}`, async () => {
    const app = jsonServer.create();
    app.use(jsonServer.defaults({ logger: false, static: import.meta.dirname }));
    app.use(
      jsonServer.rewriter({
        '/api/users/alice/notifications/': '/notifications',
        '/api/users/alice/notifications/:id/': '/notifications/:id',
      }),
    );
    app.use(jsonServer.router({ notifications: [] }));
    const listening = app.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    await changeAndList(`http://127.0.0.1:${listening.address().port}/api/users/alice/notifications/`, {});
    await new Promise((resolve) => {
      listening.close(resolve);
      listening.closeAllConnections();
    });
  });
