// What a start takes.
import type { LogStream } from '../../http/edge/log.ts';
import type { LoadOptions } from '../../seeds/load/apply.ts';
import type { Aliases, Configuration } from '../config/config.ts';

export interface StartOptions {
  readonly configuration: Configuration;
  /** What errors call the variables. */
  readonly aliases?: Aliases;
  /** Takes the log as lines of JSON. If left out, it goes to standard output, readable on a terminal. */
  readonly logTo?: LogStream;
  /** How long the end waits for clients to notice that the port is closed. */
  readonly drainMs?: number;
  readonly signal: AbortSignal;
  /** Receives a line for each step that takes time. */
  readonly note: (line: string) => void;
  readonly onProgress?: LoadOptions['onProgress'];
}
