// The tarball in empty projects: by npm and pnpm, under each Node, without install scripts, offline, and read-only.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import tap, { type Test, test } from 'tap';
import { installByYarn, managers } from './managers.ts';
import { folderOf, versions } from './nodes.ts';
import { makeProject, openProject, type Project } from './project.ts';
import { makeFolder, pack, root } from './tarball.ts';

// The first run downloads Nodes of 100 MB each.
tap.setTimeout(900_000);

const { path: tarball } = pack(tap);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const [oldest] = versions;
const noScripts = ['--ignore-scripts'];
const mostMegabytes = 90;
// An account without a home folder.
const other = 65_534;
const isRoot = process.getuid?.() === 0;

// The list that the specification shows, as JSON is written on the wire: without spaces, and with null for no target.
const pairs = [
  ['MentionCommentNotificaton', 0],
  ['MentionCommentNotificaton', 10],
  ['LastAuthorCommentNotificaton', 10],
  ['NewAnnouncementNotificaton', 10],
  ['NewAnnouncementNotificaton', 20],
  ['MergeFailureNotification', 20],
  ['ParseErrorNotification', 20],
  ['NewTranslationNotificaton', 20],
  ['NewComponentNotificaton', 20],
  ['NewAlertNotificaton', 20],
] as const;
const entries = pairs.map(
  ([name, scope], n) =>
    `{"notification":"${name}","id":${n + 1},"scope":${scope},"frequency":1,"project":null,"component":null}`,
);
const list = `{"count":10,"next":null,"previous":null,"results":[${entries.join(',')}]}`;

async function assertServes(t: Test, project: Project): Promise<void> {
  t.equal(project.run('npx', ['--no', 'weblate-understudy', '--', '--version']).trim(), version);
  const url = await project.serve(t);
  const headers = { authorization: 'Token wlu_alice_public_sample_token_0000000000' };
  const answer = await fetch(`${url}/api/users/alice/notifications/`, { headers });
  t.equal(await answer.text(), list);
}

for (const [name, install] of Object.entries(managers))
  for (const node of versions)
    await test(`${name}, Node ${node}`, async (t) => {
      const project = makeProject(t, { node: folderOf(node) });
      install(project, tarball, noScripts);
      t.equal(project.run('node', ['--version']).trim(), `v${node}`);
      await assertServes(t, project);
    });

await test('npm with install scripts takes at most 90 MB', async (t) => {
  const project = makeProject(t, { node: folderOf(oldest) });
  managers.npm(project, tarball);
  await assertServes(t, project);
  const { stdout } = spawnSync('du', ['-sm', join(project.folder, 'node_modules')], { encoding: 'utf8' });
  const megabytes = Number(/^\d+/.exec(stdout)?.[0]);
  t.ok(megabytes > 10 && megabytes <= mostMegabytes, `${megabytes} MB`);
});

await test("offline, from npm's cache", async (t) => {
  const env = { npm_config_cache: makeFolder(t, 'npm-cache') };
  managers.npm(makeProject(t, { node: folderOf(oldest), env }), tarball, noScripts);
  const project = makeProject(t, { node: folderOf(oldest), env });
  managers.npm(project, tarball, [...noScripts, '--offline']);
  await assertServes(t, project);
});

await test('the package works read-only, without a home folder', async (t) => {
  const project = makeProject(t, { node: folderOf(oldest) });
  managers.npm(project, tarball, noScripts);
  const modules = join(project.folder, 'node_modules');
  project.run('chmod', ['-R', 'a-w', modules]);
  t.teardown(() => spawnSync('chmod', ['-R', 'u+w', modules]));
  const caches = makeFolder(t, 'caches');
  const env = { HOME: '/nonexistent', npm_config_cache: caches };
  if (isRoot) project.run('chown', [String(other), caches]);
  const as = { node: folderOf(oldest), ...(isRoot && { uid: other }) };
  // Links that no script made can be made only in a copy.
  await t.rejects(openProject(project.folder, { ...as, env }).serve(t), /: set XDG_CACHE_HOME to a folder/);
  await assertServes(t, openProject(project.folder, { ...as, env: { ...env, XDG_CACHE_HOME: caches } }));
});

/** Prints what `start()` rejects with. */
const failingStart = "import('weblate-understudy').then((m) => m.start()).catch((error) => console.log(error.message))";

await test("under Yarn's Plug'n'Play an error says what to do", async (t) => {
  const project = makeProject(t, { node: folderOf(versions[2]) });
  const yarn = installByYarn(project, tarball);
  const advice = 'set `nodeLinker: node-modules` in .yarnrc.yml, and install again.\n';
  t.match(yarn('node', '-e', failingStart), advice);
  t.throws(() => yarn('weblate-understudy', 'serve', '--temporary'), { message: advice });
});

await test('an older Node gets an error that names the required one', async (t) => {
  const project = makeProject(t, { node: folderOf('20.18.0') });
  managers.npm(project, tarball, noScripts);
  const needed = 'weblate-understudy: Node 22.13 or newer is needed; this is 20.18.0.\n';
  t.throws(() => project.run('understudy', ['serve']), { message: `ended with 2:\n${needed}` });
  t.match(project.run('node', ['-e', failingStart]), needed);
});
