// The log on standard output, whatever becomes of that: neither a full disk nor a reader that is slow or gone stops
// the service. Lines that can't be written are dropped and counted, and the next one that can be reports them.
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../../base/errors.ts';

// What waits for a slow reader of a pipe takes no more memory than this.
const maxWaitingBytes = 1 << 20;
const retryMs = 50;
const lastTries = 20;

interface LogOutputOptions {
  /** Receives the reason when lines begin to get lost. */
  readonly note: (line: string) => void;
  /** Changes each line, with its newline. */
  readonly format?: (line: string) => string;
  /** Keeps the lines until `begin`. */
  readonly isHeld?: boolean;
  /** Writes what is taken of the bytes now, or throws. Left out: to standard output. */
  readonly put?: (bytes: Buffer) => number;
}

export function createLogOutput(options: LogOutputOptions) {
  const { note, format = String, isHeld = false, put = (bytes) => writeSync(1, bytes) } = options;
  let held: string[] | undefined = isHeld ? [] : undefined;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let waitingLines = 0;
  let retry: NodeJS.Timeout | undefined;
  let lost = 0;
  let reported = 0;
  // Whether the last line was written in part.
  let isCut = false;

  function lose(lines: number, reason: string): void {
    if (lost === reported) note(`standard output can't be written (${reason}): lines of the log are dropped`);
    lost += lines;
  }

  function describeGap(): string {
    if (lost === reported) return '';
    const msg = `lines of the log are lost: standard output could not be written`;
    const line = JSON.stringify({ level: 'warn', time: new Date().toISOString(), lines: lost - reported, msg });
    return `${isCut ? '\n' : ''}${format(`${line}\n`)}`;
  }

  /** @param lines how many of them are the log's, the report of the gap aside */
  function send(bytes: Buffer, lines: number): void {
    const lostBefore = lost;
    let rest = bytes;
    try {
      while (rest.length > 0) rest = rest.subarray(put(rest));
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') {
        isCut ||= rest.length < bytes.length;
        return lose(lines, codeOf(error));
      }
      keep(rest, lines);
      retry = setTimeout(flush, retryMs).unref();
    }
    reported = lostBefore;
    isCut = false;
  }

  function keep(bytes: Buffer, lines: number): void {
    waiting.push(bytes);
    waitingBytes += bytes.length;
    waitingLines += lines;
  }

  function flush(): void {
    clearTimeout(retry);
    const [bytes, lines] = [Buffer.concat([...waiting, Buffer.from(describeGap())]), waitingLines];
    [retry, waiting, waitingBytes, waitingLines] = [undefined, [], 0, 0];
    send(bytes, lines);
  }

  function write(line: string): void {
    if (held !== undefined) return void held.push(line);
    if (retry === undefined) return send(Buffer.from(describeGap() + format(line)), 1);
    const bytes = Buffer.from(format(line));
    if (waitingBytes + bytes.length > maxWaitingBytes) lose(1, 'its reader is too slow');
    else keep(bytes, 1);
  }

  /** Gives a slow reader some time for what waits. */
  async function end(tries = lastTries): Promise<void> {
    if (retry === undefined || tries === 0) return;
    await sleep(retryMs);
    flush();
    return end(tries - 1);
  }

  return {
    write,
    end,
    lost: (): number => lost,
    /** Writes the line that a program waits for, and then those that were kept. */
    begin(first: string): void {
      const lines = [first, ...(held ?? [])];
      held = undefined;
      lines.forEach(write);
    },
  };
}
