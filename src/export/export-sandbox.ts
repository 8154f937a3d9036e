// Exports that are running: each has a connection and a snapshot of its own, from the first row until the last one is read or nobody
// reads on.
import { Readable } from 'node:stream';
import type { Client } from 'pg';
import { apiError } from '../errors.ts';
import { beginSnapshot } from './queries.ts';
import { textOf } from './export-text.ts';
import { layouts } from './export-write.ts';

export type ExportFormat = keyof typeof layouts;

/** Opens the text, which is read from the database as fast as it is taken. Throws an ApiError where there is no such sandbox. */
export type ExportSeed = (name: string, format: ExportFormat) => Promise<Readable>;

export interface ExportLimits {
  /** At the same time; further ones are refused. */
  readonly atOnce?: number;
  /** A reader that takes longer for one piece of text is given up; left out: it may take its time. */
  readonly patienceMs?: number;
}

/** @param connect opens a connection for one export alone */
export function createExports(connect: () => Promise<Client>, { atOnce = 2, patienceMs }: ExportLimits): ExportSeed {
  let running = 0;
  return async (name, format) => {
    if (running >= atOnce) throw apiError('export_limit');
    running++;
    await using stack = new AsyncDisposableStack();
    stack.defer(() => void running--);
    const client = stack.adopt(await connect(), (opened) => void opened.end().catch(() => undefined));
    const id = await beginSnapshot(client, name);
    if (id === undefined) throw apiError('sandbox_not_found', name);
    const resources = stack.move();
    return streamOf(textOf(client, id, layouts[format]), () => resources.disposeAsync(), patienceMs);
  };
}

// `release` is called once the last row is read, or as soon as nobody reads on: a snapshot that stays open keeps PostgreSQL from
// cleaning up.
function streamOf(pieces: AsyncGenerator<string>, release: () => Promise<void>, patienceMs?: number): Readable {
  let timer: NodeJS.Timeout | undefined;
  const stream = new Readable({
    encoding: 'utf8',
    read() {
      clearTimeout(timer);
      void pushNext().catch((error: Error) => stream.destroy(error));
    },
    destroy(error, done) {
      clearTimeout(timer);
      void release();
      done(error);
    },
  });
  async function pushNext(): Promise<void> {
    const { value, done } = await pieces.next();
    if (stream.destroyed) return;
    if (done === true) await release();
    else if (patienceMs !== undefined)
      timer = setTimeout(() => stream.destroy(new Error(`an export was not read for ${patienceMs} ms`)), patienceMs);
    stream.push(done === true ? null : value);
  }
  return stream;
}
