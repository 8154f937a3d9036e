// The code on the pages about test runners is that of examples/, which test/package runs.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { codeBlocks, pages, root } from './pages.ts';

const examples = globSync('examples/**/*.{js,mjs,py}', { cwd: root }).map((file) =>
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

await test('what installs the Python client', async (t) => {
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

await test('the options of start() in Python', async (t) => {
  const source = readFileSync(join(root, 'clients/python/src/weblate_understudy/service.py'), 'utf8');
  const [, parameters = ''] = /^def start\(\n {4}\*,\n(.*?)\n\)/ms.exec(source) ?? [];
  const names = [...parameters.matchAll(/^ +(\w+):/gm)].map(([, name = '']) => name);
  t.ok(names.length > 3);
  for (const name of names) t.match(pages.get('docs/how-to/test-with-pytest.md'), `${name}=…`);
});
