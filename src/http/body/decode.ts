// Bodies to values: JSON, urlencoded and multipart forms (transcripts create__bodies, create__form).
import type { Call } from '../call.ts';
import { ApiError, apiError, type ErrorLine, errorLine, reasonOf, validationError } from '../../base/errors.ts';
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
import { maxFields, parseMultipart, tooManyFields } from './multipart.ts';

/** A body's fields by name; the last of several with one name counts. */
export type Fields = Readonly<Record<string, unknown>>;

type Sent = Pick<Call, 'body' | 'contentType'>;

// Parsing takes microseconds, less than the round trip that checks the permission.
const smallBytes = 4096;

/**
 * Checks the permission before it reads a large body, and before it reports a fault of a small one (transcript
 * order__body). A valid small body needs no check here: the statement that writes makes it.
 */
export async function readIfPermitted<T>(call: Sent, permit: () => Promise<unknown>, read: () => T): Promise<T> {
  if ((call.body?.length ?? 0) > smallBytes) await permit();
  try {
    return read();
  } catch (error) {
    await permit();
    throw error;
  }
}

/**
 * The fields of a body. An empty body has none, whatever its type.
 * @param keepsFiles whether a form's file is its content; else it is its name
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

/** The same, where a body that isn't an object has other words, or no fields. */
export function decodeObject(sent: Sent, otherwise: () => Fields): Fields {
  try {
    return decodeFields(sent);
  } catch (error) {
    if (error instanceof ApiError && error.type === 'validation_error') return otherwise();
    throw error;
  }
}

export const isForm = (sent: Pick<Sent, 'contentType'>): boolean => readType(sent).type?.includes('form') === true;

const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'] as const;

function readType(sent: Pick<Sent, 'contentType'>) {
  const contentType = headerText(sent.contentType ?? '');
  const range = readMediaType(contentType);
  const isLong = contentType.length > maxMediaTypeLength;
  // A range covers its types here as in Accept.
  return { contentType, range, type: isLong ? undefined : types.find((type) => covers(range, type)) };
}

function readJson(body: Buffer, charset: Charset): Fields {
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

export const wholeBody = (code: string, detail: string): ErrorLine => errorLine('non_field_errors', code, detail);
