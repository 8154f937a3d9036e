// The words that are true until the packages and the image are published, and the words that are true from
// then on. The packages of a release have the new words. For the checkout, release.yml proposes the new words
// in a pull request. Usage: node packaging/publication.ts IMAGE
import { globSync, readFileSync, writeFileSync } from 'node:fs';

/** The pages that have these words, and the test that looks for the image's name. */
export const filesWithWords = [
  'README.md',
  'clients/python/README.md',
  'docs/{tutorials,how-to}/*.md',
  'examples/**/*.{md,yml}',
  'test/docker/ci-jobs.test.ts',
];

const words: readonly (readonly [before: RegExp, after: string])[] = [
  [
    /`npm ci && [^`]+` in a checkout makes the package `weblate-understudy`, which isn't on npm yet\.\sInstall it\s/,
    'Install the package ',
  ],
  [/Until a version is published, \[make the tarball\]\([^)]+\)(?: and copy it to your repository)?\. /, ''],
  [/git add --force \.\/weblate-understudy-\*\.tgz\n/, ''],
  [/The first line is for the tarball, which the lockfile names and `npm ci` needs\. /, ''],
  [/Until a version is published, make the tarball from a checkout:\n\n```sh\n[^`]+```\n\n/, ''],
  [/(\[Install from npm\]\(install-from-npm\.md\)) says how to get the package\./, '$1 has more.'],
  [
    /For pytest, `pip wheel [^`]+` in a checkout makes the wheel of a plugin\. Install it\s/,
    'For pytest there is a plugin. Install it ',
  ],
  [/Until a version is on PyPI, `[^`]+` in a checkout\s+makes (?:its|the) wheel:/, 'Install it:'],
  [/`registry\.example\.com\S+ stands for your own registry;\s/, ''],
  [/(`understudy_image = \S+ in `pytest\.ini`), with your own registry/, '$1'],
  [/\.\/weblate-understudy-(?:\*|\d[\w.-]*)\.tgz/g, 'weblate-understudy'],
  [/\.\/weblate_understudy-\d[\w.]*-py3-none-any\.whl/g, 'weblate-understudy'],
];

/** @param image the image's name, without a tag */
export const withPublishedWords = (text: string, image: string): string =>
  words
    .reduce((changed, [before, after]) => changed.replace(before, after), text)
    .replaceAll('registry.example.com/understudy', image);

if (process.argv[1] === import.meta.filename) {
  const [, , image] = process.argv;
  if (!image) throw new Error('usage: node packaging/publication.ts IMAGE');
  for (const file of globSync(filesWithWords)) {
    const text = readFileSync(file, 'utf8');
    const changed = withPublishedWords(text, image);
    if (changed !== text) writeFileSync(file, changed);
  }
}
