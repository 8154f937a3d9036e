// The log on standard output. If the disk is full or the reader slow, lines are lost, counted and reported.
import type { Writable } from 'node:stream';
import { codeOf } from '../../base/failure.ts';

// The memory for lines that wait for a slow reader.
const maxWaitingBytes = 1 << 20;
// How long a service that has ended waits for that reader.
const lastMs = 1000;

interface LogOutputOptions {
  /** Takes a message when lines begin to get lost. */
  readonly note: (line: string) => void;
  /** Formats a line. Line and result end with a newline. */
  readonly format?: (line: string) => string;
  /** Whether to keep the lines until `begin`. */
  readonly isHeld?: boolean;
  readonly to?: Writable;
}

export function createLogOutput({ note, format = String, isHeld = false, to = process.stdout }: LogOutputOptions) {
  let held: string[] | undefined = isHeld ? [] : undefined;
  let lost = 0;
  let unreported = 0;
  // Whether the last line may have been written in part.
  let isCut = false;
  // A write's callback handles its error. Without a listener, the error would also end the process.
  to.removeAllListeners('error').on('error', () => undefined);

  /** @param reported how many earlier losses the lost write was to report */
  function lose(reason: string, reported = 0) {
    if (unreported + reported === 0) note(`standard output can't be written (${reason}): lines of the log are dropped`);
    lost++;
    unreported += reported + 1;
  }

  function takeReport() {
    if (unreported === 0) return '';
    const msg = 'lines of the log are lost: standard output could not be written';
    const line = JSON.stringify({ level: 'warn', time: new Date().toISOString(), lines: unreported, msg });
    const report = `${isCut ? '\n' : ''}${format(`${line}\n`)}`;
    [unreported, isCut] = [0, false];
    return report;
  }

  function write(line: string) {
    if (held !== undefined) return void held.push(line);
    if (to.writableLength > maxWaitingBytes) return lose('its reader is too slow');
    const reported = unreported;
    to.write(takeReport() + format(line), (error) => {
      if (!error) return;
      isCut = true;
      lose(codeOf(error), reported);
    });
  }

  return {
    write,
    lost: () => lost,
    /** Writes the line that a program waits for, and then the held lines. */
    begin(first: string) {
      const lines = [first, ...(held ?? [])];
      held = undefined;
      lines.forEach(write);
    },
    /** Writes the last report, and ends the process within a second. */
    end() {
      to.write(takeReport());
      setTimeout(() => process.exit(), lastMs).unref();
    },
  };
}

// Lines for people. Other output is JSON.
const colours: Readonly<Record<string, number>> = { trace: 90, debug: 90, info: 36, warn: 33, error: 31, fatal: 31 };

export function readLine(line: string, coloured: boolean) {
  const { level = 'info', time, msg = '', err, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const paint = (code: number, text: string) => (coloured ? `\u001b[${code}m${text}\u001b[0m` : text);
  const clock = typeof time === 'string' ? time.slice(11, 23) : '';
  const details = Object.entries(fields).map(
    ([name, value]) => `${name}=${plain(typeof value === 'string' ? value : json(value))}`,
  );
  const label = String(level).toUpperCase().padEnd(5);
  const words = [paint(90, clock), paint(colours[String(level)] ?? 0, label), plain(String(msg))];
  const first = [...words, ...(details.length === 0 ? [] : [paint(90, details.join(' '))])].join(' ');
  return err === undefined ? first : `${first}\n${describe(err)}`;
}

function describe(error: unknown): string {
  const { stack, message, cause } = error as { stack?: string; message?: string; cause?: unknown };
  const lines = (stack || message || json(error)).split('\n').map((line) => `    ${plain(line)}`);
  return [...lines, ...(cause === undefined ? [] : ['    caused by', describe(cause)])].join('\n');
}

const json = (value: unknown) => JSON.stringify(value) ?? '';

/** Escapes control characters: they must not reach the terminal. */
export const plain = (text: string) =>
  text.replaceAll(/\p{Cc}/gu, (c) => `\\x${(c.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`);
