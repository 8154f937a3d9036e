// The output of a process as lines.
import type { Readable } from 'node:stream';

const mostKept = 20;

/** Calls `report` for each line; the function that it returns gives the last lines. */
export function collectLines(streams: readonly (Readable | null)[], report?: (line: string) => void): () => string {
  const kept: string[] = [];
  for (const stream of streams) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        kept.push(line);
        if (kept.length > mostKept) kept.shift();
        report?.(line);
      }
    });
  }
  return () => kept.join('\n').trim();
}
