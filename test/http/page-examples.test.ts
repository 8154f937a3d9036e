// The curl lines on browsable pages do what they say: a PUT takes the shown object's own values, and so succeeds.
import { test } from 'tap';
import { startService } from '../support/service.ts';

const headers = { accept: 'text/html' };

await test('the PUT line of each page', async (t) => {
  const service = await startService(t);
  const entries = Array.from({ length: 10 }, (_, i) => `/api/users/alice/notifications/${i + 1}/`);
  for (const path of [...entries, '/api/users/alice/', '/api/users/dave/']) {
    const page = (await service.request('GET', path, { as: 'admin', headers })).text;
    const [, line = ''] = /aria-label="PUT by curl"><code[^>]*>(.*?)<\/code>/s.exec(page) ?? [];
    const body = /--data-raw '(.*)'$/s.exec(line.replaceAll('&quot;', '"').replaceAll('&#39;', "'"))?.[1] ?? '';
    const answer = await service.request('PUT', path, { as: 'admin', json: JSON.parse(body) });
    t.equal(answer.status, 200, `${path} ${body} ${answer.text}`);
  }
});
