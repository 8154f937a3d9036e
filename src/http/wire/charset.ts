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

/** Throws an error in Python's words for bytes that are no text of this charset. An unfinished end is left out. */
export function decodeText(bytes: Buffer, charset: Charset): string {
  if (charset === 'latin1' || isUtf8(bytes)) return bytes.toString(charset);
  for (let i = 0; i < bytes.length;) {
    const lead = bytes[i] as number;
    const length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (length === 0) throw undecodable(bytes, i, i + 1, 'invalid start byte');
    for (let k = 1; k < length; k++) {
      const byte = bytes[i + k];
      if (byte === undefined) return bytes.toString('utf8', 0, i);
      const [least, most] = k === 1 ? secondByte(lead) : [0x80, 0xbf];
      if (byte < least || byte > most) throw undecodable(bytes, i, i + k, 'invalid continuation byte');
    }
    i += length;
  }
  return bytes.toString('utf8');
}

// No surrogates, nothing beyond Unicode, and no overlong form.
const secondByte = (lead: number): readonly [number, number] =>
  lead === 0xe0
    ? [0xa0, 0xbf]
    : lead === 0xed
      ? [0x80, 0x9f]
      : lead === 0xf0
        ? [0x90, 0xbf]
        : [0x80, lead === 0xf4 ? 0x8f : 0xbf];

function undecodable(bytes: Buffer, start: number, end: number, reason: string): Error {
  const what =
    end - start === 1
      ? `byte 0x${(bytes[start] as number).toString(16).padStart(2, '0')} in position ${start}`
      : `bytes in position ${start}-${end - 1}`;
  return new Error(`'utf-8' codec can't decode ${what}: ${reason}`);
}
