// Quotations in pages: command lines can be pasted into a shell, code is from examples/, messages are from src.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { findProgram } from '../support/programs.ts';
import { codeBlocks, pages, root } from '../support/pages.ts';
import { plain, readTable } from '../support/tables.ts';

const lines = [...pages].flatMap(([file, page]) => codeBlocks(page, 'sh').map((block) => ({ file, block })));

/** Unquoted characters that zsh expands; the tarball's pattern is intended. */
function findPatterns(block: string): string[] {
  const bare = block.replaceAll(/'[^']*'|"(?:[^"\\]|\\.)*"/g, '""');
  return [...bare.matchAll(/\S*[?*[\]~^!]\S*|(?<=^|\s)[#=]\S*/gm)]
    .map(([word]) => word)
    .filter((word) => word !== './weblate-understudy-*.tgz');
}

await test('command lines hold nothing that zsh would expand', async (t) => {
  t.ok(lines.length > 40);
  for (const { file, block } of lines) t.same(findPatterns(block), [], `${file}: ${block}`);
  t.same(findPatterns('curl http://x/?a=1 # why\ncurl "http://x/?a=1" -d \'[1]\''), ['http://x/?a=1', '#']);
});

for (const shell of ['bash', 'zsh']) {
  const program = findProgram(shell);
  await test(`${shell} parses them`, { skip: program === undefined && `${shell} is not installed` }, async (t) => {
    for (const { file, block } of lines)
      t.doesNotThrow(() => execFileSync(program ?? '', ['-n'], { input: block, stdio: 'pipe' }), `${file}: ${block}`);
  });
}

const examples = globSync('examples/**/*.{java,js,mjs,py}', { cwd: root }).map((file) =>
  readFileSync(join(root, file), 'utf8'),
);

for (const [page, language] of [
  ['test-with-javascript.md', 'js'],
  ['test-with-pytest.md', 'python'],
] as const)
  await test(page, async (t) => {
    const blocks = codeBlocks(pages.get(`docs/how-to/${page}`) ?? '', language);
    t.ok(blocks.length > 2);
    for (const block of blocks) t.ok(examples.includes(block), block);
  });

await test('assert-requests.md', (t) => {
  t.ok(examples.includes(codeBlocks(pages.get('docs/how-to/assert-requests.md') ?? '', 'java')[0] ?? ''));
  t.end();
});

await test('the install line of the Python client has the packages that it imports', async (t) => {
  const imports = globSync('examples/pytest/*.py', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^(?:from|import) (\w+)/gm)].map(([, name = '']) => name),
  );
  const wanted = new Set(imports.filter((name) => name !== 'weblate_understudy'));
  t.ok(wanted.size > 1);
  for (const page of ['docs/how-to/test-with-pytest.md', 'clients/python/README.md']) {
    const [, names = ''] = /^pip install (.*)$/m.exec(readFileSync(join(root, page), 'utf8')) ?? [];
    for (const name of wanted) t.ok(names.split(' ').includes(name), `${page} installs ${name}`);
  }
});

await test('the page on pytest lists the options of start()', async (t) => {
  const source = readFileSync(join(root, 'clients/python/src/weblate_understudy/service.py'), 'utf8');
  const [, parameters = ''] = /^def start\(\n {4}\*,\n(.*?)\n\)/ms.exec(source) ?? [];
  const names = [...parameters.matchAll(/^ +(\w+):/gm)].map(([, name = '']) => name);
  t.ok(names.length > 3);
  for (const name of names) t.match(pages.get('docs/how-to/test-with-pytest.md'), `${name}=…`);
});

const texts = ['src/**/*.ts', 'bin/*']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .map((file) => readFileSync(join(root, file), 'utf8'));

/** Whether one file has all parts of a message; `…` is a variable part. */
function isInCode(message: string): boolean {
  const parts = message.split('…').filter((part) => part.trim() !== '');
  return texts.some((text) => parts.every((part) => text.includes(part)));
}

await test('the messages that the page on troubleshooting lists are in the code', async (t) => {
  const rows = ['messages', 'command-messages'].flatMap((name) => readTable('how-to/troubleshooting.md', name));
  t.ok(rows.length > 10);
  t.same(
    rows.map((row) => plain(row['message'])).filter((message) => !isInCode(message)),
    [],
  );
  t.notOk(isInCode('The data folder … is made of cheese'));
});
