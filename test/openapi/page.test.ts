// The documentation page as the server sends it. test/browser/ tests its behaviour in a browser.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'tap';
import type { OpenApiDocument } from '../../src/openapi/document.ts';
import { type Ask, startService } from '../support/service.ts';

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
  t.equal(await tokenOf('/_understudy/docs/', alice), '', 'no user has a token of our own API');
});

await test('the page of our own API has its gate', async (t) => {
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
