// The workflows run the parts of .ci/run, and pin actions by commit.
import { spawnSync } from 'node:child_process';
import { chmodSync, globSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'tap';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { filesWithWords, withPublishedWords } from '../../packaging/publication.ts';
import { assertUnpublished, describeRelease } from '../../packaging/release.ts';

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly needs?: readonly string[];
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps?: readonly Step[];
}

const repository = 'https://github.com/example/understudy';
const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const readJobs = (file: string) =>
  (parse(read(`.github/workflows/${file}`)) as { jobs: Readonly<Record<string, Job>> }).jobs;
const scripts: Readonly<Record<string, string>> = manifest.scripts;

const definition = read('.ci/run');
/** What each part of .ci/run runs, with npm's scripts in full. */
const parts = new Map(
  [...(definition.split('\nfor part; do\n')[1] ?? '').matchAll(/^ {4}(\w+)\)([^]*?);;$/gm)].map(([, name, text]) => [
    name ?? '',
    (text ?? '').replaceAll(/npm run ([\w:]+)/g, (_, script: string) => scripts[script] ?? script),
  ]),
);

/** The steps of a job once for each value of its matrix, which has one variable at most. */
function stepsOf({ strategy, steps }: Job): Step[][] {
  const [[name, values] = ['', ['']]] = Object.entries(strategy?.matrix ?? {});
  const text = JSON.stringify(steps);
  return values.map((value) => JSON.parse(text.replaceAll(`\${{ matrix.${name} }}`, String(value))) as Step[]);
}

/** The test files that a part of .ci/run passes to tap. */
function testsOf(text: string): string[] {
  const excluded = [...text.matchAll(/--exclude='([^']+)'/g)].map(([, pattern]) => pattern ?? '');
  const named = [...text.matchAll(/(?<=\s'?)test\/[^\s']+\.test\.ts/g)].map(([pattern]) => pattern);
  const included = excluded.length > 0 ? ['test/**/*.test.ts'] : named;
  const left = new Set(globSync(excluded, { cwd: root }));
  return globSync(included, { cwd: root }).filter((file) => !left.has(file));
}

