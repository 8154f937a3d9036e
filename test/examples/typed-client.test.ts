// A client in TypeScript whose types openapi-typescript makes of Weblate's own document: examples/typescript/weblate-openapi.json, which has what
// Weblate 2026.10.1 answers at /api/schema/ of a user's subscriptions, without its texts.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { startService } from '../support/service.ts';
import { examples, run } from './run.ts';

const own = join(examples, 'typescript');

/** The folder of a project with the packages, installed once; the reason where there is no registry. */
function prepare(): string | Error {
  const key = createHash('sha256')
    .update(readFileSync(join(own, 'package.json')))
    .digest('hex')
    .slice(0, 16);
  const folder = join(import.meta.dirname, '../../node_modules/.cache/understudy-typed-client', key);
  if (existsSync(join(folder, 'node_modules'))) return folder;
  cpSync(own, folder, { recursive: true });
  const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status === 0) return folder;
  rmSync(folder, { recursive: true, force: true });
  return new Error(`npm could not install openapi-typescript: ${stderr.trim().split('\n').at(-1)}`);
}

const folder = prepare();

await test('a typed client', { skip: folder instanceof Error && folder.message }, async (t) => {
  const cwd = folder as string;
  cpSync(own, cwd, { recursive: true });
  const program = (name: string) => join(cwd, 'node_modules/.bin', name);
  const made = await run([program('openapi-typescript'), 'weblate-openapi.json', '-o', 'weblate.d.ts'], { cwd });
  t.equal(made.code, 0, made.output);
  const checked = await run([program('tsc')], { cwd });
  t.equal(checked.code, 0, checked.output);
  const service = await startService(t, { seed: 'documented', anonymous: 'strict' });
  const token = 'wlu_alice_public_sample_token_0000000000';
  t.same(await run([process.execPath, 'client.js', service.url, token], { cwd }), {
    code: 0,
    output: 'created 201\nrefused 400 validation_error\nchanged 2\nfound 2\ndeleted 204\nleft null\n',
  });
});
