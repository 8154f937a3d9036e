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