await test('the workflow calls each part once under a Node, after an installation', async (t) => {
  const called = Object.entries(readJobs('ci.yml')).flatMap(([name, job]) => {
    // .ci/run is for Debian, so this job does not call it.
    if (name === 'platforms') return [];
    return stepsOf(job).flatMap((steps) => {
      const node = steps.find(({ uses }) => uses?.startsWith('actions/setup-node@'))?.with?.['node-version'];
      const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
      t.equal(commands.length, 1, name);
      const [program, first, ...rest] = commands[0]?.split(' ') ?? [];
      t.same([program, first], ['.ci/run', 'install'], name);
      return rest.map((part) => `${part} ${String(node)}`);
    });
  });
  const [, defaults = ''] = /^\[ \$# -gt 0 \] \|\| set -- (.*)$/m.exec(definition) ?? [];
  const usual = defaults.split(' ').filter((part) => part !== 'install');
  t.ok(usual.length > 5);
  t.same(called.toSorted(), [...usual.map((part) => `${part} 26`), 'nodes 22', 'nodes 24'].toSorted());
  t.same(new Set(parts.keys()), new Set(['install', ...usual, 'nodes']));
});

await test('each test file is in one part', async (t) => {
  const counts = Map.groupBy([...parts.values()].flatMap(testsOf), (file) => file);
  const files = globSync('test/**/*.test.ts', { cwd: root });
  t.ok(files.length > 100);
  t.same(
    files.filter((file) => counts.get(file)?.length !== 1),
    [],
  );
});

await test('actions are pinned by commit, each at one version', async (t) => {
  const uses = globSync('.github/workflows/*.yml', { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/\buses: (.*)$/gm)].map(([, action]) => action ?? ''),
  );
  const foreign = new Set(uses.filter((action) => !action.startsWith('./')));
  t.ok(foreign.size > 5);
  for (const action of foreign) t.match(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  t.equal(new Set([...foreign].map((action) => action.split('@')[0])).size, foreign.size);
});

await test('a release builds on digests and records them', async (t) => {
  const { image } = readJobs('release.yml');
  const step = (name: string) => image?.steps?.find(({ id }) => id === name);
  const digest = `sha256:${'0'.repeat(64)}`;
  const folder = t.testdir({
    // Like buildx, which ignores a template that is nothing but a path.
    docker: `#!/bin/sh\n[ "$6" = '{{.Manifest.Digest}}' ] && echo "Name: $4" || echo ${digest}\n`,
  });
  chmodSync(join(folder, 'docker'), 0o755);
  const output = join(folder, 'output');
  // As GitHub runs it, in a checkout.
  const { status, stderr } = spawnSync('bash', ['-e', '-c', step('bases')?.run ?? ''], {
    cwd: root,
    env: { PATH: [folder, process.env['PATH']].join(delimiter), GITHUB_OUTPUT: output },
    encoding: 'utf8',
  });
  t.equal(status, 0, stderr);
  t.same(readFileSync(output, 'utf8').trim().split('\n').toSorted(), [
    `DEBIAN_IMAGE=debian:bookworm-slim@${digest}`,
    `NGINX_IMAGE=nginx:1.28@${digest}`,
    `NODE_IMAGE=node:26-bookworm-slim@${digest}`,
    `POSTGRES_IMAGE=postgres:18@${digest}`,
  ]);
  const given = step('build')?.with ?? {};
  for (const name of ['NODE_IMAGE', 'DEBIAN_IMAGE'])
    t.match(given['build-args'], `${name}=\${{ steps.bases.outputs.${name} }}`);
  t.match(given['labels'], 'org.opencontainers.image.base.name=${{ steps.bases.outputs.DEBIAN_IMAGE }}');
});

await test('a release publishes package, client and image after CI, with provenance and without a token', async (t) => {
  const jobs = readJobs('release.yml');
  const used = (job: string, action: string) =>
    jobs[job]?.steps?.find(({ uses }) => uses?.startsWith(`${action}@`))?.with;
  for (const name of ['npm', 'pypi', 'image']) {
    t.same(jobs[name]?.needs, ['ci', 'version'], name);
    t.equal(jobs[name]?.environment, 'release', name);
    t.match(jobs[name]?.permissions, { 'id-token': 'write', contents: 'read' }, name);
  }
  t.same(jobs['notes']?.needs, ['version', 'npm', 'pypi', 'image']);
  t.match(jobs['npm']?.steps?.map(({ run }) => run).join('\n'), 'npm publish ./dist --provenance');
  // This action makes attestations by default.
  t.same(used('pypi', 'pypa/gh-action-pypi-publish'), { 'packages-dir': 'distributions' });
  t.equal(used('image', 'docker/build-push-action')?.['sbom'], true);
  t.match(used('image', 'actions/attest-build-provenance'), { 'push-to-registry': true });
  t.notMatch(read('.github/workflows/release.yml'), /secrets\./);
});

await test('a release reads its version, repository and notes from the checkout', async (t) => {
  const { version, image, notes } = readJobs('release.yml');
  const outputs = {
    version: '0.2.0-beta.1',
    tag: 'next',
    repository,
    image: 'ghcr.example/example/understudy',
    notes: `### Added\n\n- [A](${repository}/blob/v${manifest.version}/docs/README.md).`,
  };
  const changelog =
    '# Changelog\n\n## Unreleased\n\n- C.\n\n## 0.2.0-beta.1 - 2026-12-01\n\n### Added\n\n- [A](docs/README.md).\n\n## 0.2.0\n\n- B.\n';
  const env = { IMAGE_REGISTRY: 'ghcr.example', GITHUB_REPOSITORY: 'Example/Understudy' };
  t.same(describeRelease('v0.2.0-beta.1', '0.2.0-beta.1', changelog, repository, env), outputs);
  t.match(describeRelease('v0.2.0', '0.2.0', changelog, repository, env), { tag: 'latest', notes: '- B.' });
  t.throws(() => describeRelease('v0.3', '0.3.0', changelog, undefined, {}), {
    message:
      /^the tag is v0.3, but .* 0.3.0\n.* no section 0.3.0, .*\n"repository" in .* is missing\n.* IMAGE_REGISTRY is missing$/,
  });
  t.same(Object.keys(version?.outputs ?? {}), Object.keys(outputs));
  for (const name of Object.keys(outputs)) t.equal(version?.outputs?.[name], `\${{ steps.read.outputs.${name} }}`);
  t.match(JSON.stringify(notes?.steps), 'needs.version.outputs.notes');
  t.match(read('Dockerfile'), `org.opencontainers.image.version="${manifest.version}"`);
  t.match(JSON.stringify(image?.steps), 'image.source=${{ needs.version.outputs.repository }}');
  const named = JSON.stringify([image?.steps, notes?.steps]);
  for (const key of ['images', 'subject-name']) t.match(named, `"${key}":"\${{ needs.version.outputs.image }}"`);
  t.match(named, 'API_IMAGE=${{ needs.version.outputs.image }}@');

  const step = version?.steps?.find(({ id }) => id === 'read')?.run ?? '';
  const output = join(t.testdir(), 'output');
  const run = (tag: string) =>
    spawnSync('bash', ['-e', '-c', step], {
      cwd: root,
      env: {
        PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
        GITHUB_OUTPUT: output,
        GITHUB_REF_NAME: tag,
      },
      encoding: 'utf8',
    });
  const { status, stderr } = run('v0.0.0');
  t.equal(status, 1);
  t.match(stderr, `::error::the tag is v0.0.0, but package.json has the version ${manifest.version}\n`);
});

await test('a release ends early where a registry would refuse it', (t) => {
  const ok = (stdout: string) => ({ status: 0, stdout, stderr: '' });
  const failed = (stderr: string) => ({ status: 1, stdout: '', stderr });
  const unknown = failed('ERROR: No matching distribution found for pack');
  const check = (npm: ReturnType<typeof ok>, pypi: ReturnType<typeof ok>) => () =>
    assertUnpublished('pack', '1.0.0', (command) => (command === 'npm' ? npm : pypi));
  t.doesNotThrow(check(ok('"0.9.0"'), unknown));
  t.doesNotThrow(check(ok('["0.9.0", "0.10.0"]'), ok('pack (0.9.0)\nAvailable versions: 0.9.0, 0.8.0\n')));
  t.throws(check(ok('["0.9.0", "1.0.0"]'), ok('pack (1.0.0)\nAvailable versions: 1.0.0, 0.9.0\n')), {
    message: 'npm has pack 1.0.0 already\nPyPI has pack 1.0.0 already',
  });
  t.throws(check(failed('npm error code E404'), unknown), {
    message: /^npm has no package pack yet, .* see CONTRIBUTING.md$/,
  });
  t.throws(check(failed('ENOTFOUND'), failed('timeout')), {
    message: 'npm did not answer: ENOTFOUND\nPyPI did not answer: timeout',
  });
  t.end();
});

await test('the words that a publication changes stand in one place, and the release changes them', (t) => {
  const untrue = /isn't on npm|[Uu]ntil a version is|weblate[-_]understudy-\S*\.(?:tgz|whl)|registry\.example/;
  const files = globSync(filesWithWords, { cwd: root });
  const others = globSync(['*.md', '{clients,deploy,docs,examples}/**/*.{md,yml,toml}'], { cwd: root });
  const withWords = [...new Set([...files, ...others])].filter((file) => untrue.test(read(file)));
  t.ok(withWords.length > 8);
  for (const file of withWords) t.notMatch(withPublishedWords(read(file), 'ghcr.example/a/b'), untrue, file);
  t.same(
    withWords.filter((file) => !files.includes(file)).filter((file) => !/CONTRIBUTING|decisions/.test(file)),
    [],
  );
  t.match(withPublishedWords(read('README.md'), 'x'), '`npm install --save-dev vitest weblate-understudy`');
  const jobs = readJobs('release.yml');
  for (const name of ['npm', 'pypi', 'words'])
    t.match(JSON.stringify(jobs[name]?.steps), 'node packaging/publication.ts \\"$IMAGE\\"', name);
  t.end();
});
