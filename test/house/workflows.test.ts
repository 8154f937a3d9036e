// The workflows run the parts of .ci/run, and pin what they use by its content.
import { spawnSync } from 'node:child_process';
import { chmodSync, globSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'tap';
import { parse } from 'yaml';

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps?: readonly Step[];
}

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const readJobs = (file: string) =>
  (parse(read(`.github/workflows/${file}`)) as { jobs: Readonly<Record<string, Job>> }).jobs;
const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };

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

/** The test files that tap gets from a part. */
function testsOf(text: string): string[] {
  const excluded = [...text.matchAll(/--exclude='([^']+)'/g)].map(([, pattern]) => pattern ?? '');
  const named = [...text.matchAll(/(?<=\s'?)test\/[^\s']+\.test\.ts/g)].map(([pattern]) => pattern);
  const included = excluded.length > 0 ? ['test/**/*.test.ts'] : named;
  const left = new Set(globSync(excluded, { cwd: root }));
  return globSync(included, { cwd: root }).filter((file) => !left.has(file));
}

await test('the workflow calls each part once under a Node, after an installation', async (t) => {
  const called = Object.entries(readJobs('ci.yml')).flatMap(([name, job]) => {
    // .ci/run is for Debian.
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

await test('base images are arguments whose defaults are tags', async (t) => {
  const from = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  t.same(from, ['${NODE_IMAGE}', '${DEBIAN_IMAGE}', '--platform=$BUILDPLATFORM', 'debian']);
  for (const file of globSync('{docker-compose*,deploy/cells}.yml', { cwd: root }))
    for (const [, image] of read(file).matchAll(/^ +image: (.*)$/gm))
      t.match(image, /^\$\{[A-Z]+_IMAGE:-[a-z]+(?::[\w.-]+)?\}$/, file);
});

await test('a release builds on digests and records them', async (t) => {
  const { image } = readJobs('release.yml');
  const step = (name: string) => image?.steps?.find(({ id }) => id === name);
  const digest = `sha256:${'0'.repeat(64)}`;
  const folder = t.testdir({
    // As buildx does, which ignores a template that is nothing but a path.
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
