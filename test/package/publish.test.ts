// What registries and their users' tools would say of the package: npm's own dry run, publint, attw, and the entries and links that
// follow from the repository's address.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import tap, { test } from 'tap';
import { findRepository, inManifest, inPyproject, withAbsoluteLinks } from '../../packaging/repository.ts';
import { dist, pack, root } from './tarball.ts';

const address = 'https://github.com/example/understudy';
const manifest = JSON.parse(readFileSync(join(dist, 'package.json'), 'utf8')) as { name: string; version: string };
const { path: tarball } = pack(tap);

await test('npm would publish it, and corrects nothing', async (t) => {
  const args = ['publish', '.', '--dry-run', '--access', 'public', '--tag', 'next'];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: dist, encoding: 'utf8' });
  const lines = stderr.split('\n').filter((line) => !line.startsWith('npm notice'));
  t.equal(status, 0, lines.join('\n'));
  t.match(stdout, `+ ${manifest.name}@${manifest.version}`);
  const warnings = lines.filter((line) => /^npm warn publish (?!This command requires you to be logged in)/.test(line));
  t.same(warnings, []);
});

await test('publint finds nothing', async (t) => {
  const { messages, pkg } = await publint({ pack: { tarball: toArrayBuffer(tarball) }, strict: true });
  t.same(
    messages.map((message) => formatMessage(message, pkg, { color: false })),
    [],
  );
});

await test('attw finds that types and code resolve alike', async (t) => {
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(toArrayBuffer(tarball))));
  if (!('problems' in result)) throw new Error('the package has no types');
  // TypeScript 7 no longer resolves as Node 10 did, without `exports`; vitest itself is ESM alone.
  const accepted = ({ kind, ...where }: Problem) =>
    'resolutionKind' in where &&
    (where.resolutionKind === 'node10' || (kind === 'CJSResolvesToESM' && where.entrypoint === './vitest'));
  t.same(
    result.problems.filter((problem) => !accepted(problem)),
    [],
  );
});

await test('the address is what package.json names, else the repository of the workflow', async (t) => {
  const workflow = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'example/understudy' };
  t.equal(findRepository(undefined, {}), undefined);
  t.equal(findRepository(undefined, workflow), address);
  for (const entered of [address, { url: `git+${address}.git` }])
    t.equal(findRepository(entered, { ...workflow, GITHUB_REPOSITORY: 'someone/fork' }), address);
  for (const wrong of ['example/understudy', 'git@github.com:example/understudy.git', 'https://github.com/'])
    t.throws(() => findRepository(wrong, {}), { message: /^"repository" in package.json must be such as https:/ });
});

await test('manifests and links follow from the address, and name none without it', async (t) => {
  t.match(inManifest(address), { repository: { url: `git+${address}.git` }, bugs: { url: `${address}/issues` } });
  t.match(inPyproject(address), `\n[project.urls]\n`);
  t.match(inPyproject(address), `\nSource = "${address}"\n`);
  t.same([inManifest(undefined), inPyproject(undefined)], [{}, '']);

  const page =
    '[a\nb](../../docs/a.md#b) [c](https://example.com/c) [d](#d)\n<picture>\n<img src="e.png">\n</picture>\n\nf';
  const files = `${address}/%/v${manifest.version}`;
  t.equal(
    withAbsoluteLinks(page, 'clients/python', address),
    page
      .replace('../..', files.replace('%', 'blob'))
      .replace('e.png', `${files.replace('%', 'raw')}/clients/python/e.png`),
  );
  t.equal(withAbsoluteLinks(page, 'clients/python', undefined), 'a\nb [c](https://example.com/c) [d](#d)\nf');
  for (const file of ['README.md', 'CHANGELOG.md', 'clients/python/README.md']) {
    t.match(readFileSync(join(root, file), 'utf8'), /\]\((?!\w+:|#)/, `${file} has links`);
    t.notMatch(
      readFileSync(join(dist, file), 'utf8'),
      /\]\((?!\w+:|#)|src(?:set)?="(?!\w+:)/,
      `${file} in the package`,
    );
  }
});

function toArrayBuffer(file: string): ArrayBuffer {
  return new Uint8Array(readFileSync(file)).buffer;
}
