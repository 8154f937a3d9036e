// The answer to OPTIONS: what a path is called, what it renders and parses, and the fields that it takes (transcript
// methods__list, differences for `actions`).

/** One field as OPTIONS describes it. Keys in this order. */
export interface FieldMetadata {
  readonly type: string;
  readonly required: boolean;
  readonly read_only: boolean;
  readonly label: string;
  readonly help_text?: string;
  readonly max_length?: number;
  readonly min_value?: number;
  readonly max_value?: number;
  readonly child?: Omit<FieldMetadata, 'label'>;
  readonly choices?: readonly { readonly value: string | number; readonly display_name: string }[];
  readonly children?: Record<string, FieldMetadata>;
}

const field = (read_only: boolean, isRequired: boolean) => (type: string, label: string) => ({
  type,
  required: isRequired,
  read_only,
  label,
});

/** A field that is told, and can't be said. */
export const readOnly = field(true, false);
export const required = field(false, true);
export const optional = field(false, false);

export type Choice = NonNullable<FieldMetadata['choices']>[number];

export const choices = (...named: readonly (readonly [value: string | number, name: string])[]): readonly Choice[] =>
  named.map(([value, display_name]) => ({ value, display_name }));

export interface Metadata {
  readonly name: string;
  readonly description: string;
  readonly renders: readonly string[];
  readonly parses: readonly string[];
  readonly actions?: Record<string, Record<string, FieldMetadata>>;
}

/** Actions are told to those who are signed in, for PUT and POST alone. */
export function describePath(
  path: { name: string; description: string; methods: readonly string[]; alsoRenders?: readonly string[] },
  fields: Record<string, FieldMetadata> | undefined,
): Metadata {
  const actions = ['PUT', 'POST'].filter((method) => path.methods.includes(method));
  return {
    name: path.name,
    description: path.description,
    renders: ['application/json', 'text/html', 'text/csv', ...(path.alsoRenders ?? [])],
    parses: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
    ...(fields !== undefined && actions.length > 0
      ? { actions: Object.fromEntries(actions.map((method) => [method, fields])) }
      : {}),
  };
}
