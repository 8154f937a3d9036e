// The documentation page: its content and its security policy. test/browser/ holds its behaviour in a browser.
import { test } from 'tap';
import { keepMade } from '../../src/openapi/serve-document.ts';
import type { OpenApiDocument } from '../../src/openapi/document.ts';
import { startService } from '../support/service.ts';

await test('the page', async (t) => {
  const service = await startService(t);
  const { status, headers, text } = await service.request('GET', '/api/docs/');
  t.equal(status, 200);
  t.equal(headers['content-type'], 'text/html; charset=utf-8');
  const policy = headers['content-security-policy'] ?? '';
  t.match(policy, "default-src 'none'");
  t.match(policy, "script-src 'self'");
  t.match(policy, "connect-src 'self'");
  t.notMatch(policy, /unsafe|https?:|\*/);
  t.notMatch(text, /<script(?! src="try\.js" defer>)/, 'no script inside');
  t.notMatch(text, / (?:on\w+|style)="/, 'no handler and no style inside');
  t.notMatch(text, /(?:src|href)="(?:https?:)?\/\//, 'nothing from elsewhere');
  const { paths } = (await service.request('GET', '/api/schema/')).json as OpenApiDocument;
  const missing = Object.values(paths).flatMap((item) =>
    Object.entries(item).flatMap(([method, { operationId }]) =>
      ['head', 'options'].includes(method) || text.includes(`id="${operationId}"`) ? [] : [operationId],
    ),
  );
  t.same(missing, [], 'every operation is on it');
  for (const [name, type] of [
    ['docs.css', 'text/css; charset=utf-8'],
    ['try.js', 'text/javascript; charset=utf-8'],
  ] as const) {
    const file = await service.request('GET', `/api/docs/${name}`);
    t.same([file.status, file.headers['content-type']], [200, type]);
    t.equal(file.headers['x-content-type-options'], 'nosniff');
  }
  const inSandbox = await service.request('GET', '/sandboxes/ci/api/docs/');
  t.match(inSandbox.text, 'data-path="/sandboxes/ci/api/users/"', 'requests stay in the sandbox');
});

await test('a page is rendered once for all sandboxes', async (t) => {
  const made: string[] = [];
  const text = keepMade((base, form) => {
    made.push(`${form} ${base}`);
    return `<a href="${base}/api/users/">${base}</a>`;
  });
  for (let i = 0; i < 1000; i++)
    t.equal(
      text(`/proxy/sandboxes/job-${i}`, 'yaml'),
      `<a href="/proxy/sandboxes/job-${i}/api/users/">/proxy/sandboxes/job-${i}</a>`,
    );
  t.equal(text('', 'yaml'), '<a href="/api/users/"></a>');
  t.equal(text('', 'yaml'), '<a href="/api/users/"></a>');
  t.equal(made.length, 2);
  const service = await startService(t);
  const [first, second] = [await service.request('GET', '/api/docs/'), await service.request('GET', '/api/docs/')];
  t.equal(first.text, second.text);
});
