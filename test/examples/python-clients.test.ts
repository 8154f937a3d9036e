// Clients in Python that people use with Weblate: wlc, its command line, and the scripts in examples/scripts/.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { readSeedFile } from '../support/read-seed-file.ts';
import { type Service, startService } from '../support/service.ts';
import { examples, findPythonClients, run, type Ran } from './run.ts';

const programs = findPythonClients();
const skip = programs instanceof Error && programs.message;
const program = (name: string): string => join(programs as string, name);

const troubleshooting = join(import.meta.dirname, '../../docs/how-to/troubleshooting.md');
const seed = await readSeedFile(join(import.meta.dirname, '../../seeds/documented.yaml'));
const tokenOf = (name: string) => seed.users.find(({ username }) => username === name)?.tokens[0]?.text ?? '';

/** wlc with a user's key, or without a user with an unknown key. */
const wlc = ({ url }: Pick<Service, 'url'>, as: string, ...args: string[]): Promise<Ran> =>
  run([program('wlc'), '--config', '/dev/null', '--url', `${url}/api/`, '--key', as, '--format', 'json', ...args]);

const script = ({ url }: Service, as: string, ...args: [string, ...string[]]): Promise<Ran> =>
  run([program('python'), ...args], {
    cwd: join(examples, 'scripts'),
    env: { WEBLATE_URL: url, WEBLATE_TOKEN: tokenOf(as), PYTHONDONTWRITEBYTECODE: '1' },
  });

await test('wlc', { skip }, async (suite) => {
  const service = await startService(suite, { seed: 'documented', anonymous: 'strict' });
  const [admin, carol] = [tokenOf('admin'), tokenOf('carol')];

  async function slugs(t: Test, key: string, ...args: string[]): Promise<unknown[]> {
    const { code, output } = await wlc(service, key, ...args);
    t.equal(code, 0, output);
    return (JSON.parse(output) as { slug: string }[]).map(({ slug }) => slug);
  }

  await suite.test('list-projects', async (t) => {
    const all = (await slugs(t, admin, 'list-projects')) as string[];
    const open = (await slugs(t, carol, 'list-projects')) as string[];
    t.ok(open.length > 0 && open.length < all.length, 'carol sees no private project');
  });

  await suite.test('list-components', async (t) => {
    const { json } = await service.request('GET', '/api/components/', { as: 'admin' });
    const components = (json as { results: { slug: string; project: { slug: string } }[] }).results;
    t.same(
      await slugs(t, admin, 'list-components'),
      components.map(({ slug }) => slug),
    );
    const [{ project } = { project: { slug: '' } }] = components;
    t.same(
      await slugs(t, admin, 'list-components', project.slug),
      components.filter((one) => one.project.slug === project.slug).map(({ slug }) => slug),
    );
    const text = await run([program('wlc'), '--url', `${service.url}/api/`, '--key', admin, 'list-components']);
    t.match(text, { code: 0, output: /^agreement: $/m });
  });

  await suite.test('list-languages', async (t) => {
    const { code, output } = await wlc(service, admin, 'list-languages');
    t.equal(code, 0, output);
    t.match(
      (JSON.parse(output) as { code: string; name: string }[]).find((one) => one.code === 'cs'),
      { name: 'Czech' },
    );
  });

  await suite.test('show', async (t) => {
    const project = await wlc(service, carol, 'show', 'demo');
    t.match(JSON.parse(project.output), {
      slug: 'demo',
      categories_url: `${service.url}/api/projects/demo/categories/`,
    });
    const component = await wlc(service, carol, 'show', 'demo/app');
    t.match(JSON.parse(component.output), { slug: 'app', project: { slug: 'demo' }, source_language: { code: 'en' } });
    t.match(await wlc(service, carol, 'show', 'nope'), { code: 1, output: /^Error: Object not found on the server/ });
  });

  await suite.test('a command that is not mirrored fails', async (t) => {
    for (const command of ['stats', 'changes', 'repo'])
      t.match(await wlc(service, admin, command, 'demo'), { code: 1, output: /^Error: Object not found/ }, command);
  });

  await suite.test('away from loopback a key goes over http only if that is allowed', async (t) => {
    const ask = (...allowed: string[]) =>
      wlc({ url: 'http://understudy.invalid:8000' }, admin, ...allowed, 'list-projects');
    const { code, output } = await ask();
    const [, symptom = ''] = /wlc says `(.*?)`/.exec(readFileSync(troubleshooting, 'utf8')) ?? [];
    t.equal(code, 1);
    t.match(output, symptom);
    t.notMatch((await ask('--allow-insecure-http')).output, symptom);
  });

  await suite.test('a wrong key is refused', async (t) => {
    for (const command of ['list-projects', 'list-components'])
      t.match(await wlc(service, 'wlu_wrong', command), { code: 1, output: /was rejected by server/ }, command);
  });
});

