// Checks the fields of a body against a TypeBox schema and reports every error in Weblate's words, in the schema's
// order.
import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Fields } from './decode.ts';
import type { ErrorLine } from '../../base/errors.ts';
import { readValue } from './read-value.ts';

/** Sorts errors from several checks into the order of the schema's fields. */
export function inFieldOrder(schema: TObject, errors: readonly ErrorLine[]): ErrorLine[] {
  const order = Object.keys(schema.properties);
  return errors.toSorted((a, b) => order.indexOf(a.attr ?? '') - order.indexOf(b.attr ?? ''));
}

/**
 * Returns the valid fields and the errors of the others. Ignores unknown fields (transcript create__scoped). With
 * `partial`, fields may be missing. A field whose schema is a union with null may be null.
 * @param clock the moment that counts as the present; null: the real time
 */
export function checkFields<S extends TObject>(
  schema: S,
  fields: Fields,
  partial: boolean,
  clock: string | null = null,
) {
  const values: Record<string, unknown> = {};
  const errors: ErrorLine[] = [];
  const required = new Set(partial ? [] : schema.required);
  for (const [attr, property] of Object.entries(schema.properties)) {
    const given = Object.hasOwn(fields, attr) ? fields[attr] : undefined;
    if (given === undefined) {
      if (required.has(attr)) errors.push({ code: 'required', detail: 'This field is required.', attr });
    } else if (given === null) {
      if (isNullable(property)) values[attr] = null;
      else errors.push({ ...nullError, attr });
    } else {
      const read = readValue(property, given, clock);
      if ('value' in read) values[attr] = read.value;
      else errors.push(...read.faults.map(({ code, detail, at = '' }) => ({ code, detail, attr: attr + at })));
    }
  }
  return { values: values as Partial<Static<S>>, errors };
}

const nullError = { code: 'null', detail: 'This field may not be null.' } as const;

export const isNullable = (property: TSchema): boolean =>
  ((property['anyOf'] ?? []) as readonly TSchema[]).some((schema) => schema['type'] === 'null');
