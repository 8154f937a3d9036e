// Links lead to pages and headings that exist, and so do the files that pages name.
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'tap';
import { pages, root } from './pages.ts';

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

// Files of the reader's own, and a title to be chosen.
const invented = ['seeds/mine.yaml', 'docs/decisions/0015', 'docs/decisions/0015-short-title.md'];

function findMissing(file: string, page: string): string[] {
  const named = page.matchAll(/(?<![\w/.~-])(?:bench|bin|deploy|docs|examples|migrations|seeds|src|test)\/[\w./-]*\w/g);
  return [...named]
    .filter(([path]) => !invented.includes(path) && !existsSync(join(root, path)))
    .map(([path]) => `${file}: ${path}`);
}

// The changelog names files as they were.
const current = [...pages].filter(([file]) => file !== 'CHANGELOG.md');

await test('links', async (t) => {
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

await test('files that pages name', async (t) => {
  t.same(
    current.flatMap(([file, page]) => findMissing(file, page)),
    [],
  );
  t.same(findMissing('README.md', 'see `src/nowhere.ts` or https://example.com/src/x.ts'), [
    'README.md: src/nowhere.ts',
  ]);
});

await test('each page is in the index', async (t) => {
  const index = pages.get('docs/README.md') ?? '';
  const missing = [...pages.keys()].filter(
    (file) => /^docs\/(?!README|decisions\/)/.test(file) && !index.includes(`(${file.slice('docs/'.length)})`),
  );
  t.same(missing, []);
});
