// Checks the fields of a body against a TypeBox schema, with the faults of the real system: all of them, in the schema's order.
import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Fields } from './bodies.ts';
import type { ErrorLine } from './errors.ts';
import { pythonText } from './python-text.ts';

export interface Checked<T> {
  /** The fields that were given and are right. */
  readonly values: Partial<T>;
  readonly faults: readonly ErrorLine[];
}

/** Unknown fields are ignored, as recorded (transcript create__scoped). With `partial`, fields may be left out. */
export function checkFields<S extends TObject>(schema: S, fields: Fields, partial: boolean): Checked<Static<S>> {
  const values: Record<string, unknown> = {};
  const faults: ErrorLine[] = [];
  for (const [attr, property] of Object.entries(schema.properties)) {
    const given = Object.hasOwn(fields, attr) ? fields[attr] : undefined;
    if (given === undefined) {
      if (!partial) faults.push({ code: 'required', detail: 'This field is required.', attr });
    } else if (given === null) {
      faults.push({ code: 'null', detail: 'This field may not be null.', attr });
    } else {
      const choice = findChoice(property, given);
      if (choice === undefined) faults.push(notAChoice(given, attr));
      else values[attr] = choice;
    }
  }
  return { values: values as Partial<Static<S>>, faults };
}

// A choice is known by its text: "10" is 10, but neither true nor 1.0 is 1 (transcript create__types).
function findChoice(property: TSchema, given: unknown): unknown {
  const text = pythonText(given);
  const choices = property['anyOf'] as readonly { const: string | number }[];
  return choices.find((choice) => String(choice.const) === text)?.const;
}

const notAChoice = (given: unknown, attr: string): ErrorLine => ({
  code: 'invalid_choice',
  detail: `"${pythonText(given)}" is not a valid choice.`,
  attr,
});
