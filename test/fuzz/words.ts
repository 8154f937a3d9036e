// The words that requests are made of: right ones, nearly right ones, and hostile ones.
import { notificationNames } from '../../src/resources/notifications/names.ts';

export const tokens = [
  'wlu_alice_public_sample_token_0000000000',
  'wlu_admin_public_sample_token_0000000000',
  'wlu_carol_public_sample_token_0000000000',
  'wlu_erin_public_sample_token_00000000000',
  'wlu_juergen_public_sample_token_00000000',
  'wlu_nobody',
  'wlu_sandbox_default_x',
  'wlu_sandbox_none_x',
];

export const users = [
  'alice',
  'bob',
  'carol',
  'dave',
  'erin',
  'admin',
  'anonymous',
  'j%C3%BCrgen',
  'J%C3%9CRGEN',
  'ALICE',
  'nobody',
];

/** Parts of a path, a query or a value that have broken something somewhere. */
export const odd = [
  '',
  '.',
  '..',
  '%2e%2e',
  '%00',
  '%0a',
  '%0d%0a',
  '%',
  '%zz',
  '%c3',
  '%ff%fe',
  '%e4%b8',
  '%ed%a0%80',
  '%f0%9f%98%80',
  '%2f',
  '%5c',
  '%25',
  "'",
  '"',
  '<script>',
  '{{7*7}}',
  '${x}',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-1',
  '0',
  '1',
  '2147483647',
  '2147483648',
  '9223372036854775808',
  '1e3',
  '0x10',
  '%D9%A1',
  '+1',
  '%201',
  '1_0',
  'x'.repeat(300),
  '%C3%9F',
  '%C4%B0',
  ';a=1',
  '*',
  '~',
  'a%2Fb',
  'true',
];

export const notifications = [...notificationNames, 'Nope'];

export const methods = ['GET', 'GET', 'GET', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
export const oddMethods = ['TRACE', 'PROPFIND', 'QUERY', 'FOO', 'get', 'CONNECT'];

export const accepts = [
  '*/*',
  'application/json',
  'text/html',
  'text/csv',
  'application/json; indent=4',
  'text/*',
  'application/xml',
  '',
  ',',
  '/',
  ';',
  '*/*;q=0',
  'text/html,*/*;q=0.8',
  'application/json;indent=999999999999',
  `text/${'x'.repeat(200)}`,
];

export const types = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'b'.repeat(300)}`,
  'text/plain',
  '',
  ';',
  'application/xml',
  'application/',
  '\u00ff/\u00ff',
];

export const headers: readonly (readonly [string, string])[] = [
  ['X-Understudy-Sandbox', 'default'],
  ['X-Understudy-Sandbox', 'none'],
  ['X-Understudy-Sandbox', '\u00e4 %00 "'],
  ['X-Forwarded-Host', 'evil"<example'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['If-None-Match', '*'],
  ['Range', 'bytes=0-1'],
  ['Content-Encoding', 'gzip'],
  ['Accept-Language', 'de'],
  ['Cookie', 'a=b'],
  ['Origin', 'http://evil.example'],
  ['X-Request-Id', 'x'.repeat(500)],
  ['Transfer-Encoding', 'chunked'],
  ['Connection', 'upgrade'],
];
