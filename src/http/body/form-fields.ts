// What Weblate makes of a form, which can express neither null nor false: what is left out or empty stands for them
// (transcript users__forms).
import type { TObject, TSchema } from '@sinclair/typebox';
import type { Fields } from './decode.ts';
import { isNullable } from './check-fields.ts';

/**
 * The fields of a form as JSON would say them: a boolean that was left out is false, except where fields may be left
 * out; an empty text is null if the field may be null, and is left out if it is optional.
 */
export function readFormFields(schema: TObject, fields: Fields, partial: boolean): Fields {
  const required = new Set(schema.required);
  const read: Record<string, unknown> = { ...fields };
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(fields, name)) {
      if (!partial && isBoolean(property)) read[name] = false;
    } else if (fields[name] === '') {
      if (isNullable(property)) read[name] = null;
      else if (!required.has(name)) delete read[name];
    }
  }
  return read;
}

/** The booleans that a form left out, which count as false. */
export const leftOutBooleans = (schema: TObject, fields: Fields): string[] =>
  Object.entries(schema.properties).flatMap(([name, property]) =>
    isBoolean(property) && !Object.hasOwn(fields, name) ? [name] : [],
  );

const isBoolean = (property: TSchema): boolean => property['type'] === 'boolean';
