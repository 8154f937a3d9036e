// Inputs of the Weblate API that once took quadratic time, and others like them.
import { Type } from '@sinclair/typebox';
import { test } from 'tap';
import type { Call } from '../../src/http/call.ts';
import { decodeFields } from '../../src/http/body/decode.ts';
import { checkFields } from '../../src/http/body/check-fields.ts';
import { readValue } from '../../src/http/body/read-value.ts';
import { negotiate } from '../../src/http/wire/negotiate.ts';
import { readPageRequest } from '../../src/http/paginate.ts';
import { refuseJson } from '../../src/http/wire/json-error.ts';
import { parseJson, pythonText } from '../../src/http/wire/python-text.ts';
import { replaceQuery } from '../../src/http/wire/query-string.ts';
import { SubscriptionFields } from '../../src/weblate/notifications/serialize.ts';
import { userFilters } from '../../src/weblate/users/filter-queries.ts';
import { UserFields } from '../../src/weblate/users/serialize.ts';
import { growth, mostGrowth } from '../support/growth.ts';

const bodyOf = (contentType: string, text: string) => ({ contentType, body: Buffer.from(text) }) as Call;
const attempt = (work: () => unknown) => {
  try {
    return work();
  } catch {
    return undefined;
  }
};
const jsonFaultOf = (text: string) => attempt(() => refuseJson(text));
const fieldsOf = (call: Call) => attempt(() => decodeFields(call));

// Sizes for which the work takes milliseconds.
const inputs: Record<string, [n: number, input: (n: number) => unknown, work: (input: never) => unknown]> = {
  '?id= of digits and a letter': [30_000, (n) => `${'1'.repeat(n)}x`, (id: string) => userFilters.read({ id })],
  '?id= of digits, a point and a letter': [
    200_000,
    (n) => `1.${'1'.repeat(n)}x`,
    (id: string) => userFilters.read({ id }),
  ],
  '?page= of digits and underscores': [
    200_000,
    (n) => `${'1_'.repeat(n)}x`,
    (page: string) => readPageRequest({ page }),
  ],
  '?page= of white space': [500_000, (n) => `${' '.repeat(n)}x`, (page: string) => readPageRequest({ page })],
  'a query of many keys': [
    10_000,
    (n) => Array.from({ length: n }, (_, i) => `k${(i * 7919) % n}=%C3%A4`).join('&'),
    (query: string) => replaceQuery(query, 'page', '2'),
  ],
  'Accept of many ranges': [10_000, (n) => 'a/b,'.repeat(n), (accept: string) => attempt(() => negotiate('', accept))],
  'Accept of many parameters': [
    50_000,
    (n) => `a/b${';x'.repeat(n)}`,
    (accept: string) => attempt(() => negotiate('', accept)),
  ],
  'an integer of points and zeros': [
    1_000_000,
    (n) => `1${'.0'.repeat(n)}x`,
    (given: string) => readValue(Type.Integer(), given),
  ],
  'a number of many digits': [
    100_000,
    (n) => `{"scope":${'9'.repeat(n)}}`,
    (text: string) => attempt(() => pythonText(parseJson(text))),
  ],
  'many numbers of many digits': [
    200,
    (n) => `[${Array(n).fill('9'.repeat(4300)).join(',')}]`,
    (text: string) => pythonText(parseJson(text)),
  ],
  'quotes that never close': [500_000, (n) => `"${'\\"'.repeat(n)}`, jsonFaultOf],
  'a list that breaks at its end': [200_000, (n) => `[${'1,'.repeat(n)}x]`, jsonFaultOf],
  'brackets that never close': [500_000, (n) => '['.repeat(n), (text: string) => attempt(() => parseJson(text))],
  'an address of many parts': [
    50_000,
    (n) => ({ email: `a@${'a.'.repeat(n)}` }),
    (fields: object) => checkFields(UserFields, fields as never, true),
  ],
  'an address of long parts': [
    2000,
    (n) => ({ email: `a@${`${'a'.repeat(63)}.`.repeat(n)}-` }),
    (fields: object) => checkFields(UserFields, fields as never, true),
  ],
  'a choice that is a list': [
    50_000,
    (n) => ({ scope: Array(n).fill("'") }),
    (fields: object) => checkFields(SubscriptionFields, fields as never, true),
  ],
  'multipart, nearly its boundary': [
    300_000,
    (n) => bodyOf(`multipart/form-data; boundary=${'b'.repeat(70)}`, `--${'b'.repeat(69)}`.repeat(Math.ceil(n / 71))),
    fieldsOf,
  ],
  'multipart, a long header': [
    20_000,
    (n) =>
      bodyOf(
        'multipart/form-data; boundary=b',
        `--b\r\nContent-Disposition: form-data; ${'a="'.repeat(n)}\r\n\r\n1\r\n--b--\r\n`,
      ),
    fieldsOf,
  ],
};

for (const [name, [n, input, work]] of Object.entries(inputs))
  await test(name, async (t) => {
    const found = await growth(n, input, work);
    t.ok(found < mostGrowth, `twice the input takes ${found.toFixed(1)} times as long`);
  });

await test('a boundary has at most the real system’s length, since the search slows with each letter', async (t) => {
  const send = (length: number) =>
    decodeFields(bodyOf(`multipart/form-data; boundary=${'b'.repeat(length)}`, `--${'b'.repeat(length)}--\r\n`));
  t.strictSame(send(201), {});
  t.throws(() => send(202), { message: /^Multipart form parse error - Invalid boundary in multipart: b+$/ });
});
