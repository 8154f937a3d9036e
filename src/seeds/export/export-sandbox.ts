// Running exports: each has a connection and a snapshot of its own until the last row is read or the reader gives up.
import { Readable } from 'node:stream';
import type { Client } from 'pg';
import { apiError } from '../../base/errors.ts';
import { Undo } from '../../base/undo.ts';
import { beginSnapshot } from './queries.ts';
import { layouts, textOf } from './export-text.ts';

// At the same time; further ones are rejected.
const maxExports = 2;

/**
 * @param connect opens a connection for one export
 * @param timeoutMs closes an export whose reader takes longer for one piece of text
 */
export function createExports(connect: () => Promise<Client>, timeoutMs = 30_000) {
  let running = 0;
  /** The text is read as fast as it is consumed. Throws an ApiError if there is no such sandbox. */
  return async (name: string, format: keyof typeof layouts): Promise<Readable> => {
    if (running >= maxExports) throw apiError('export_limit');
    running++;
    await using stack = new Undo();
    stack.defer(() => void running--);
    const client = await connect();
    stack.defer(() => void client.end().catch(() => undefined));
    const snapshot = await beginSnapshot(client, name);
    if (snapshot === undefined) throw apiError('sandbox_not_found', name);
    return streamOf(textOf(client, snapshot, layouts[format]), stack.move(), timeoutMs);
  };
}

// Releases as early as possible: an open snapshot keeps PostgreSQL from vacuuming.
function streamOf(pieces: AsyncGenerator<string>, release: () => Promise<void>, timeoutMs: number): Readable {
  const giveUp = () => stream.destroy(new Error(`an export was not read for ${timeoutMs} ms`));
  async function* watched(): AsyncGenerator<string> {
    for await (const piece of pieces) {
      using _late = setTimeout(giveUp, timeoutMs);
      yield piece;
    }
    await release();
  }
  const stream = Readable.from(watched(), { encoding: 'utf8', objectMode: false });
  return stream.once('close', () => void release());
}
