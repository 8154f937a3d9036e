// The form of a served document: JSON unless `format` or Accept names YAML.
import { yamlTypes as plainYamlTypes } from '../api/own.ts';
import { apiError } from '../errors.ts';

export interface ChosenForm {
  readonly form: 'json' | 'yaml';
  readonly contentType: string;
}

const jsonTypes = ['application/json', 'application/vnd.oai.openapi+json'];
const yamlTypes = [...plainYamlTypes, 'application/vnd.oai.openapi', 'application/vnd.oai.openapi+yaml'];
const forms = {
  json: { form: 'json', contentType: 'application/json' },
  yaml: { form: 'yaml', contentType: 'application/yaml' },
} as const;
// Weblate calls the two `openapi` and `openapi-json`.
const formats: Readonly<Record<string, ChosenForm>> = {
  json: forms.json,
  'openapi-json': forms.json,
  yaml: forms.yaml,
  openapi: forms.yaml,
};

/** Throws 404 for an unknown format and 406 if neither form is acceptable. A browser gets JSON. */
export function chooseForm(format: string | undefined, accept: string | undefined): ChosenForm {
  if (format !== undefined && format !== '') {
    const chosen = Object.hasOwn(formats, format) ? formats[format] : undefined;
    if (chosen === undefined) throw apiError('not_found');
    return chosen;
  }
  if (accept === undefined) return forms.json;
  const ranges = accept.split(',').map((range) => (range.split(';', 1)[0] ?? '').trim().toLowerCase());
  for (const range of ranges) {
    if (jsonTypes.includes(range)) return { form: 'json', contentType: range };
    if (yamlTypes.includes(range)) return { form: 'yaml', contentType: range };
  }
  if (ranges.includes('text/*')) return { form: 'yaml', contentType: 'text/yaml' };
  if (ranges.some((range) => ['*/*', 'application/*', 'text/html'].includes(range))) return forms.json;
  throw apiError('not_acceptable');
}
