// A schema as a table of fields, each with its type in words.
import { html, type Html } from '../../pages/html.ts';
import type { OpenApiDocument } from '../document.ts';
import type { JsonSchema } from '../schemas.ts';
import { inline } from './docs-prose.ts';

export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly description?: string | undefined;
}

/** Follows references to components. */
export function resolve(document: OpenApiDocument, schema: JsonSchema): JsonSchema {
  const { $ref = '' } = schema as { $ref?: string };
  const name = /^#\/components\/schemas\/(\w+)$/.exec($ref)?.[1];
  return name === undefined ? schema : (document.components.schemas[name] ?? schema);
}

export function fieldsOf(document: OpenApiDocument, schema: JsonSchema): Field[] {
  const { properties = {}, required = [] } = resolve(document, schema) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    required: required.includes(name),
    schema: property,
    description: resolve(document, property)['description'] as string | undefined,
  }));
}

export function renderFields(document: OpenApiDocument, caption: string, fields: readonly Field[]): Html | undefined {
  if (fields.length === 0) return undefined;
  return html`<h4>${caption}</h4>
    <dl class="fields">
      ${fields.map(
        ({ name, required, schema, description }) =>
          html`<div>
            <dt><code>${name}</code></dt>
            <dd>
              <span class="hint">${kindOf(document, schema)}${required ? ', required' : ''}</span>
              ${description === undefined ? undefined : html`<p>${inline(description)}</p>`} ${renderChoices(schema)}
            </dd>
          </div>`,
      )}
    </dl>`;
}

// A few choices are listed; more of them unfold.
function renderChoices(schema: JsonSchema): Html | undefined {
  const choices = schema['enum'] as readonly unknown[] | undefined;
  if (choices === undefined) return undefined;
  const list = html`<ul class="choices">
    ${choices.map((choice) => html`<li><code>${String(choice)}</code></li>`)}
  </ul>`;
  return choices.length <= 6
    ? list
    : html`<details>
        <summary>${choices.length} choices</summary>
        ${list}
      </details>`;
}

/** `text`, `integer or null`, `list of Subscription`. */
export function kindOf(document: OpenApiDocument, schema: JsonSchema): string {
  const {
    $ref,
    anyOf,
    type,
    items,
    format,
    maxLength,
    enum: choices,
  } = schema as {
    $ref?: string;
    anyOf?: JsonSchema[];
    type?: string | string[];
    items?: JsonSchema;
    format?: string;
    maxLength?: number;
    enum?: unknown[];
  };
  if ($ref !== undefined) return $ref.split('/').at(-1) as string;
  if (anyOf !== undefined) return anyOf.map((member) => kindOf(document, member)).join(' or ');
  if (type === 'array') return `list of ${items === undefined ? 'anything' : kindOf(document, items)}`;
  if (choices !== undefined) return 'choice';
  if (format === 'uri') return 'URL';
  if (format === 'date-time') return 'date and time';
  const words = [type ?? 'anything']
    .flat()
    .map((name) => (name === 'string' ? 'text' : name))
    .join(' or ');
  return maxLength === undefined ? words : `${words} of at most ${maxLength} characters`;
}
