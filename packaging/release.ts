// Checks a release and prints what release.yml needs: node packaging/release.ts v0.1.0 >> "$GITHUB_OUTPUT". Fails with all faults that
// would stop the release half-way: a tag that isn't the version, a missing setting or changelog section, a version that a registry has.
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { readFileSync } from 'node:fs';
import manifest from '../package.json' with { type: 'json' };
import { findRepository, withAbsoluteLinks } from './repository.ts';

/** Returns the section of a version, without its heading; an empty text if the changelog has no such section. */
export function findSection(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m);
  const found = sections.find((section) => /^\[?([^\]\s]+)/.exec(section)?.[1] === version);
  return found?.replace(/^.*\n/, '').trim() ?? '';
}

/** The image's name, without a tag, in lower case: registries refuse capital letters, which an owner's name may have. */
const imageOf = ({ IMAGE_REGISTRY: host = '', GITHUB_REPOSITORY: name = '' }: NodeJS.ProcessEnv): string | undefined =>
  host && name && `${host}/${name}`.toLowerCase();

/** Returns the outputs of the workflow's step, under their names. Throws an Error that lists all faults. */
export function describeRelease(
  tag: string,
  version: string,
  changelog: string,
  repository: string | undefined,
  env: NodeJS.ProcessEnv,
) {
  const section = findSection(changelog, version);
  const image = imageOf(env);
  const faults = [
    ...(tag === `v${version}` ? [] : [`the tag is ${tag}, but package.json has the version ${version}`]),
    ...(section === '' ? [`CHANGELOG.md has no section ${version}, or it is empty`] : []),
    ...(repository === undefined ? ['"repository" in package.json is missing'] : []),
    ...(image ? [] : ["the repository's variable IMAGE_REGISTRY is missing"]),
  ];
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return {
    version,
    // With the tag `next`, `npm install` doesn't choose a version such as 0.2.0-beta.1 by itself.
    tag: version.includes('-') ? 'next' : 'latest',
    repository: String(repository),
    image: String(image),
    notes: withAbsoluteLinks(section, '', repository),
  };
}

type Run = (command: string, args: readonly string[]) => Pick<SpawnSyncReturns<string>, 'status' | 'stdout' | 'stderr'>;

const runClient: Run = (command, args) => spawnSync(command, args, { encoding: 'utf8' });

/**
 * Throws an Error that lists all reasons for which a registry would refuse the version.
 * @param run starts a registry's own client
 */
export function assertUnpublished(name: string, version: string, run = runClient): void {
  const npm = run('npm', ['view', name, 'versions', '--json']);
  const pypi = run('python3', ['-m', 'pip', 'index', 'versions', '--pre', name]);
  const onNpm = npm.status === 0 ? [JSON.parse(npm.stdout) as string | string[]].flat() : [];
  const onPypi = /^Available versions: (.*)$/m.exec(pypi.stdout)?.[1]?.split(', ') ?? [];
  const isMissing = /E404/.test(npm.stdout + npm.stderr);
  const isNew = /No matching distribution/.test(pypi.stderr);
  const faults: readonly (readonly [boolean, string])[] = [
    [isMissing, `npm has no package ${name} yet, which a trusted publisher needs: see CONTRIBUTING.md`],
    [npm.status !== 0 && !isMissing, `npm did not answer: ${npm.stderr.trim()}`],
    [onNpm.includes(version), `npm has ${name} ${version} already`],
    [pypi.status !== 0 && !isNew, `PyPI did not answer: ${pypi.stderr.trim()}`],
    [onPypi.includes(version), `PyPI has ${name} ${version} already`],
  ];
  const found = faults.flatMap(([isWrong, fault]) => (isWrong ? [fault] : []));
  if (found.length > 0) throw new Error(found.join('\n'));
}

if (process.argv[1] === import.meta.filename) {
  const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8');
  const { name, version } = manifest;
  try {
    const outputs = describeRelease(process.argv[2] ?? '', version, changelog, findRepository(), process.env);
    assertUnpublished(name, version);
    // GitHub's syntax for values of several lines.
    for (const [output, value] of Object.entries(outputs))
      process.stdout.write(`${output}<<end-of-${output}\n${value}\nend-of-${output}\n`);
  } catch (error) {
    for (const fault of (error as Error).message.split('\n')) process.stderr.write(`::error::${fault}\n`);
    process.exitCode = 1;
  }
}
