// Request bodies: media types, limits and errors that the transcripts create__bodies and create__form don't cover.
import { test } from 'tap';
import { startService } from '../support/service.ts';

const path = '/api/users/alice/notifications/';
const [mostBytes, mostFields] = [65_536, 1000];

const multipart = (parts: string[]) =>
  `${parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--b--\r\n`;

await test('bodies are parsed as the real system parses them', async (t) => {
  const service = await startService(t);
  const post = async (type: string | undefined, body: string | Buffer) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    const { status, json } = await service.request('POST', path, { as: 'alice', headers, body });
    const { errors } = json as { errors?: { code: string; detail: string; attr: string | null }[] };
    return { status, codes: errors?.map(({ code, attr }) => [code, attr]), detail: errors?.[0]?.detail };
  };
  const required = [
    ['required', 'notification'],
    ['required', 'scope'],
    ['required', 'frequency'],
  ];

  await t.test('media types and their parameters', async (own) => {
    own.match(await post('Application/JSON; charset=utf-8', '{}'), { status: 400, codes: required });
    own.match(await post('application/x-www-form-urlencoded; charset=utf-8', 'x=1'), { status: 400, codes: required });
    own.match(await post('text/plain', '{}'), {
      status: 415,
      detail: 'Unsupported media type "text/plain" in request.',
    });
    own.match(await post('application/json-patch+json', '{}'), { status: 415 });
    own.match(await post(undefined, '{}'), { status: 415, detail: 'Unsupported media type "" in request.' });
    own.match(await post('text/plain', ''), { status: 400, codes: required }, 'an empty body needs no type');
  });

  await t.test('faults of JSON are reported in the words of the real system', async (own) => {
    own.match(await post('application/json', '{'), {
      status: 400,
      codes: [['parse_error', null]],
      detail: /^JSON parse error - /,
    });
    own.match(await post('application/json', Buffer.from([0x7b, 0xff, 0x7d])), {
      status: 400,
      codes: [['parse_error', null]],
    });
    own.match(await post('application/json', '\uFEFF{}'), { status: 400, codes: [['parse_error', null]] });
    for (const [body, type] of [
      ['[]', 'list'],
      ['1', 'int'],
      ['1.5', 'float'],
      ['"a"', 'str'],
      ['true', 'bool'],
    ] as const)
      own.match(await post('application/json', body), {
        codes: [['invalid', 'non_field_errors']],
        detail: `Invalid data. Expected a dictionary, but got ${type}.`,
      });
    own.match(await post('application/json', 'null'), {
      codes: [['null', 'non_field_errors']],
      detail: 'No data provided',
    });
    const odd = '{"__proto__":{"notification":"LockNotification"},"constructor":1,"toString":2}';
    own.match(await post('application/json', odd), { status: 400, codes: required });
    const deep = `{"scope":${'['.repeat(900)}${']'.repeat(900)}}`;
    own.match(await post('application/json', deep), { status: 400 });
  });

  await t.test('forms are parsed as the real system parses them', async (own) => {
    const type = 'multipart/form-data; boundary=b';
    const fields = [
      'name="notification"\r\n\r\nLockNotification',
      'name="scope"\r\n\r\n0',
      'name="frequency"\r\n\r\n2',
    ];
    own.match(await post(type, multipart(fields)), { status: 201 });
    own.match(await post(type, multipart(['name="scope"; filename="x"\r\n\r\n0'])), {
      codes: [
        ['required', 'notification'],
        ['invalid_choice', 'scope'],
        ['required', 'frequency'],
      ],
    });
    const cut = multipart(['name="scope"; filename="x"\r\n\r\n0']).slice(0, -8);
    own.match(await post(type, cut), { status: 400, codes: [required[0], ['invalid_choice', 'scope'], required[2]] });
    own.match(await post(type, '--b\r\nnothing'), { status: 400, codes: required });
    const long = multipart([`name="scope"; x="${'x'.repeat(1024)}"\r\n\r\n0`]);
    own.match(await post(type, long), { status: 400, detail: /Request max total header size exceeded\.$/ });
    own.match(await post('multipart/form-data', multipart(fields)), { status: 400, codes: [['parse_error', null]] });
    own.match(await post('multipart/form-data; boundary=other', multipart(fields)), { status: 400 });
    own.match(
      await post('application/x-www-form-urlencoded', 'scope=99&scope=0'),
      {
        codes: [
          ['required', 'notification'],
          ['required', 'frequency'],
        ],
      },
      'the last of a name counts',
    );
  });

  await t.test('bodies beyond a limit are refused', async (own) => {
    own.match(await post('application/json', `"${'x'.repeat(mostBytes)}"`), {
      status: 413,
      codes: [['request_too_large', null]],
      detail: 'Request body exceeds the limit of 65536 bytes.',
    });
    own.match(await post('application/x-www-form-urlencoded', 'a=1&'.repeat(mostFields + 1)), {
      status: 400,
      codes: [['parse_error', null]],
      detail: 'The form has more than 1000 fields.',
    });
    const many = multipart(Array.from({ length: mostFields + 1 }, (_, n) => `name="f${n}"\r\n\r\n1`));
    own.match(await post('multipart/form-data; boundary=b', many), {
      status: 400,
      detail: 'The form has more than 1000 fields.',
    });
    const exact = multipart(Array.from({ length: mostFields }, (_, n) => `name="f${n}"\r\n\r\n1`));
    own.match(await post('multipart/form-data; boundary=b', exact), { status: 400, codes: required });
  });
});
