// The fields of a form, from the schema of the body.
import type { TObject, TSchema } from '@sinclair/typebox';
import type { Choice, FormField } from '../../pages/browsable/page-contents.ts';
import { isNullable } from '../body/check-fields.ts';
import { describeFields, type FieldMetadata } from '../options.ts';
import type { JsonObject } from './page-exchange.ts';

/** @param values what the fields begin with */
export function describeFormFields(schema: TObject, method: string, values: JsonObject): Omit<FormField, 'faults'>[] {
  return Object.entries(describeFields(schema, schema)).map(([name, metadata]) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const choices = choicesOf(metadata, value);
    return {
      name,
      kind: choices === undefined ? kindOf(metadata, value) : 'choice',
      // PATCH takes any of them.
      isRequired: metadata.required && method !== 'PATCH',
      isNullable: isNullable(schema.properties[name] as TSchema),
      value,
      ...(metadata.label !== undefined && { label: metadata.label }),
      ...helpOf(metadata),
      ...(choices && { choices }),
    };
  });
}

/** A boolean whose value isn't known is a choice too: a checkbox would show it as false. */
function choicesOf({ type, choices }: FieldMetadata, value: unknown): readonly Choice[] | undefined {
  if (type !== 'boolean' || typeof value === 'boolean') return choices;
  return [true, false].map((choice) => ({ value: choice, display_name: String(choice) }));
}

function kindOf({ type }: FieldMetadata, value: unknown): FormField['kind'] {
  if (type === 'boolean') return 'checkbox';
  if (type === 'integer') return 'number';
  // A link, or nothing that is known more closely.
  const isText = ['string', 'datetime', 'field', 'slug'].includes(type);
  return isText && (value === null || typeof value !== 'object') ? 'text' : 'json';
}

function helpOf({ type, help_text, max_length, choices }: FieldMetadata): { help_text?: string } {
  const help = [
    // The names of choices say it.
    ...(help_text === undefined || choices !== undefined ? [] : [help_text]),
    ...(max_length === undefined ? [] : [`At most ${max_length} characters.`]),
    ...(type === 'datetime' ? ['Such as 2030-01-31T12:00:00Z.'] : []),
  ];
  return help.length === 0
    ? {}
    : { help_text: help.map((line) => (/[.!?]$/.test(line) ? line : `${line}.`)).join(' ') };
}
