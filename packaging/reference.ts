// Writes docs/reference/javascript-client.md from the declarations that the build made. The page has every member of the package with
// its comment. Run: npm run build && npx node packaging/reference.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
export const referenceFile = join(root, 'docs/reference/javascript-client.md');

const parts: readonly (readonly [title: string, file: string])[] = [
  ['start(): a service for a run', 'library/start.d.ts'],
  ['Its options', 'library/start-options.d.ts'],
  ['The running service', 'library/service.d.ts'],
  ['connect(): a client of a service', 'client/client.d.ts'],
  ['A sandbox', 'client/sandbox-client.d.ts'],
  ['Its requests, and assertions', 'client/requests.d.ts'],
  ['A test in a sandbox', 'client/test-in-sandbox.d.ts'],
  ['Fixtures of vitest and Playwright', 'library/fixtures.d.ts'],
  ['Connection options', 'client/transport.d.ts'],
  ['Errors', 'client/understudy-error.d.ts'],
  ['What requests and answers hold', 'client/wire-types.d.ts'],
];

/** Names that only the package's own modules use: the page leaves them out. */
const ofPackage = new Set(
  'jsonBody pathOf createTransport testInSandbox describeErrors mostKept Fetch Transport Body Listen'.split(' '),
);

/** Matches a statement of the declarations with its comment; each statement begins at the start of a line. */
const statement =
  /^(?:\/\*\*(?:(?!\*\/)[^])*\*\/\n)?(?:export )?(?:declare )?(?:[a-z]+ )+(\w+)[^]*?(?=\n(?:\/\*\*|export |interface |type |declare )|(?![^]))/gm;

const declarationsOf = (text: string): string =>
  [...text.replaceAll(/^(?:import .*|export \{\};?)\n/gm, '').matchAll(statement)]
    .flatMap(([all, name = '']) => (ofPackage.has(name) ? [] : all.trimEnd()))
    .join('\n')
    .replaceAll('    ', '  ')
    .replaceAll(/^export (?:declare )?/gm, '');

export function makeReference(): string {
  const sections = parts.map(([title, file]) => {
    const text = readFileSync(join(root, 'dist/types/package', file), 'utf8');
    return `## ${title}\n\n\`\`\`ts\n${declarationsOf(text)}\n\`\`\`\n`;
  });
  return `# JavaScript client

This page has every member of the package \`weblate-understudy\`, from its declarations. [Library](library.md) and [Test with
JavaScript](../how-to/test-with-javascript.md) explain how to use them. \`packaging/reference.ts\` writes this page.

${sections.join('\n')}`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(referenceFile, makeReference());
