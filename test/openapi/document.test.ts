// The Weblate API's document: valid, complete, and in every format; and the page that shows it, as the server sends it.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Validator } from '@seriousme/openapi-schema-validator';
import { test } from 'tap';
import { parse } from 'yaml';
import type { OpenApiDocument } from '../../src/openapi/documents.ts';
import { buildApp } from '../../src/service/app.ts';
import { type AppOptions, readConfiguration } from '../../src/service/config/config.ts';
import { appOptions, type Ask, openForTest, startService } from '../support/service.ts';
import { createChecker, resolveResponse } from './checker.ts';
import { listDescribed, listRoutes } from './routes.ts';

await test('the document of the Weblate API', async (t) => {
  const service = await startService(t);
  const { status, headers, json } = await service.request('GET', '/api/schema/');
  const document = json as OpenApiDocument;
  t.equal(status, 200);
  t.equal(headers['content-type'], 'application/json');

  await t.test('is valid OpenAPI 3.1', async (own) => {
    const result = await new Validator().validate(structuredClone(document));
    own.same(result.errors ?? [], []);
    own.ok(result.valid);
  });

  await t.test('describes exactly the routes that are served', async (own) => {
    // A path whose format suffix replaces the slash is always 404, and not described.
    const served = await listRoutes(service, /^\/api\/(?!schema\/|docs\/|.*:suffix$)/);
    own.same(listDescribed(document), served);
    const root = (await service.request('GET', '/api/')).json as Record<string, string>;
    for (const url of Object.values(root)) own.ok(new URL(url).pathname in document.paths, url);
  });

  await t.test('names every operation once', async (own) => {
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    own.ok(ids.length > 0);
    own.equal(new Set(ids).size, ids.length);
    own.same(
      ids.filter((id) => !/^[a-z]+(_[a-z]+)+$/.test(id)),
      [],
    );
  });

  await t.test('its examples match its schemas', async (own) => {
    const checker = createChecker(document);
    let count = 0;
    const faults: string[] = [];
    for (const [path, item] of Object.entries(document.paths))
      for (const [method, { responses }] of Object.entries(item))
        for (const [code, response] of Object.entries(responses)) {
          const { content = {} } = resolveResponse(document, response) ?? {};
          const { example: body } = content['application/json'] ?? {};
          if (body === undefined) continue;
          count++;
          const answer = { method: method.toUpperCase(), path, status: Number(code), contentType: 'application/json' };
          faults.push(...checker.check({ ...answer, body }));
        }
    own.same(faults, []);
    own.ok(count > 100, 'every operation shows its errors');
  });

  await t.test('every reference resolves', async (own) => {
    const text = JSON.stringify(document);
    const references = new Set([...text.matchAll(/"\$ref":"#([^"]+)"/g)].map(([, path]) => path ?? ''));
    const lost: string[] = [];
    for (const reference of references) {
      const found = reference
        .slice(1)
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
      if (found === undefined) lost.push(reference);
    }
    own.same(lost, []);
    for (const [kind, named] of Object.entries(document.components)) {
      if (kind === 'securitySchemes') continue;
      const unused = Object.keys(named as object).filter((name) => !references.has(`/components/${kind}/${name}`));
      own.same(unused, [], `${kind} are used`);
    }
  });
});

await test('Accept and format choose the form of the document', async (t) => {
  const service = await startService(t, { seed: null });
  const { text: json } = await service.request('GET', '/api/schema/');
  const cases: readonly [query: string, accept: string | undefined, type: string][] = [
    ['', undefined, 'application/json'],
    ['', '*/*', 'application/json'],
    ['', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
    ['', 'image/png', 'application/json'],
    ['', 'application/yaml', 'application/yaml'],
    ['', 'application/json, application/yaml', 'application/json'],
    ['?format=yaml', undefined, 'application/yaml'],
    ['?format=json', 'application/yaml', 'application/json'],
  ];
  for (const [query, accept, type] of cases) {
    const { status, headers, text } = await service.request(
      'GET',
      `/api/schema/${query}`,
      accept === undefined ? {} : { headers: { accept } },
    );
    const name = `${query} ${accept}`;
    t.equal(status, 200, name);
    t.equal(headers['content-type'], type, name);
    t.same(type.endsWith('json') ? JSON.parse(text) : parse(text), JSON.parse(json), name);
  }
  t.equal((await service.request('GET', '/api/schema/?format=xml')).status, 404);
  const { status, headers } = await service.request('POST', '/api/schema/');
  t.same([status, headers['allow']], [405, 'GET, HEAD, OPTIONS']);
  t.equal((await service.request('HEAD', '/api/schema/')).text, '');
  t.equal(
    (await service.request('GET', '/api/schema')).headers['x-understudy-hint'],
    'The path needs a slash at its end.',
  );
});

/** The app's answer to a GET that sends no statement, and so opens no connection. */
async function readWithoutDatabase(
  url: string,
  options: Partial<AppOptions> = {},
): Promise<{ status: number; document: OpenApiDocument }> {
  const database = openForTest('postgres://nowhere.invalid/none');
  const app = await buildApp({ ...appOptions(readConfiguration({})), ...options, database });
  try {
    const answer = await app.inject({ url });
    return { status: answer.statusCode, document: answer.json() };
  } finally {
    await app.close();
    await database.close();
  }
}

await test('the document’s server is the address of the request', async (t) => {
  const serverOf = async (path: string, publicUrl = 'http://localhost:8000') => {
    const { status, document } = await readWithoutDatabase(path, { publicUrl });
    t.equal(status, 200, path);
    return document.servers.map(({ url }) => new URL(url, `${publicUrl}${path}`).href);
  };
  t.same(await serverOf('/api/schema/'), ['http://localhost:8000/']);
  t.same(await serverOf('/_understudy/schema/'), ['http://localhost:8000/']);
  t.same(await serverOf('/sandboxes/ci-1/api/schema/'), ['http://localhost:8000/sandboxes/ci-1/']);
  t.same(await serverOf('/api/schema/', 'https://example.com/understudy'), ['https://example.com/understudy/']);
  t.equal((await readWithoutDatabase('/sandboxes/No_Name/api/schema/')).status, 404);
});

await test('security shows which operations need no token', async (t) => {
  for (const anonymous of ['read', 'write'] as const) {
    const { document } = await readWithoutDatabase('/api/schema/', { anonymous });
    const list = document.paths['/api/users/{username}/notifications/'];
    t.same(list?.['get']?.security, [{}, { Token: [] }, { Bearer: [] }]);
    t.same(list?.['post']?.security, [...(anonymous === 'write' ? [{}] : []), { Token: [] }, { Bearer: [] }]);
  }
});

const asBrowser = { headers: { accept: 'text/html' } };
const library = /\/assets\/[\w-]+\/swagger-ui\.js/;
const libraryFiles = 2;

// First of the tests, because the process keeps a file's hash.
await test('the library is read for the first page, and not at start', async (t) => {
  const { readFileSync } = fs;
  const read: string[] = [];
  const restore = (): void => {
    fs.readFileSync = readFileSync;
    syncBuiltinESMExports();
  };
  t.teardown(restore);
  fs.readFileSync = ((...args: Parameters<typeof readFileSync>) => {
    if (String(args[0]).includes('swagger-ui')) read.push(String(args[0]));
    return readFileSync(...args);
  }) as typeof readFileSync;
  syncBuiltinESMExports();
  const service = await startService(t);
  t.same(read, []);
  const first = await service.request('GET', '/api/docs/', asBrowser);
  t.equal(read.length, libraryFiles, 'its script and its style sheet');
  t.equal((await service.request('GET', '/api/docs/', asBrowser)).text, first.text);
  const [path = ''] = library.exec(first.text) ?? [];
  const file = await service.request('GET', path);
  t.equal(file.status, 200);
  t.match(file.headers['cache-control'], 'immutable');
  t.equal(read.length, libraryFiles, 'neither the page nor the file reads it again');
});

await test('the page shows the document, and loads nothing from other hosts', async (t) => {
  const service = await startService(t);
  const { status, headers, text } = await service.request('GET', '/api/docs/', asBrowser);
  t.equal(status, 200);
  t.equal(headers['content-type'], 'text/html; charset=utf-8');
  const policy = headers['content-security-policy'] ?? '';
  for (const part of ["default-src 'none'", "script-src 'self';", "style-src 'self';", "connect-src 'self';"])
    t.match(policy, part);
  t.notMatch(policy, /unsafe|https?:|\*/);
  t.notMatch(text, /<script(?! src="[^"]+" defer>| type="application\/json")|<style/, 'no script and no style inside');
  t.notMatch(text, / (?:on\w+|style)="/, 'no handler and no style attribute');
  t.match(text, 'href="../schema/?format=yaml"');
  const { json } = await service.request('GET', '/api/schema/');
  t.match(text, `<h1>${(json as OpenApiDocument).info.title}</h1>`);
  const [, document = ''] = /<script type="application\/json" id="document">([^<]+)<\/script>/.exec(text) ?? [];
  t.same(JSON.parse(document), json, 'it has the document');
  const inSandbox = await service.request('GET', '/sandboxes/ci/api/docs/', asBrowser);
  t.match(inSandbox.text, /href="[^"]+\/sandboxes\/ci\/api\/docs\/" aria-current="page"/, 'it stays in the sandbox');
  t.match(inSandbox.text, /href="http:\/\/[^/]+\/_understudy\/docs\/"/);
  t.match(inSandbox.text, library, 'and loads the same files');
});

await test('the page sends requests as the chosen user if the token is public', async (t) => {
  const service = await startService(t);
  const tokenOf = async (path: string, ask: Ask) => {
    const { text } = await service.request('GET', path, ask);
    return /data-token="([^"]*)"/.exec(text)?.[1];
  };
  const alice = { ...asBrowser, as: 'alice' };
  t.equal(await tokenOf('/api/docs/', alice), 'wlu_alice_public_sample_token_0000000000');
  t.equal(await tokenOf('/api/docs/', asBrowser), '');
  t.equal(await tokenOf('/_understudy/docs/', alice), '', 'no user has a token of the control API');
});

await test('the page of the control API has its gate', async (t) => {
  const page = async (mode: 'auto' | 'off', token?: string) => {
    const access = { mode, token, allowedHosts: [], isLocal: true };
    const service = await startService(t, { admin: { access, maxSandboxes: 1, journalBytes: 0 } });
    return service.request('GET', '/_understudy/docs/', asBrowser);
  };
  const open = await page('auto');
  t.equal(open.status, 200);
  t.match(open.text, '/_understudy/sandboxes');
  const closed = await page('off');
  t.equal(closed.status, 403);
  const withToken = await page('auto', 'secret');
  t.equal(withToken.status, 401);
  t.match(withToken.text, 'Sign in to the console');
  for (const { text } of [closed, withToken]) t.notMatch(text, '/_understudy/sandboxes');
});
