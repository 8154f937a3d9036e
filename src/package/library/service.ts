// A service that this process has started.
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Client } from '../client/client.ts';

/** The event of a service that ended without `close()`. */
export class ExitEvent extends Event {
  /** How the service ended, with its last lines of output. */
  readonly error: Error;

  constructor(error: Error) {
    super('exit');
    this.error = error;
  }
}

type Listen = (
  type: 'exit',
  listener: (event: ExitEvent) => void,
  options?: { readonly once?: boolean; readonly signal?: AbortSignal },
) => void;

/** A running service and its client. `await using` closes it. */
export interface Service extends Client, Readonly<ReturnType<typeof createService>> {}

// Mostly, a service ends within 2 seconds of `disconnect()`.
const patienceMs = 10_000;

export function createService(client: Client, child: ChildProcess, lastLines: () => string) {
  const target = new EventTarget();
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  let closing: Promise<void> | undefined;
  child.once('exit', (code, signal) => {
    if (closing !== undefined) return;
    const output = lastLines();
    const how = `Understudy ended unasked (${signal ?? `exit code ${code}`})${output && `:\n${output}`}`;
    target.dispatchEvent(new ExitEvent(new Error(how)));
  });
  async function end() {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    // The service ends when this channel closes.
    if (child.connected) child.disconnect();
    using _cut = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    await ended;
  }
  const close = () => (closing ??= end());
  return {
    ...client,
    pid: child.pid ?? 0,
    /** Ends the service. Resolves once the process and a temporary database are gone. May be called again. */
    close,
    [Symbol.asyncDispose]: close,
    /** Calls the listener if the service ends unexpectedly. */
    addEventListener: target.addEventListener.bind(target) as Listen,
    removeEventListener: target.removeEventListener.bind(target) as Listen,
  };
}

const maxLines = 20;

/** Calls `report` for each line of output. Returns a function that returns the last lines. @internal */
export function collectLines(streams: readonly (Readable | null)[], report?: (line: string) => void) {
  const last: string[] = [];
  for (const input of streams)
    if (input !== null)
      createInterface({ input }).on('line', (line) => {
        last.push(line);
        if (last.length > maxLines) last.shift();
        report?.(line);
      });
  return () => last.join('\n').trim();
}
