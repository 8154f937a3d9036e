// Writes rows into a table by COPY, in large chunks, with back-pressure.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { RowTable } from './rows.ts';

// The server reads 64 KiB at a time; larger chunks gain nothing.
const chunkLength = 64 * 1024;

/** Sends rows in COPY's text format. Returns the number of rows that the server took. */
export async function copyRows(client: Client, { table, columns }: RowTable, rows: Iterable<string>): Promise<number> {
  const copy = client.query(copyFrom(`copy understudy.${table} (${columns}) from stdin`));
  await pipeline(Readable.from(inChunks(rows), { objectMode: true, highWaterMark: 1 }), copy);
  return copy.rowCount;
}

function* inChunks(rows: Iterable<string>): Generator<Buffer> {
  let text = '';
  for (const row of rows) {
    text += row;
    if (text.length < chunkLength) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}
