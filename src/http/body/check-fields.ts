// Checks a body's fields against a schema. Errors have Weblate's words and the schema's order.
import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Fields } from './decode.ts';
import type { ErrorLine } from '../../base/errors.ts';
import { membersOf } from '../operation.ts';
import { readValue } from './read-value.ts';

export function inFieldOrder(schema: TObject, errors: readonly ErrorLine[]) {
  const order = Object.keys(schema.properties);
  return errors.toSorted((a, b) => order.indexOf(a.attr ?? '') - order.indexOf(b.attr ?? ''));
}

/** The valid fields, and the others' errors. Ignores unknown fields (transcript create__scoped). */
export function checkFields<S extends TObject>(schema: S, fields: Fields, partial: boolean, clock?: string | null) {
  const values: Record<string, unknown> = {};
  const errors: ErrorLine[] = [];
  const required = new Set(partial ? [] : schema.required);
  for (const [attr, property] of Object.entries(schema.properties)) {
    const given = fields[attr];
    if (given === undefined) {
      if (required.has(attr)) errors.push({ code: 'required', detail: 'This field is required.', attr });
    } else if (given === null) {
      if (isNullable(property)) values[attr] = null;
      else errors.push({ code: 'null', detail: 'This field may not be null.', attr });
    } else {
      const read = readValue(property, given, clock);
      if ('value' in read) values[attr] = read.value;
      else errors.push(...read.errors.map(({ at = '', ...error }) => ({ ...error, attr: attr + at })));
    }
  }
  return { values: values as Partial<Static<S>>, errors };
}

export const isNullable = (property: TSchema) => membersOf(property).some(({ type }) => type === 'null');

/**
 * Turns a form's values into JSON's: forms have neither null nor false (transcript users__forms). A
 * missing boolean is false, unless `partial`. An empty text that the field doesn't allow is null if the field
 * may be null; else it is left out if the field is optional.
 */
export function readFormFields(schema: TObject, fields: Fields, partial: boolean): Fields {
  const required = new Set(schema.required);
  const read: Record<string, unknown> = { ...fields };
  for (const [name, property] of Object.entries(schema.properties)) {
    if (fields[name] === undefined) {
      if (!partial && property['type'] === 'boolean') read[name] = false;
    } else if (fields[name] === '' && property['minLength'] !== 0) {
      if (isNullable(property)) read[name] = null;
      else if (!required.has(name)) delete read[name];
    }
  }
  return read;
}
