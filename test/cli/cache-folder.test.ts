// The user's cache folder holds compiled code: it is used only where no other account can write into it.
import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test, type Test } from 'tap';
import { userCacheFolder } from '../../src/base/cache-folder.ts';
import { getServerAccount, isRoot } from '../../src/postgres/account.ts';
import { makeScratch } from '../support/postgres-folders.ts';

function find(t: Test, cache: string): string | undefined {
  const { XDG_CACHE_HOME } = process.env;
  t.teardown(() => Object.assign(process.env, { XDG_CACHE_HOME: XDG_CACHE_HOME ?? '' }));
  process.env['XDG_CACHE_HOME'] = cache;
  return userCacheFolder();
}

await test('a folder of our own is used, and made if it is missing', (t) => {
  const cache = join(makeScratch(t), 'cache');
  t.equal(find(t, cache), join(cache, 'understudy'));
  t.equal(statSync(join(cache, 'understudy')).mode & 0o022, 0);
  const link = join(makeScratch(t), 'link');
  symlinkSync(cache, link);
  t.equal(find(t, link), join(link, 'understudy'));
  t.end();
});

await test('a folder is not used if others may write to it or to a part of its path', (t) => {
  for (const [part, mode, isUsed] of [
    ['cache/understudy', 0o777, false],
    ['cache/understudy', 0o1777, false],
    ['cache/understudy', 0o770, false],
    ['cache', 0o777, false],
    ['cache', 0o1777, true],
  ] as const) {
    const scratch = makeScratch(t);
    const cache = join(scratch, 'cache');
    mkdirSync(join(cache, 'understudy'), { recursive: true });
    chmodSync(join(scratch, part), mode);
    t.equal(find(t, cache) !== undefined, isUsed, `${part} ${mode.toString(8)}`);
  }
  t.end();
});

await test('a folder below another account’s is not used', { skip: !isRoot && 'only as root' }, (t) => {
  const { uid, gid } = getServerAccount();
  for (const part of ['cache/understudy', 'cache', 'link']) {
    const scratch = makeScratch(t);
    const cache = join(scratch, 'cache');
    mkdirSync(join(cache, 'understudy'), { recursive: true });
    // The link is ours, but its target is not.
    mkdirSync(join(scratch, 'link/cache/understudy'), { recursive: true });
    symlinkSync(join(scratch, 'link/cache'), join(scratch, 'ours'));
    chownSync(join(scratch, part), uid, gid);
    t.equal(find(t, part === 'link' ? join(scratch, 'ours') : cache), undefined, part);
  }
  t.end();
});
