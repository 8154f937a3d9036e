import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { changeAndList, count } from './steps.js';

const list = 'http://weblate.example/api/users/alice/notifications/';
let subscriptions = [];
let requests = [];
const server = setupServer(
  http.get(list, () => HttpResponse.json({ count: subscriptions.length, results: subscriptions })),
  http.post(list, async ({ request }) => {
    const created = { id: subscriptions.length + 1, ...(await request.json()) };
    subscriptions = [...subscriptions, created];
    return HttpResponse.json(created, { status: 201 });
  }),
  http.delete(`${list}:id/`, ({ params }) => {
    subscriptions = subscriptions.filter(({ id }) => id !== Number(params.id));
    return new HttpResponse(null, { status: 204 });
  }),
);
beforeAll(() => {
  server.listen({ onUnhandledFrame: 'error' });
  server.events.on('request:start', ({ request }) => requests.push(request.clone()));
});
beforeEach(() => {
  subscriptions = [];
  requests = [];
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

for (let n = 0; n < count; n++)
  test(`test ${n}`, async () => {
    await changeAndList(list, {});
    const posted = requests.filter(({ method }) => method === 'POST');
    expect(posted).toHaveLength(1);
    expect(await posted[0].json()).toMatchObject({ scope: 10 });
  });
