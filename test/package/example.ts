// An example as a project for its runner: unchanged, in several files, or changed so that it must fail.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { root } from './tarball.ts';

type Edit = readonly [from: string, to: string];

export interface Example {
  /** The folder in examples/. */
  readonly name: string;
  /** The file of its test, and those that the test needs. */
  readonly file: string;
  readonly others?: readonly string[];
  /** Of the project's package.json. */
  readonly type?: 'commonjs' | 'module';
  readonly command: readonly [string, ...string[]];
  /** Gives the test a limit of four seconds. */
  readonly limit?: Edit;
}

export interface Ran {
  readonly status: number | null;
  readonly output: string;
  /** The URLs of the services that the tests used, each once. */
  readonly services: readonly string[];
}

/** The edit that makes a test note the service that it uses, by the extension of its file. */
const notes: Readonly<Record<string, Edit>> = {
  '.js': [
    'const response =',
    "process.getBuiltinModule('fs').appendFileSync(process.env.SEEN, `${box.baseUrl}\\n`);\n const response =",
  ],
  '.py': [
    '    response =',
    "    open(__import__('os').environ['SEEN'], 'a').write(f'{sandbox.base_url}\\n')\n    response =",
  ],
};

const variants: Readonly<Record<string, readonly Edit[]>> = {
  one: [],
  two: [],
  three: [],
  four: [],
  /** The service refuses the request. */
  refused: [['RepositoryNotification', 'NoNotification']],
  /** The test passes, but it requests a path that isn't served. */
  unserved: [
    ['/api/users/alice/notifications/', '/api/changes/'],
    ['201', '404'],
    ['/api/users/*/notifications/', '/api/changes/'],
  ],
  /** The client forgets its token once. */
  forgetful: [
    ['const response =', 'await fetch(`${box.baseUrl}/api/users/alice/`);\n const response ='],
    ['201', '202'],
  ],
  /** The test takes longer than its limit. node:test waits for its end all the same. */
  hanging: [
    [
      'const response =',
      'await fetch(`${box.baseUrl}/api/users/bob/`);\n await new Promise((resolve) => setTimeout(resolve, 5_000));\n const response =',
    ],
  ],
};
export type Variant = 'one' | 'two' | 'three' | 'four' | 'refused' | 'unserved' | 'forgetful' | 'hanging';

/** A folder below the project, with a copy of the test for each variant. */
export function makeExample(
  project: string,
  { name, file, others = [], type = 'module', limit }: Example,
  of: Variant[],
): string {
  const folder = mkdtempSync(join(project, `${name}-`));
  const source = join(root, 'examples', name);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type }));
  for (const other of others) cpSync(join(source, other), join(folder, other));
  const text = readFileSync(join(source, file), 'utf8');
  const extension = extname(file);
  for (const variant of of) {
    const edits = [notes[extension], ...(variants[variant] ?? []), ...(variant === 'hanging' && limit ? [limit] : [])];
    // Runners know test files by the beginning or by the end of the files' names.
    writeFileSync(join(folder, file.replace(/[-_]?(\w+)(?=\.)/, `$&_${variant}`)), edit(text, edits as Edit[]));
  }
  return folder;
}

function edit(text: string, edits: readonly Edit[]): string {
  return edits.reduce((edited, [from, to]) => {
    if (!edited.includes(from)) throw new Error(`the example doesn't contain ${from}`);
    return edited.replaceAll(from, () => to);
  }, text);
}

/** Runs the example's command. Of this process's environment, the command gets HOME and PATH. */
export function runExample(
  folder: string,
  { command: [program, ...args] }: Example,
  more: Record<string, string> = {},
): Ran {
  const { PATH = '', HOME = '/' } = process.env;
  const seen = join(folder, 'seen');
  // The project's programs, and those of this checkout.
  const bins = [join(folder, '../node_modules/.bin'), join(root, 'node_modules/.bin')];
  const programs = [dirname(process.execPath), ...bins, PATH].join(':');
  const env = { HOME, NO_COLOR: '1', SEEN: seen, ...more, PATH: more['PATH'] ?? programs };
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8' });
  if (error) throw error;
  const urls = existsSync(seen) ? readFileSync(seen, 'utf8').trim().split('\n') : [];
  return { status, output: stdout + stderr, services: [...new Set(urls.map((url) => new URL(url).origin))] };
}
