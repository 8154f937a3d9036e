// What a start takes and gives.
import type { LogStream } from '../../http/edge/log.ts';
import type { LoadOptions } from '../../seeds/load/apply.ts';
import type { Sample } from '../../seeds/load/named-seed.ts';
import type { Aliases, Configuration } from '../config/config.ts';

export interface RunningService {
  /** `http://127.0.0.1:8000` */
  readonly url: string;
  /** Where the data is, without a password. */
  readonly database: string;
  /** Users with public tokens: those of the documented sample, or none. */
  readonly samples: readonly Sample[];
  /** Stops listening, completes the requests in progress, and ends the database if it is the embedded one. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly configuration: Configuration;
  /** What errors call the variables. */
  readonly aliases?: Aliases;
  /** Takes the log as lines of JSON. If left out, it goes to standard output, readable on a terminal. */
  readonly logTo?: LogStream;
  /** How long the end waits for clients to notice that the port is closed. */
  readonly drainMs?: number;
  /** Abandons a start that is in progress. */
  readonly signal: AbortSignal;
  /** Receives a line for each step that takes time. */
  readonly note: (line: string) => void;
  /** Receives how far the load of a seed has come. */
  readonly onProgress?: LoadOptions['onProgress'];
}
