// Standard output that can't be written: a full disk, a reader that is slow or gone.
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { t as file, test } from 'tap';
import { createLogOutput } from '../../src/service/process/log-output.ts';
import { makeScratch } from '../support/postgres-folders.ts';
import { startCommand } from '../support/process.ts';
import { createSeededDatabase } from '../support/service.ts';

file.setTimeout(180_000);

const program = join(import.meta.dirname, '../../bin/weblate-understudy');
const skip = !existsSync('/dev/full') && 'this system has no /dev/full';

/** An output with room for so many bytes. Where there is none, it fails, or lets what was written wait. */
function createOutput(room: number, isSlow: boolean) {
  const waiting: [bytes: Buffer, done: (error?: Error | null) => void][] = [];
  const output = {
    text: '',
    room,
    get writableLength() {
      return waiting.reduce((sum, [{ length }]) => sum + length, 0);
    },
    removeAllListeners: () => new EventEmitter(),
    write(text: string, done: (error?: Error | null) => void = () => undefined) {
      waiting.push([Buffer.from(text), done]);
      output.flush();
    },
    flush() {
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        const [bytes, done] = next;
        const taken = Math.min(output.room, bytes.length);
        output.text += bytes.toString('utf8', 0, taken);
        output.room -= taken;
        next[0] = bytes.subarray(taken);
        if (taken < bytes.length && isSlow) return;
        waiting.shift();
        done(taken < bytes.length ? Object.assign(new Error('no'), { code: 'ENOSPC' }) : null);
      }
    },
  };
  return output as typeof output & Writable;
}

await test('lines that a full disk does not take are counted, and reported by the next one that it takes', (t) => {
  const disk = createOutput(8, false);
  const notes: string[] = [];
  const log = createLogOutput({ note: (line) => notes.push(line), to: disk });
  for (const line of ['one\n', 'second\n', 'third\n', 'fourth\n']) log.write(line);
  t.equal(disk.text, 'one\nseco');
  t.equal(log.lost(), 3);
  t.match(notes, [/^standard output can't be written \(ENOSPC\): lines of the log are dropped$/]);
  t.equal(notes.length, 1);
  disk.room = 1000;
  log.write('fifth\n');
  log.write('sixth\n');
  const [first, cut, report = '', ...others] = disk.text.trimEnd().split('\n');
  t.same([first, cut, others], ['one', 'seco', ['fifth', 'sixth']]);
  t.match(JSON.parse(report), { level: 'warn', lines: 3, msg: /^lines of the log are lost/ });
  t.equal(log.lost(), 3);
  t.end();
});

await test('what a slow reader does not take waits in bounded memory, in order', (t) => {
  const pipe = createOutput(6, true);
  const log = createLogOutput({ note: () => undefined, to: pipe, isHeld: true });
  log.write('line 1\n');
  t.equal(pipe.text, '');
  log.begin('ready\n');
  const long = `${'x'.repeat(300_000)}\n`;
  for (let n = 0; n < 10; n++) log.write(long);
  t.equal(pipe.text, 'ready\n');
  t.equal(log.lost(), 6);
  pipe.room = Infinity;
  pipe.flush();
  log.write('last\n');
  const [ready, first, ...others] = pipe.text.trimEnd().split('\n');
  t.same([ready, first, others.length, others.at(-1)], ['ready', 'line 1', 6, 'last']);
  t.match(JSON.parse(others.at(-2) ?? ''), { lines: 6 });
  t.end();
});

await test('the service works and ends while nobody can read its log', { skip }, async (t) => {
  const DATABASE_URL = await createSeededDatabase(t, 'documented');
  for (const [output, line] of [
    ['> /dev/full', 'exec "$0" serve > /dev/full'],
    ['> /dev/full 2>&1', 'exec "$0" serve --json > /dev/full 2>&1'],
    ['| head -1', '"$0" serve --json & service=$!; trap "kill $service" TERM; wait; wait $service'],
  ] as const) {
    const dataDir = join(makeScratch(t), 'data');
    const { PATH = '', HOME = '/' } = process.env;
    const env = { PATH, HOME, DATABASE_URL, UNDERSTUDY_DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'debug' };
    const child = spawn('sh', ['-c', line, program], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = once(child, 'exit');
    t.teardown(() => child.kill('SIGKILL'));
    if (output === '| head -1') {
      await once(child.stdout, 'data');
      child.stdout.destroy();
    }
    const serviceFile = join(dataDir, 'service.json');
    while (!existsSync(serviceFile) || readFileSync(serviceFile, 'utf8') === '')
      await new Promise((resolve) => setTimeout(resolve, 20));
    const { url } = JSON.parse(readFileSync(serviceFile, 'utf8')) as { url: string };
    for (let n = 0; n < 3; n++) t.equal((await fetch(`${url}/_understudy/health/ready`)).status, 200, output);
    const metrics = await (await fetch(`${url}/_understudy/metrics`)).text();
    t.match(metrics, /^understudy_log_lines_lost_total [1-9]/m, output);
    child.kill('SIGTERM');
    t.same(await ended, [0, null], output);
  }
});

await test('a command whose output can not be written ends with 1, and tells what it did', { skip }, async (t) => {
  const DATABASE_URL = await createSeededDatabase(t, 'documented');
  const run = async (...args: string[]) => {
    const { PATH = '', HOME = '/' } = process.env;
    const child = spawn('sh', ['-c', 'exec "$0" "$@" > /dev/full', program, ...args], {
      env: { PATH, HOME, DATABASE_URL },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += String(chunk)));
    const [code] = (await once(child, 'close')) as [number];
    return { code, stderr };
  };
  const failed = "standard output can't be written: ENOSPC: no space left on device, write\n";
  t.match(await run('token', 'alice'), {
    code: 1,
    stderr: new RegExp(`\\ntoken: ${failed}A token was made for alice: .*token --list.* shows its id`),
  });
  const listed = startCommand(t, ['token', '--list'], { DATABASE_URL });
  t.equal(await listed.ended, 0);
  t.match(listed.said.stdout, / alice\n$/, 'it was made');
  t.match(await run('export'), { code: 1, stderr: `export: ${failed}` });
  t.match(await run('sandbox', 'create', 'job'), { code: 1, stderr: `${failed}The sandbox job was made.` });
  t.match(await run('reset'), { code: 0, stderr: 'default was reset' });
  for (const args of [['version'], ['help'], ['help', 'token'], ['sandbox', 'list']])
    t.match(await run(...args), { code: 1, stderr: failed }, args.join(' '));
});

await test('a reader that has gone ends a command', async (t) => {
  const { child, ended, said } = startCommand(t, ['generate', '--help'], {});
  child.stdout?.destroy();
  t.ok([0, 130].includes((await ended) as number));
  t.equal(said.stderr, '');
});
