// Bodies to values: JSON, urlencoded and multipart forms (transcripts create__bodies, create__form).
import type { Call } from '../call.ts';
import { apiError, type ErrorLine, errorLine, reasonOf, validationError } from '../../base/errors.ts';
import { type Charset, decodeText, decodeWhole, readCharset } from '../wire/charset.ts';
import { covers, headerText, maxMediaTypeLength, readMediaType } from '../wire/media-type.ts';
import { parseJson, pythonType } from '../wire/python-text.ts';
import { parsePairs } from '../wire/query-string.ts';
import { type Field, parseMultipart } from './multipart.ts';

/** A body's fields by name; the last of several with one name counts. */
export type Fields = Readonly<Record<string, unknown>>;

type Sent = Pick<Call, 'body' | 'contentType'>;

// Parsing takes microseconds, less than the round trip that checks the permission.
const smallBytes = 4096;

/**
 * Returns the result of `read` for a call's body. Checks the permission before it reads a large body, and before it reports a fault
 * of a small one (transcript order__body). A valid small body needs no check here: the statement that writes makes it.
 * @param permit throws if the caller may not write
 * @param read throws for what is wrong with the body
 */
export async function readIfPermitted<T>(call: Sent, permit: () => Promise<unknown>, read: () => T): Promise<T> {
  const isSmall = (call.body?.length ?? 0) <= smallBytes;
  if (!isSmall) await permit();
  try {
    return read();
  } catch (error) {
    if (isSmall) await permit();
    throw error;
  }
}

/**
 * The fields of a body. An empty body has none, whatever its type.
 * @param keepsFiles whether a form's file is its content; else it is its name
 * @throws ApiError 415 for an unknown type; 400 for a body that can't be parsed or isn't an object
 */
export function decodeFields(sent: Sent, maxFields: number, keepsFiles = false): Fields {
  const { body } = sent;
  if (body === undefined || body.length === 0) return {};
  const { contentType, range, decoder } = findDecoder(sent);
  if (decoder === undefined) throw apiError('unsupported_media_type', contentType);
  const charset = readCharset(range.parameters.get('charset'));
  return decoder.decode({ body, contentType, charset, maxFields, keepsFiles });
}

export const isForm = (sent: Pick<Sent, 'contentType'>): boolean => findDecoder(sent).decoder?.isForm === true;

function findDecoder(sent: Pick<Sent, 'contentType'>) {
  const contentType = headerText(sent.contentType ?? '');
  const range = readMediaType(contentType);
  const isLong = contentType.length > maxMediaTypeLength;
  // A range covers its types here as in Accept.
  const decoder = isLong ? undefined : decoders.find(({ type }) => covers(range, type));
  return { contentType, range, decoder };
}

interface Encoded {
  readonly body: Buffer;
  readonly contentType: string;
  readonly charset: Charset;
  readonly maxFields: number;
  readonly keepsFiles: boolean;
}

const decoders: readonly { type: string; isForm: boolean; decode: (encoded: Encoded) => Fields }[] = [
  { type: 'application/json', isForm: false, decode: readJson },
  { type: 'application/x-www-form-urlencoded', isForm: true, decode: readForm },
  { type: 'multipart/form-data', isForm: true, decode: readMultipart },
];

function readJson({ body, charset }: Encoded): Fields {
  return fieldsOf(catchAs('json_invalid', () => parseJson(decodeText(body, charset))));
}

function fieldsOf(value: unknown): Fields {
  if (value === null) throw noFields('null', 'No data provided');
  const type = pythonType(value);
  if (type !== 'dict') throw noFields('invalid', `Invalid data. Expected a dictionary, but got ${type}.`);
  return value as Fields;
}

const noFields = (code: string, detail: string) => validationError([wholeBody(code, detail)]);

export const wholeBody = (code: string, detail: string): ErrorLine => errorLine('non_field_errors', code, detail);

function readForm({ body, charset, maxFields }: Encoded): Fields {
  return fieldsOfPairs(parsePairs(decodeWhole(body, charset), charset), maxFields);
}

function readMultipart({ body, contentType, charset, maxFields, keepsFiles }: Encoded): Fields {
  const pairs = catchAs('multipart_invalid', () => parseMultipart(body, contentType, charset, keepsFiles));
  return fieldsOfPairs(pairs, maxFields);
}

function fieldsOfPairs(pairs: readonly Field[], maxFields: number): Fields {
  if (pairs.length > maxFields) throw apiError('too_many_fields', String(maxFields));
  return Object.fromEntries(pairs);
}

function catchAs<T>(name: 'json_invalid' | 'multipart_invalid', read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw apiError(name, reasonOf(error));
  }
}
