// The Markdown pages for readers of the repository.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** The texts of the pages, by their paths in the repository. */
export const pages: ReadonlyMap<string, string> = new Map(
  ['*.md', 'docs/**/*.md', 'examples/*.md', 'test/*.md']
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
);

/** The text of a page's code blocks in one language. */
export const codeBlocks = (page: string, language: string): string[] =>
  [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .filter((block) => block[1] === language)
    .map((block) => block[2] ?? '');
