// Multipart forms as Weblate reads them (transcript wire__multipart), and no parser that follows the standard: a
// boundary counts anywhere, the last one may be missing, and a part without a name is left out.
import { type ApiError, apiError } from '../../base/errors.ts';
import { type Charset, type MediaType, readMediaType } from '../wire/media-type.ts';

type Field = readonly [name: string, value: string | Buffer];

/** Of a form. What is longer isn't parsed to its end. */
export const maxFields = 1000;
export const tooManyFields = (): ApiError => apiError('too_many_fields', String(maxFields));

const validBoundary = /^[ -~]{0,200}[!-~]$/;
const maxHeadBytes = 1024;

/** The fields in the order written, then the files. Throws 400 in Weblate's words. */
export function parseMultipart(body: Buffer, contentType: string, charset: Charset, keepsFiles: boolean): Field[] {
  // Its name is compared as it was written.
  if (!contentType.startsWith('multipart/')) throw invalid(`Invalid Content-Type: ${contentType}`);
  const boundary = readMediaType(contentType).parameters.get('boundary');
  if (boundary === undefined || !validBoundary.test(boundary))
    throw invalid(`Invalid boundary in multipart: ${boundary ?? 'None'}`);
  const [fields, files]: [Field[], Field[]] = [[], []];
  // Two parts are before the first boundary and after the last.
  let left = maxFields + 2;
  for (const part of splitParts(body, Buffer.from(`--${boundary}`, 'latin1'))) {
    if (left-- === 0) throw tooManyFields();
    const headers = readHeaders(part);
    const disposition = headers?.values.get('content-disposition')?.parameters;
    const name = disposition?.get('name')?.trim();
    if (headers === undefined || disposition === undefined || name === undefined) continue;
    const isBase64 = headers.values.get('content-transfer-encoding')?.type === 'base64';
    const content = isBase64 ? fromBase64(headers.content) : headers.content;
    const fileName = disposition.get('filename');
    if (fileName) {
      const base = fileName.split(/[/\\]/).at(-1);
      if (base) files.push([name, keepsFiles ? content : base]);
    } else fields.push([name, content.toString(charset)]);
  }
  return [...fields, ...files];
}

const invalid = (reason: string): ApiError => apiError('multipart_invalid', reason);

/** The parts before, between and after the boundaries, without the line end before each. */
function* splitParts(body: Buffer, separator: Buffer): Generator<Buffer> {
  for (let start = 0; start < body.length;) {
    const found = body.indexOf(separator, start);
    let end = found === -1 ? body.length : found;
    if (found > start && body[end - 1] === 0x0a) end--;
    if (found > start && end > start && body[end - 1] === 0x0d) end--;
    yield body.subarray(start, end);
    start = found === -1 ? body.length : found + separator.length;
  }
}

function readHeaders(part: Buffer): { values: ReadonlyMap<string, MediaType>; content: Buffer } | undefined {
  const end = part.subarray(0, maxHeadBytes).indexOf('\r\n\r\n');
  if (end === -1) {
    if (part.length < maxHeadBytes) return undefined;
    throw invalid('Request max total header size exceeded.');
  }
  const values = new Map<string, MediaType>();
  for (const line of part.toString('utf8', 0, end).split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon !== -1)
      values.set(line.slice(0, colon).toLowerCase().trimEnd(), readMediaType(line.slice(colon + 1).trimStart()));
  }
  return { values, content: part.subarray(end + 4) };
}

// Characters beyond the alphabet are left out; content with the wrong padding stays as it is.
function fromBase64(content: Buffer): Buffer {
  const [, digits = '', padding = ''] = /^([^=]*)(=*)/.exec(content.toString('latin1').replaceAll(/[^\w+/=]|_/g, ''))!;
  const missing = (4 - (digits.length % 4)) % 4;
  return missing < 3 && padding.length >= missing ? Buffer.from(digits, 'base64') : content;
}
