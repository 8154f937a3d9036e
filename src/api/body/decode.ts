// Bodies to values: JSON, urlencoded and multipart forms (transcripts create__bodies, create__form).
import { Busboy } from '@fastify/busboy';
import type { Call } from '../call.ts';
import { type ErrorLine, apiError, validationError } from '../../errors.ts';
import { parseJson, pythonType } from '../wire/python-text.ts';
import { parsePairs } from '../wire/query-string.ts';

/** A body's fields by name; the last of several with one name counts. */
export type Fields = Readonly<Record<string, unknown>>;

// Parsing takes microseconds, less than the round trip that checks the permission.
const smallBytes = 4096;

/**
 * The fields of a call's body. Checks the permission before it parses a large body, and before it reports a fault of a
 * small one (transcript order__body). A valid small body needs no check here: the statement that writes makes it.
 * @param permit throws if the caller may not write
 */
export async function readFieldsIfPermitted(
  call: Call,
  maxFields: number,
  permit: () => Promise<unknown>,
): Promise<Fields> {
  const isSmall = (call.body?.length ?? 0) <= smallBytes;
  if (!isSmall) await permit();
  try {
    return await readFields(call, maxFields);
  } catch (error) {
    if (isSmall) await permit();
    throw error;
  }
}

/**
 * The fields of a body. An empty body has none, whatever its type.
 * @throws ApiError 415 for an unknown type; 400 for a body that can't be parsed or isn't an object
 */
export async function readFields(call: Call, maxFields: number): Promise<Fields> {
  const { body, contentType = '' } = call;
  if (body === undefined || body.length === 0) return {};
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'application/json') return fieldsOf(readJson(body));
  if (type === 'application/x-www-form-urlencoded') return readForm(body, maxFields);
  if (type === 'multipart/form-data') return readMultipart(body, contentType, maxFields);
  throw apiError('unsupported_media_type', contentType);
}

function readJson(body: Buffer): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch (error) {
    throw apiError('json_invalid', error instanceof Error ? error.message : String(error));
  }
}

function fieldsOf(value: unknown): Fields {
  if (value === null) throw noFields('null', 'No data provided');
  const type = pythonType(value);
  if (type !== 'dict') throw noFields('invalid', `Invalid data. Expected a dictionary, but got ${type}.`);
  return value as Fields;
}

const noFields = (code: string, detail: string) => validationError([wholeBody(code, detail)]);

/** A fault of the whole body. */
export const wholeBody = (code: string, detail: string): ErrorLine => ({ code, detail, attr: 'non_field_errors' });

function readForm(body: Buffer, maxFields: number): Fields {
  const pairs = parsePairs(body.toString('utf8'));
  if (pairs.length > maxFields) throw apiError('too_many_fields', String(maxFields));
  return Object.fromEntries(pairs);
}

// A file counts as a field whose value is the file's name: no operation takes files.
function readMultipart(body: Buffer, contentType: string, maxFields: number): Promise<Fields> {
  return new Promise((resolve, reject) => {
    const refuse = (error: unknown) => {
      reject(apiError('multipart_invalid', error instanceof Error ? error.message : String(error)));
    };
    try {
      checkBoundary(contentType);
      const parser = new Busboy({ headers: { 'content-type': contentType }, limits: { parts: maxFields } });
      const pairs: [string, string][] = [];
      parser.on('field', (name, value) => pairs.push([name, value]));
      parser.on('file', (name, file, filename) => {
        pairs.push([name, filename]);
        // The body ends within the file. Without a listener this event would end the process.
        file.on('error', refuse);
        file.resume();
      });
      parser.on('partsLimit', () => reject(apiError('too_many_fields', String(maxFields))));
      parser.on('error', refuse);
      parser.on('finish', () => resolve(Object.fromEntries(pairs)));
      parser.end(body);
    } catch (error) {
      refuse(error);
    }
  });
}

// The parser's work grows with the boundary's length. Weblate accepts boundaries of up to 201 characters.
function checkBoundary(contentType: string): void {
  const boundary = /;\s*boundary=(.*)$/is.exec(contentType)?.[1] ?? '';
  if (boundary.length > 201) throw new Error(`Invalid boundary in multipart: ${boundary.slice(0, 201)}`);
}
