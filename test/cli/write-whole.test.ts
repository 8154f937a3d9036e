// Commands write a file as a whole, keep the mode of a file that they replace, and follow no planted link.
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test } from 'tap';
import { writeWhole } from '../../src/cli/write-whole.ts';
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