await test('a script changes a subscription of every user', { skip }, async (t) => {
  const service = await startService(t, { seed: 'documented', anonymous: 'strict' });
  const first = await script(service, 'admin', 'change_notifications.py');
  t.equal(first.code, 0, first.output);
  t.match(first.output, /^alice changed$/m);
  t.match(first.output, /^dave created$/m);
  const people = seed.users.filter(({ username }) => username !== 'anonymous');
  for (const { username } of people) {
    const path = `/api/users/${encodeURIComponent(username)}/notifications/?page_size=1000`;
    const { json } = await service.request('GET', path, { as: 'admin' });
    const entries = (json as { results: { notification: string; scope: number; frequency: number }[] }).results;
    const found = entries.filter(
      ({ notification, scope }) => notification === 'NewAnnouncementNotificaton' && scope === 10,
    );
    t.match(found, [{ frequency: 2 }], username);
  }
  const second = await script(service, 'admin', 'change_notifications.py');
  t.equal(
    second.output,
    people.map(({ username }) => `${username} unchanged\n`).join(''),
    'a second run changes nothing',
  );
  const own = await script(service, 'alice', 'change_notifications.py');
  t.same(own, { code: 0, output: 'alice unchanged\n' }, 'others are hidden from her');
});

await test('a script creates the users of a table', { skip }, async (t) => {
  const service = await startService(t, { seed: 'documented', anonymous: 'strict' });
  await service.request('DELETE', '/api/users/bob/groups/', { as: 'admin', json: { group_id: 3 } });
  const first = await script(service, 'admin', 'provision_users.py', 'users.csv');
  t.same(first, { code: 0, output: 'grace created\nbob updated\njózef created\n' });
  const read = async (name: string) =>
    (await service.request('GET', `/api/users/${encodeURIComponent(name)}/`, { as: 'admin' })).json;
  t.match(await read('grace'), { full_name: 'Grace Example', email: 'grace@example.com', is_active: true });
  const bob = await read('bob');
  t.match(bob, { full_name: 'Robert Example', email: 'bob@example.com' });
  t.ok((bob as { groups: string[] }).groups.includes(`${service.url}/api/groups/3/`), 'bob is in Users again');
  const second = await script(service, 'admin', 'provision_users.py', 'users.csv');
  t.same(second, { code: 0, output: 'grace updated\nbob updated\njózef updated\n' });
  t.same(await read('bob'), bob, 'a second run changes nothing');
  t.match(await script(service, 'alice', 'provision_users.py', 'users.csv'), { code: 1, output: /403 Client Error/ });
});

await test('a script makes the teams of a table', { skip }, async (t) => {
  const service = await startService(t, { seed: 'documented', anonymous: 'strict' });
  const provision = (as: string) => script(service, as, 'provision_teams.py', 'teams.csv');
  t.same(await provision('admin'), { code: 0, output: 'Czech created\nReviewers of German created\n' });
  const find = async (name: string) => {
    const { json } = await service.request('GET', '/api/groups/?page_size=1000', { as: 'admin' });
    return (json as { results: { id: number; name: string }[] }).results.find((one) => one.name === name);
  };
  const below = (path: string) => `${service.url}/api/${path}/`;
  const czech = await find('Czech');
  t.match(czech, {
    languages: [below('languages/cs'), below('languages/sk')],
    projects: [below('projects/demo')],
    roles: [below('roles/9')],
  });
  t.match(await find('Reviewers of German'), {
    projects: [below('projects/demo'), below('projects/secret')],
    roles: [below('roles/8'), below('roles/9')],
  });
  t.same(await provision('admin'), { code: 0, output: 'Czech unchanged\nReviewers of German unchanged\n' });

  const list = `/api/groups/${czech?.id}/`;
  await service.request('POST', `${list}projects/`, { as: 'admin', json: { project_id: 2 } });
  await service.request('DELETE', `${list}roles/9/`, { as: 'admin' });
  t.match(await provision('admin'), { code: 0, output: /^Czech changed\n/ }, 'what differs is put right');
  t.same(await find('Czech'), czech);
  t.match(await provision('alice'), { code: 1, output: /403 Client Error/ });
});
