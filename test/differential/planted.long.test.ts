// A differential run with a sandbox of ours as the real system finds every planted fault, and nothing else.
import { type Test, test } from 'tap';
import { readWorld } from '../generator/world.ts';
import type { Received } from '../transcripts/engine/send-request.ts';
import { startService } from '../support/service.ts';
import { readCsv } from './csv.ts';
import { differ, type Report } from './differ.ts';
import type { Sides } from './episode.ts';
import { sandboxSide } from './sides.ts';

type Change = (received: Received) => Received;

const header =
  (name: string, change: (value: string) => string | undefined): Change =>
  (received) => {
    const value = received.headers[name]?.join(', ');
    const changed = value === undefined ? undefined : change(value);
    return { ...received, headers: { ...received.headers, [name]: changed === undefined ? undefined : [changed] } };
  };
const body =
  (pattern: RegExp, replacement: string): Change =>
  (received) => ({ ...received, body: received.body.replace(pattern, replacement) });

const plantable: Readonly<Record<string, Change>> = {
  'a created row is answered 200': (received) => ({
    ...received,
    status: received.status === 201 ? 200 : received.status,
  }),
  'OPTIONS goes before HEAD in Allow': header('allow', (value) => value.replace('HEAD, OPTIONS', 'OPTIONS, HEAD')),
  'JSON has a charset': header('content-type', (value) => value.replace(/json$/u, 'json; charset=utf-8')),
  'no challenge': header('www-authenticate', () => undefined),
  'no Location': header('location', () => undefined),
  'the count is one too high': body(/(?<="count":)\d+/u, '999'),
  'an absent project is left out': body(/,"project":null/u, ''),
  'scope and frequency change places': body(/("scope":\d+),("frequency":\d+)/u, '$2,$1'),
  'lines of CSV end with a line feed': body(/\r\n/u, '\n'),
  'a deactivated user is shown as active': body(
    /(?<="username":"(?!anonymous|dave)[^"]*".*?)"is_active":false/u,
    '"is_active":true',
  ),
};

async function openSides(t: Test): Promise<Sides> {
  const { url } = await startService(t, { seed: null, anonymous: 'strict' });
  const world = await readWorld();
  const [theirs, ours] = [await sandboxSide(url, 'theirs'), await sandboxSide(url, 'ours')];
  return { world, theirs, ours };
}

await test('the empty text after the last line of CSV belongs to no column', (t) => {
  for (const first of ['other', 'more.of.it']) {
    const rows = readCsv(`${first},kept\r\n1,2\r\n`, (column) => column === 'kept');
    t.strictSame(rows, [{ kept: 'kept' }, { kept: '2' }, {}]);
  }
  t.strictSame(
    readCsv('kept,other\r\n1,2\r\n', (column) => column === 'kept'),
    [{ kept: 'kept' }, { kept: '1' }, {}],
  );
  t.end();
});

await test('two sandboxes of one service answer alike', async (t) => {
  const sides = await openSides(t);
  const report = await differ({ sides, seed: 1, steps: 300 });
  t.same([...report.classes.keys()], []);
  t.equal(report.steps, 300);
});

await test('planted faults are found', async (t) => {
  const sides = await openSides(t);
  for (const [name, change] of Object.entries(plantable)) {
    const ours = { ...sides.ours, change };
    // With this seed a run soon creates what each fault needs.
    const isOver = ({ classes, steps }: Report) => classes.size > 0 || steps === 2000;
    const { classes } = await differ({ sides: { ...sides, ours }, seed: 2, steps: 2000, isOver });
    t.equal(classes.size, 1, name);
  }
});
