// The charset of a body by its Content-Type, in the words of Weblate (transcript wire__charset).
import { isUtf8 } from 'node:buffer';
import { apiError } from '../../base/errors.ts';

export type Charset = 'utf8' | 'latin1';

const charsets: Readonly<Record<string, Charset>> = {
  '': 'utf8',
  'utf-8': 'utf8',
  utf8: 'utf8',
  'latin-1': 'latin1',
  latin1: 'latin1',
  'iso-8859-1': 'latin1',
  'iso8859-1': 'latin1',
  l1: 'latin1',
};

/** Throws 400 for any other. */
export function readCharset(given = ''): Charset {
  const name = given.toLowerCase().replaceAll('_', '-');
  const charset = Object.hasOwn(charsets, name) ? charsets[name] : undefined;
  if (charset === undefined) throw apiError('charset_unsupported', given);
  return charset;
}

/** The text of a query or a form: as Latin-1 where the bytes are no text of the charset, an unfinished end included. */
export const decodeWhole = (bytes: Buffer, charset: Charset): string =>
  bytes.toString(charset === 'utf8' && !isUtf8(bytes) ? 'latin1' : charset);

/** The text of bytes with runs of escapes, `%C3%A4`. Adjoining ones are decoded together, and broken ones stay. */
export const unescapeRuns = (text: string, charset?: Charset): string =>
  text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString(charset));

/** Throws an error in Python's words for bytes that are no text of this charset. An unfinished end is left out. */
export function decodeText(bytes: Buffer, charset: Charset): string {
  if (charset === 'latin1' || isUtf8(bytes)) return bytes.toString(charset);
  for (let i = 0; i < bytes.length;) {
    const lead = bytes[i] as number;
    const length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (length === 0) throw undecodable(bytes, i, i + 1, 'invalid start byte');
    for (let k = 1; k < length; k++) {
      if (i + k >= bytes.length) return bytes.toString('utf8', 0, i);
      // With the lowest bytes for the rest, the character is whole: not beyond Unicode, no surrogate, no overlong form.
      const filled = Buffer.concat([bytes.subarray(i, i + k + 1), Buffer.alloc(length - k - 1, 0x80)]);
      if (!isUtf8(filled)) throw undecodable(bytes, i, i + k, 'invalid continuation byte');
    }
    i += length;
  }
  return bytes.toString('utf8');
}

function undecodable(bytes: Buffer, start: number, end: number, reason: string): Error {
  const what =
    end - start === 1
      ? `byte 0x${(bytes[start] as number).toString(16).padStart(2, '0')} in position ${start}`
      : `bytes in position ${start}-${end - 1}`;
  return new Error(`'utf-8' codec can't decode ${what}: ${reason}`);
}
