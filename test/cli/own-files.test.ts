// Files that commands write: as a whole, through no planted link; and the cache folder, used only where no other account can write into
// it.
import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Test, test } from 'tap';
import { userCacheFolder } from '../../src/base/cache-folder.ts';
import { writeWhole } from '../../src/cli/write-whole.ts';
import { getServerAccount, isRoot } from '../../src/postgres/account.ts';
import { makeScratch } from '../support/postgres-folders.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

await test('a replaced file keeps its mode, and a link to it stays', async (t) => {
  const folder = makeScratch(t);
  const [file, link] = [join(folder, 'real.yaml'), join(folder, 'link.yaml')];
  for (const mode of [0o600, 0o666]) {
    writeFileSync(file, 'before');
    chmodSync(file, mode);
    await writeWhole(join(folder, 'real.yaml'), 'after');
    t.equal(readFileSync(file, 'utf8'), 'after');
    t.equal(modeOf(file), mode);
  }
  symlinkSync('real.yaml', link);
  await writeWhole(join(folder, 'link.yaml'), 'through the link');
  t.ok(lstatSync(link).isSymbolicLink());
  t.equal(readFileSync(file, 'utf8'), 'through the link');
  t.same(readdirSync(folder).toSorted(), ['link.yaml', 'real.yaml']);
});

await test('a device and a pipe are written in place', async (t) => {
  const folder = makeScratch(t);
  symlinkSync('/dev/null', join(folder, 'null'));
  await writeWhole(join(folder, 'null'), 'for nobody');
  t.ok(statSync(join(folder, 'null')).isCharacterDevice());
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reading = promisify(execFile)('cat', [pipe]);
  await writeWhole(join(folder, 'pipe'), 'for a reader');
  t.equal((await reading).stdout, 'for a reader');
  t.ok(lstatSync(pipe).isFIFO());
  // A link that leads nowhere yet.
  symlinkSync('later.yaml', join(folder, 'dangling'));
  await writeWhole(join(folder, 'dangling'), 'there now');
  t.equal(readFileSync(join(folder, 'later.yaml'), 'utf8'), 'there now');
});

await test('the name of the temporary file is unpredictable; a failed write leaves none', async (t) => {
  const folder = makeScratch(t);
  const victim = join(folder, 'victim');
  writeFileSync(victim, 'kept');
  symlinkSync('victim', join(folder, `.out.yaml.${process.pid}.tmp`));
  const names: string[] = [];
  async function* text() {
    names.push(...readdirSync(folder).filter((name) => /^\.out\.yaml\..{36}\.tmp$/.test(name)));
    yield 'half';
    await Promise.reject(new Error('the other half is missing'));
  }
  await t.rejects(writeWhole(join(folder, 'out.yaml'), text()), { message: 'the other half is missing' });
  await writeWhole(join(folder, 'out.yaml'), 'whole');
  t.equal(names.length, 1);
  t.equal(readFileSync(victim, 'utf8'), 'kept');
  t.same(
    readdirSync(folder).filter((name) => name.endsWith('.tmp')),
    [`.out.yaml.${process.pid}.tmp`],
  );
});

// The user's cache folder holds compiled code: it is used only where no other account can write into it.

function find(t: Test, cache: string): string | undefined {
  const { XDG_CACHE_HOME } = process.env;
  t.teardown(() => Object.assign(process.env, { XDG_CACHE_HOME: XDG_CACHE_HOME ?? '' }));
  process.env['XDG_CACHE_HOME'] = cache;
  return userCacheFolder();
}

await test('a folder of our own is used, and made if it is missing', async (t) => {
  const cache = join(makeScratch(t), 'cache');
  t.equal(find(t, cache), join(cache, 'understudy'));
  t.equal(statSync(join(cache, 'understudy')).mode & 0o022, 0);
  const link = join(makeScratch(t), 'link');
  symlinkSync(cache, link);
  t.equal(find(t, link), join(link, 'understudy'));
});

await test('a folder is not used if others may write to it or to a part of its path', async (t) => {
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
});

await test('a folder below another account’s is not used', { skip: !isRoot && 'only as root' }, async (t) => {
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
});

await test('a file that is a mount is overwritten, as one that a container shares', async (t) => {
  const folder = makeScratch(t);
  const [outside, file] = [join(folder, 'outside.yaml'), join(folder, 'out.yaml')];
  for (const path of [outside, file]) writeFileSync(path, 'before');
  try {
    execFileSync('mount', ['--bind', outside, file], { stdio: 'ignore' });
  } catch {
    return t.comment('this account may not mount');
  }
  t.teardown(() => execFileSync('umount', [file]));
  await writeWhole(file, 'after');
  t.equal(readFileSync(outside, 'utf8'), 'after');
  t.same(readdirSync(folder).toSorted(), ['out.yaml', 'outside.yaml']);
});
