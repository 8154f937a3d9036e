// Differences sorted into classes, and the table of them.
import { test } from 'tap';
import { classOf, type FoundDifference, formatClasses } from './engine/classes.ts';

const inPlace = (place: string, expected: string, received: string) => ({ place, expected, received });
const status = inPlace('status', '200', '404');

const paths: [string, string][] = [
  ['/api/', '/api/'],
  ['/api/users/?page=2&username=bob', '/api/users/'],
  ['/api/users/alice/', '/api/users/{username}/'],
  ['/api/users/alice', '/api/users/{username}'],
  ['/api/users/12/', '/api/users/{username}/'],
  ['/api/users/groups/groups/', '/api/users/{username}/groups/'],
  ['/api/users/jane.doe%2Bci/notifications.json', '/api/users/{username}/notifications.{format}'],
  ['/api/users/alice/notifications/43/', '/api/users/{username}/notifications/{id}/'],
  ['/api/users/alice/notifications/abc/?format=csv', '/api/users/{username}/notifications/{id}/'],
  ['/api/users/alice/statistics/', '/api/users/{username}/statistics/'],
  ['/api/users//notifications/', '/api/users//notifications/'],
  ['/api/groups/1/roles/', '/api/groups/{id}/roles/'],
  ['/api/projects/demo/', '/api/projects/{slug}/'],
  ['/api/users/alice/anything/', '/api/users/{username}/{other}/'],
  ['/nothing?', '/{other}'],
];

for (const [path, pattern] of paths)
  await test(`the pattern of ${path}`, async (t) => {
    t.equal(classOf({ method: 'GET', path }, status), `GET ${pattern} status 200 → 404`);
  });

const members: [string, string, string, string][] = [
  ['header vary', 'Accept', '(absent)', 'header vary Accept → (absent)'],
  ['header location', 'http://a/1/', 'http://a/2/', 'header location http://a/1/ → http://a/2/'],
  ['body.results[3].groups[12]', '1', '2', 'body.results[].groups[] number → number'],
  ['body.next', 'null', '"http://a/?page=2"', 'body.next null → text'],
  ['body.errors[0].code', '"invalid"', '"null"', 'body.errors[].code "invalid" → "null"'],
  ['body.errors[0].detail', '"Wrong."', '"Bad."', 'body.errors[].detail text → text'],
  ['body.errors', '2 entries, at 1: {"a":1}', '1 entries, at 1: (absent)', 'body.errors entries → entries'],
  ['body.groups', 'in any order 1, 2', '1, 3', 'body.groups list → number'],
  ['body', 'JSON: {"a":1}', 'an HTML page', 'body JSON → an HTML page'],
  ['body', '{"a":1}', '[1]', 'body object → list'],
  ['body (order of keys)', 'a, b', 'b, a', 'body (order of keys)'],
  ['text', '"a,b\\r\\n"', '"a,c\\r\\n"', 'text text → text'],
];

for (const [place, expected, received, named] of members)
  await test(`the class of ${place}: ${expected}`, async (t) => {
    t.equal(classOf({ method: 'PUT', path: '/api/' }, inPlace(place, expected, received)), `PUT /api/ ${named}`);
  });

const found = (method: string, path: string, step: string, mismatch = status): FoundDifference => ({
  request: { method, path },
  mismatch,
  step,
});

await test('the table: a row for each class, steps counted once, the most frequent first', async (t) => {
  const name = (index: number, value: string) => inPlace(`body.results[${index}].name`, '"x"', value);
  const table = formatClasses([
    found('GET', '/api/users/bob/', 'users/detail: GET /api/users/bob/'),
    found('GET', '/api/users/', 'users/list: GET /api/users/', name(0, '"y"')),
    found('GET', '/api/users/', 'users/list: GET /api/users/', name(1, '"z"')),
    found('GET', '/api/users/', 'users/list: GET /api/users/?page=2', name(0, '"y"')),
  ]);
  t.equal(
    table,
    `| request                      | what                  | before | now   | steps | first seen                          |
| ---------------------------- | --------------------- | ------ | ----- | ----- | ----------------------------------- |
| \`GET /api/users/\`            | \`body.results[].name\` | \`"x"\`  | \`"y"\` | 2     | \`users/list: GET /api/users/\`       |
| \`GET /api/users/{username}/\` | \`status\`              | \`200\`  | \`404\` | 1     | \`users/detail: GET /api/users/bob/\` |
`,
  );
  t.equal(formatClasses([]), '', 'nothing without differences');
});

await test('the table: the same change in several operations is one row', async (t) => {
  const vary = inPlace('header vary', 'Accept, Cookie', 'Accept');
  const rows = formatClasses([
    found('GET', '/api/users/', 'users/list: GET /api/users/', vary),
    found('GET', '/api/users/bob/', 'users/detail: GET /api/users/bob/', vary),
    found('PUT', '/api/users/bob/', 'users/detail: PUT /api/users/bob/', vary),
    found(
      'PUT',
      '/api/users/bob/',
      'users/detail: PUT /api/users/bob/',
      inPlace('header vary', 'Accept, Cookie', 'Accept, origin'),
    ),
  ]).split('\n');
  t.match(
    rows[2],
    /^\| `GET \/api\/users\/` and 2 more +\| `header vary` .* \| 3 +\| `users\/list: GET \/api\/users\/` +\|$/,
  );
  t.match(rows[3], /^\| `PUT \/api\/users\/\{username\}\/` +\| `header vary` .*`Accept, origin` \| 1 /);
  t.equal(rows.length, 5);
});

await test('the table: values are shortened to where they differ, and can break neither line nor terminal', async (t) => {
  const before = `${'a'.repeat(100)}b|c\u001B[31m\nd \`e\`${'f'.repeat(100)}`;
  const now = `${'a'.repeat(100)}B|c`;
  const table = formatClasses([found('GET', '/api/', 'root/paths: GET /api/', inPlace('body.x', before, now))]);
  t.match(table, `| \`\` …${'a'.repeat(12)}b\\|c [31m d \`e\`${'f'.repeat(6)}… \`\` | \`…${'a'.repeat(12)}B\\|c\` `);
  t.equal(table.split('\n').length, 4);
});
