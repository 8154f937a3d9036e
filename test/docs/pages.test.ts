// What pages say: links, files, command lines, code and messages exist.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'tap';
import { codeBlocks, pages, root } from '../support/pages.ts';
import { findProgram } from '../support/programs.ts';
import { plain, readTable } from '../support/tables.ts';

/** As GitHub makes the anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const anchorsOf = (page: string): string[] =>
  [...page.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (.+)$/gm)].map((match) => anchorOf(match[1] ?? ''));

function findBroken(file: string, page: string): string[] {
  return [...page.matchAll(/\]\(((?!\w+:)[^)\s]*)\)/g)].flatMap(([, link = '']) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : normalize(join(dirname(file), path));
    if (!existsSync(join(root, target))) return [`${file}: ${link}`];
    const isBroken = anchor !== undefined && !anchorsOf(pages.get(target) ?? '').includes(anchor);
    return isBroken ? [`${file}: ${link} names no heading`] : [];
  });
}

// Files of the reader, and a title to choose.
const invented = ['docs/decisions/00NN', 'docs/decisions/00NN-short-title.md'];

function findMissing(file: string, page: string): string[] {
  const named = page.matchAll(/(?<![\w/.~-])(?:bench|bin|deploy|docs|examples|migrations|seeds|src|test)\/[\w./-]*\w/g);
  // The architecture names the rooms of src/ without it.
  return [...named]
    .filter(
      ([path]) => !invented.includes(path) && !existsSync(join(root, path)) && !existsSync(join(root, 'src', path)),
    )
    .map(([path]) => `${file}: ${path}`);
}

// The changelog names files as they were.
const current = [...pages].filter(([file]) => file !== 'CHANGELOG.md');

await test('every link of a page leads to a file and a heading that exist', async (t) => {
  t.ok(current.length > 30);
  t.same(
    current.flatMap(([file, page]) => findBroken(file, page)),
    [],
  );
  t.same(findBroken('README.md', '[a](nowhere.md) [b](README.md#nothing)'), [
    'README.md: nowhere.md',
    'README.md: README.md#nothing names no heading',
  ]);
});

await test('the files that pages name exist', async (t) => {
  t.same(
    current.flatMap(([file, page]) => findMissing(file, page)),
    [],
  );
  t.same(findMissing('README.md', 'see `src/nowhere.ts` or https://example.com/src/x.ts'), [
    'README.md: src/nowhere.ts',
  ]);
});

await test('the files that the architecture names in src/ exist', async (t) => {
  const named = [...(pages.get('docs/architecture.md') ?? '').matchAll(/`([\w/-]+\.\w+)`/g)].map(
    ([, path]) => path ?? '',
  );
  t.ok(named.length > 30);
  // The architecture names a folder's roles without the folder.
  const isThere = (path: string) =>
    existsSync(join(root, path)) ||
    existsSync(join(root, 'src', path)) ||
    globSync(`src/**/${path}`, { cwd: root }).length > 0;
  t.same(
    named.filter((path) => !isThere(path)),
    [],
    'docs/architecture.md names files that are in src/',
  );
});

await test('the functions that the architecture names exist', async (t) => {
  const page = pages.get('docs/architecture.md') ?? '';
  const named = [...page.matchAll(/`([a-z]+(?:[A-Z_]\w*)+)`/g)].map(([, name]) => name ?? '');
  t.ok(named.length > 10);
  const code = globSync('{src,migrations,test}/**/*.{ts,mjs}', { cwd: root })
    .concat(globSync('test/transcripts/data/*.json', { cwd: root }))
    .map((file) => `${file}\n${readFileSync(join(root, file), 'utf8')}`)
    .join('\n');
  const isNamed = (name: string) => new RegExp(`\\b${name}\\b`).test(code);
  t.same(
    named.filter((name) => !isNamed(name)),
    [],
  );
  t.notOk(isNamed(['no', 'SuchFunction'].join('')));
});

/** Pages and decisions that a text names: `docs/reference/errors.md`, `docs/decisions/0009`. */
const missingPages = (file: string, text: string): string[] =>
  [...text.matchAll(/(?<![\w/])docs\/(?:decisions\/\d{4}|[\w/-]+\.md)/g)]
    .filter(([path]) => globSync(`${path}*`, { cwd: root }).length === 0)
    .map(([path]) => `${file}: ${path}`);

await test('the pages that code names exist', async (t) => {
  const files = ['bench', 'deploy', 'migrations', 'seeds', 'src', 'test']
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,yaml,yml,conf,ini,sql}`, { cwd: root }))
    .concat('Dockerfile', 'docker-compose.yml', 'docker-compose.several.yml', 'bin/weblate-understudy')
    .filter((file) => file !== 'test/docs/pages.test.ts' && statSync(join(root, file)).isFile());
  t.same(
    files.flatMap((file) => missingPages(file, readFileSync(join(root, file), 'utf8'))),
    [],
  );
  t.same(missingPages('x.ts', '// docs/seeds.md, docs/decisions/0009, docs/decisions/9999'), [
    'x.ts: docs/seeds.md',
    'x.ts: docs/decisions/9999',
  ]);
});

await test('each page is in the index', async (t) => {
  const index = pages.get('docs/README.md') ?? '';
  const missing = [...pages.keys()].filter(
    (file) => /^docs\/(?!README|decisions\/)/.test(file) && !index.includes(`(${file.slice('docs/'.length)})`),
  );
  t.same(missing, []);
});

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
