// The fields of a form, from what OPTIONS says of the body's fields.
import type { TObject, TSchema } from '@sinclair/typebox';
import type { FormField } from '../page-contents.ts';
import { isNullable } from '../../../http/body/check-fields.ts';
import { describeFields, type FieldMetadata } from '../../../http/options.ts';
import { isObject, type JsonObject } from '../../../base/json-object.ts';

/** @param values what the fields begin with */
export const describeFormFields = (schema: TObject, method: string, values: JsonObject): FormField[] =>
  Object.entries(describeFields(schema, schema)).map(([name, metadata]) => ({
    ...describeField(name, metadata, valueIn(values, name)),
    // PATCH takes any of them.
    isRequired: metadata.required && method !== 'PATCH',
    isNullable: isNullable(schema.properties[name] as TSchema),
  }));

const valueIn = (values: JsonObject, name: string): unknown => (Object.hasOwn(values, name) ? values[name] : undefined);

/** @param name with those of the objects around it: `profile.language` */
function describeField(name: string, metadata: FieldMetadata, value: unknown): FormField {
  const { label, children } = metadata;
  const choices = choicesOf(metadata, value);
  return {
    name,
    kind: children !== undefined ? 'group' : choices !== undefined ? 'choice' : kindOf(metadata, value),
    isRequired: false,
    isNullable: false,
    value,
    faults: [],
    label,
    help_text: helpOf(metadata),
    choices,
    // Those that can be written. A change takes any of them.
    fields:
      children &&
      Object.entries(children)
        .filter(([, { read_only }]) => !read_only)
        .map(([key, child]) =>
          describeField(`${name}.${key}`, child, isObject(value) ? valueIn(value, key) : undefined),
        ),
  };
}

/** A boolean whose value isn't known is a choice too: a checkbox would show it as false. */
function choicesOf({ type, choices }: FieldMetadata, value: unknown): FormField['choices'] {
  if (type === 'boolean' && typeof value !== 'boolean')
    return [true, false].map((choice) => ({ value: choice, display_name: String(choice) }));
  // Unknown if they depend on the user.
  return choices?.length === 0 ? undefined : choices;
}

const texts = new Set(['string', 'choice', 'datetime', 'field', 'slug', 'url']);

function kindOf({ type }: FieldMetadata, value: unknown): FormField['kind'] {
  if (type === 'boolean') return 'checkbox';
  if (type === 'integer') return 'number';
  return texts.has(type) && (value === null || typeof value !== 'object') ? 'text' : 'json';
}

function helpOf({ type, help_text: help, max_length: most, min_value, max_value, choices }: FieldMetadata): string {
  const lines = [
    // The names of choices say it.
    choices === undefined && help,
    most !== undefined && `At most ${most} ${type === 'list' ? 'entries' : 'characters'}.`,
    min_value !== undefined && `From ${min_value} to ${max_value}.`,
    type === 'datetime' && 'Such as 2030-01-31T12:00:00Z.',
  ].filter((line) => typeof line === 'string');
  return lines.map((line) => (/[.!?]$/.test(line) ? line : `${line}.`)).join(' ');
}
