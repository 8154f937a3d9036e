// Writes docs/reference/javascript-client.md, every member of the package with its comment, from the declarations that the build
// made: npm run build && npx node packaging/reference.ts
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

// Exported for other modules of the package, and by no entry of it.
const ofPackage =
  /^(?:\/\*\*(?:(?!\*\/)[^])*\*\/\n)?export declare (?:const|function) (?:jsonBody|pathOf|createTransport|testInSandbox|describeFaults)\b[^]*?;\n(?=\S|$)|^(?:\/\*\*(?:(?!\*\/)[^])*\*\/\n)?(?:export )?(?:interface ControlRequest|type (?:Exchange|Transport|Body|Listen))\b[^]*?(?:\n\}|;)\n(?=\S|$)/gm;

const declarationsOf = (text: string): string =>
  text
    .replace(/^import .*\n/gm, '')
    .replace(/^export \{\};?\n/gm, '')
    .replace(ofPackage, '')
    .replaceAll('    ', '  ')
    .replaceAll(/^export (?:declare )?/gm, '')
    .replace(/^type \w+ = (?!.*;\n).*\n$/gm, '')
    .trim();

export function makeReference(): string {
  const sections = parts.map(([title, file]) => {
    const text = readFileSync(join(root, 'dist/types/package', file), 'utf8');
    return `## ${title}\n\n\`\`\`ts\n${declarationsOf(text)}\n\`\`\`\n`;
  });
  return `# JavaScript client

Every member of the package \`weblate-understudy\`, from its declarations. [Library](library.md) says how they are used,
[Test with JavaScript](../how-to/test-with-javascript.md) in which runner. \`packaging/reference.ts\` writes this page.

${sections.join('\n')}`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(referenceFile, makeReference());
