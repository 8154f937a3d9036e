// Bodies in every format, most of them with an error.
import { mutate } from './mutate.ts';
import type { Random } from './random.ts';
import { notifications, odd, types } from './words.ts';

export function makeBody(random: Random): { type: string; bytes: Buffer } {
  const kind = random.below(10);
  const type =
    kind < 6
      ? 'application/json'
      : kind < 8
        ? 'application/x-www-form-urlencoded'
        : kind < 9
          ? 'multipart/form-data; boundary=b'
          : random.pick(types);
  const text =
    kind < 6
      ? makeJson(random)
      : kind < 8
        ? makeForm(random)
        : kind < 9
          ? makeMultipart(random)
          : random.pick([makeJson, makeForm, makeMultipart])(random);
  const bytes = Buffer.from(random.oneIn(30) ? '' : text, random.oneIn(10) ? 'latin1' : 'utf8');
  return {
    type: random.oneIn(15) ? random.pick(types) : type,
    bytes: random.oneIn(12) ? mutate(random, bytes) : bytes,
  };
}

const fieldNames = [
  'notification',
  'scope',
  'frequency',
  'id',
  'project',
  'username',
  'email',
  'full_name',
  'is_active',
  'group_id',
  '__proto__',
  'constructor',
  '',
];

function makeValue(random: Random, depth = 0): string {
  if (depth < 3 && random.oneIn(12)) return `[${makeValue(random, depth + 1)}, ${makeValue(random, depth + 1)}]`;
  if (depth < 3 && random.oneIn(12)) return `{"${random.pick(fieldNames)}": ${makeValue(random, depth + 1)}}`;
  const texts = [
    '"10"',
    '""',
    '"\\u0000"',
    '"\\ud800"',
    '"\u{1F600}"',
    '"a\\"b"',
    JSON.stringify(random.pick(odd)),
    `"${'x'.repeat(2000)}"`,
  ];
  const numbers = [
    '0',
    '10',
    '20',
    '30',
    '40',
    '1',
    '2',
    '4',
    '-1',
    '-0',
    '1.0',
    '1e3',
    '1e999',
    '99999999999999999999',
  ];
  return random.pick([...numbers, ...texts, 'true', 'false', 'null']);
}

function makeJson(random: Random): string {
  if (random.oneIn(12))
    return random.pick([
      '',
      'null',
      '[]',
      '1',
      '"x"',
      '{',
      '{"a":}',
      '{"a":1,}',
      "{'a':1}",
      'NaN',
      '\uFEFF{}',
      '['.repeat(3000),
      '{"a":'.repeat(500),
    ]);
  const fields = [
    `"notification": ${random.oneIn(14) ? makeValue(random) : JSON.stringify(random.pick(notifications))}`,
    `"scope": ${random.oneIn(14) ? makeValue(random) : random.pick([0, 10, 20, 30])}`,
    `"frequency": ${random.oneIn(14) ? makeValue(random) : random.below(5)}`,
    ...(random.oneIn(3) ? [`"${random.pick(fieldNames)}": ${makeValue(random)}`] : []),
  ];
  return `{${fields.filter(() => !random.oneIn(14)).join(', ')}}`;
}

function makeForm(random: Random): string {
  const pairs = [
    `notification=${random.pick(notifications)}`,
    `scope=${random.pick(random.oneIn(6) ? odd : ['0', '10', '20', '30'])}`,
    `frequency=${random.pick(random.oneIn(6) ? odd : ['0', '1', '2'])}`,
    `${random.pick(fieldNames)}=${random.pick(odd)}`,
  ];
  return pairs.filter(() => !random.oneIn(14)).join('&');
}

function makeMultipart(random: Random): string {
  const parts = ['notification', 'scope', 'frequency', random.pick(fieldNames)].filter(() => !random.oneIn(4));
  const written = parts.map((name) => {
    const file = random.oneIn(8) ? '; filename="x.txt"\r\nContent-Type: text/plain' : '';
    return `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${random.pick([...notifications, '0', '10', '1', ...odd])}\r\n`;
  });
  return `${written.join('')}${random.oneIn(8) ? '' : '--b--\r\n'}`;
}
