// Follows README from a package to a test that passes, with README's own lines, files and code. Only the client,
// which README expects the reader to have, is made here.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { codeBlocks } from '../support/pages.ts';
import type { Project } from './project.ts';

/** Returns a shell command from README's text. */
function lineOf(readme: string, line: RegExp): string {
  const [found] = line.exec(readme) ?? [];
  if (found === undefined) throw new Error(`README has no ${line}`);
  return found;
}

/** Installs the package beside vitest, and runs README's first test; returns what vitest prints. */
export function walkNode(project: Project, readme: string): string {
  const install = lineOf(readme, /npm install --save-dev vitest [^`]+/);
  // With the version of vitest that package.json names.
  project.run('sh', ['-c', install.replace('vitest', `vitest@${manifest.devDependencies.vitest}`)]);
  return runVitest(project, readme);
}

export function runVitest(project: Project, readme: string): string {
  writeNodeTest(project, readme, { notification: 'RepositoryNotification', scope: 10, frequency: 1 });
  return project.run('sh', ['-c', lineOf(readme, /npx vitest run/)]);
}

/** Writes README's test and configuration of vitest, and a client that makes the subscription. */
export function writeNodeTest(project: Project, readme: string, subscription: object): void {
  const [example = '', config = ''] = codeBlocks(readme, 'js');
  writeFileSync(join(project.folder, lineOf(readme, /(?<=save the test above as\s`)[^`]+/)), example);
  writeFileSync(join(project.folder, lineOf(readme, /[\w.]+(?=` starts one service)/)), config);
  writeFileSync(
    join(project.folder, 'client.js'),
    `export const subscribe = (url, headers) =>
  fetch(url + '/api/users/alice/notifications/', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(${JSON.stringify(subscription)}),
  });\n`,
  );
}

/** Installs the wheel and pytest, and runs README's test for pytest. @param options more options for pip */
export function walkPython(project: Project, readme: string, options = ''): string {
  project.run('sh', ['-c', `${lineOf(readme, /pip install [^`]+/)} ${options}`]);
  const [example = ''] = codeBlocks(readme, 'python');
  writeFileSync(join(project.folder, lineOf(readme, /(?<=Save\sthis\stest\sas\s`)[^`]+/)), example);
  writeFileSync(
    join(project.folder, 'client.py'),
    `import json
from urllib.request import Request, urlopen


def subscribe(url, headers):
    body = json.dumps({"notification": "RepositoryNotification", "scope": 10, "frequency": 1}).encode()
    headers = {**headers, "Content-Type": "application/json"}
    urlopen(Request(f"{url}/api/users/alice/notifications/", body, headers))
`,
  );
  return project.run('sh', ['-c', lineOf(readme, /(?<=and run `)pytest(?=`)/)]);
}
