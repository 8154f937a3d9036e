// Reads bodies: JSON, urlencoded and multipart forms (transcripts create__bodies, create__form).
import type { Call } from '../call.ts';
import { ApiError, apiError, errorLine, validationError } from '../../base/errors.ts';
import { reasonOf } from '../../base/failure.ts';
import {
  type Charset,
  covers,
  decodeText,
  decodeWhole,
  headerText,
  maxMediaTypeLength,
  readCharset,
  readMediaType,
} from '../wire/media-type.ts';
import { parseJson, pythonType } from '../wire/python-text.ts';
import { parsePairs } from '../wire/query-string.ts';

/** A body's fields by name. A repeated name has its last value. */
export type Fields = Readonly<Record<string, unknown>>;

type Sent = Pick<Call, 'body' | 'contentType'>;

// Parsing this much takes microseconds, less than a statement that checks the permission.
const smallBytes = 4096;

/**
 * Checks the permission before reading a large body or reporting an error in a small one (transcript
 * order__body). For a valid small body, the statement that writes checks the permission.
 */
export async function readIfPermitted<T>(call: Sent, permit: () => Promise<unknown>, read: () => T) {
  if ((call.body?.length ?? 0) > smallBytes) await permit();
  try {
    return read();
  } catch (error) {
    await permit();
    throw error;
  }
}

/**
 * A body's fields. An empty body has none, whatever its type.
 * @param keepsFiles whether a file's value is its content; by default, its name
 * @throws ApiError 415 for an unknown type; 400 for a body that can't be parsed or isn't an object
 */
export function decodeFields(sent: Sent, keepsFiles = false): Fields {
  const { body } = sent;
  if (body === undefined || body.length === 0) return {};
  const { contentType, range, type } = readType(sent);
  if (type === undefined) throw apiError('unsupported_media_type', contentType);
  const charset = readCharset(range);
  if (type === 'application/json') return readJson(body, charset);
  if (type === 'multipart/form-data')
    return Object.fromEntries<unknown>(parseMultipart(body, contentType, charset, keepsFiles));
  const form = decodeWhole(body, charset);
  if (form.split('&', maxFields + 1).length > maxFields) throw tooManyFields();
  return Object.fromEntries(parsePairs(form, charset));
}

/** As decodeFields, but `otherwise` gives the fields of a body that isn't an object, or throws. */
export function decodeObject(sent: Sent, otherwise: () => Fields): Fields {
  try {
    return decodeFields(sent);
  } catch (error) {
    if (error instanceof ApiError && error.type === 'validation_error') return otherwise();
    throw error;
  }
}

export const isForm = (sent: Pick<Sent, 'contentType'>) => readType(sent).type?.includes('form') === true;

const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];

/** As in Accept, `*` covers any type. */
function readType(sent: Pick<Sent, 'contentType'>) {
  const contentType = headerText(sent.contentType ?? '');
  const range = readMediaType(contentType);
  const isLong = contentType.length > maxMediaTypeLength;
  return { contentType, range, type: isLong ? undefined : types.find((type) => covers(range, type)) };
}

function readJson(body: Buffer, charset: Charset) {
  let value: unknown;
  try {
    value = parseJson(decodeText(body, charset));
  } catch (error) {
    throw apiError('json_invalid', reasonOf(error));
  }
  if (value === null) throw noFields('null', 'No data provided');
  const type = pythonType(value);
  if (type !== 'dict') throw noFields('invalid', `Invalid data. Expected a dictionary, but got ${type}.`);
  return value as Fields;
}

const noFields = (code: string, detail: string) => validationError([wholeBody(code, detail)]);

export const wholeBody = (code: string, detail: string) => errorLine('non_field_errors', code, detail);

// Reads multipart forms as Weblate does (transcript wire__multipart), unlike standard parsers: a boundary
// may be anywhere, the last may be missing, and a part without a name is left out.

type Field = readonly [name: string, value: string | Buffer];

/** A form with more fields isn't parsed. */
const maxFields = 1000;
const tooManyFields = () => apiError('too_many_fields', String(maxFields));

const validBoundary = /^[ -~]{0,200}[!-~]$/;
const maxHeadBytes = 1024;

/** The fields in the body's order, then the files. Throws 400 in Weblate's words. */
function parseMultipart(body: Buffer, contentType: string, charset: Charset, keepsFiles: boolean) {
  // Unlike in `readType`, upper case is refused.
  if (!contentType.startsWith('multipart/')) throw invalid(`Invalid Content-Type: ${contentType}`);
  const boundary = readMediaType(contentType).parameters.get('boundary');
  if (boundary === undefined || !validBoundary.test(boundary))
    throw invalid(`Invalid boundary in multipart: ${boundary ?? 'None'}`);
  const [fields, files]: [Field[], Field[]] = [[], []];
  // Two more parts: before the first boundary and after the last.
  const parts = body.toString('latin1').split(`--${boundary}`, maxFields + 3);
  if (parts.length > maxFields + 2) throw tooManyFields();
  for (const [i, part] of parts.entries()) {
    // The line end before a boundary isn't content.
    const end = i < parts.length - 1 ? part.slice(-2).replace(/\r?\n?$/, '') : part.slice(-2);
    const headers = readHeaders(Buffer.from(part.slice(0, -2) + end, 'latin1'));
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

const invalid = (reason: string) => apiError('multipart_invalid', reason);

function readHeaders(part: Buffer) {
  const end = part.subarray(0, maxHeadBytes).indexOf('\r\n\r\n');
  if (end === -1) {
    if (part.length < maxHeadBytes) return undefined;
    throw invalid('Request max total header size exceeded.');
  }
  const lines = part.toString('utf8', 0, end).split('\r\n');
  const pairs = lines.flatMap((line) => {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase().trimEnd();
    return colon === -1 ? [] : [[name, readMediaType(line.slice(colon + 1).trimStart())] as const];
  });
  return { values: new Map(pairs), content: part.subarray(end + 4) };
}

// Leaves out characters beyond Base64's alphabet. Content with wrong padding stays as it is.
function fromBase64(content: Buffer) {
  const [, digits = '', padding = ''] = /^([^=]*)(=*)/.exec(content.toString('latin1').replaceAll(/[^\w+/=]|_/g, ''))!;
  const missing = (4 - (digits.length % 4)) % 4;
  return missing < 3 && padding.length >= missing ? Buffer.from(digits, 'base64') : content;
}
