// What release.yml uses of the checkout: node packaging/release.ts v0.1.0 >> "$GITHUB_OUTPUT". Fails if the tag isn't the version, or
// CHANGELOG.md has no section for it.
import { readFileSync } from 'node:fs';
import manifest from '../package.json' with { type: 'json' };
import { findRepository, withAbsoluteLinks } from './repository.ts';

/** The section of a version, without its heading; empty if there is none. */
export function findSection(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m);
  const found = sections.find((section) => /^\[?([^\]\s]+)/.exec(section)?.[1] === version);
  return found?.replace(/^.*\n/, '').trim() ?? '';
}

/** Outputs of a step, by name. Throws with all faults. */
export function describeRelease(tag: string, version: string, changelog: string, repository: string | undefined) {
  const section = findSection(changelog, version);
  const faults = [
    ...(tag === `v${version}` ? [] : [`the tag is ${tag}, but package.json has the version ${version}`]),
    ...(section === '' ? [`CHANGELOG.md has no section ${version}, or it is empty`] : []),
    ...(repository === undefined ? ['"repository" in package.json is missing'] : []),
  ];
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return {
    version,
    // A version such as 0.2.0-beta.1 is not what `npm install` takes unasked.
    tag: version.includes('-') ? 'next' : 'latest',
    repository: String(repository),
    notes: withAbsoluteLinks(section, '', repository),
  };
}

if (process.argv[1] === import.meta.filename) {
  const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8');
  try {
    const outputs = describeRelease(process.argv[2] ?? '', manifest.version, changelog, findRepository());
    // GitHub's form for values of several lines.
    for (const [name, value] of Object.entries(outputs))
      process.stdout.write(`${name}<<end-of-${name}\n${value}\nend-of-${name}\n`);
  } catch (error) {
    for (const fault of (error as Error).message.split('\n')) process.stderr.write(`::error::${fault}\n`);
    process.exitCode = 1;
  }
}
