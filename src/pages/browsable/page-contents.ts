// What a browsable page shows.
import type { AnonymousAccess } from '../../access/permissions.ts';
import type { Exchange as Answered } from '../../http/send.ts';

/** A request and its answer, as the page around the answer is made from them. */
export interface Exchange extends Answered {
  readonly pageSize: number;
  /** What requests without a token may do. */
  readonly anonymous: AnonymousAccess;
}

export interface PageLink {
  label: string;
  /** Absolute. Becomes a link only under `baseUrl`. */
  href: string;
}

/** A line above everything else: what happened, or what to do. The link follows the text. */
export interface Notice {
  text: string;
  link?: PageLink | undefined;
}

/** What is known of a field of the data. */
export interface FieldShape {
  label?: string | undefined;
  choices?: readonly { value: string | number | boolean; display_name: string }[] | undefined;
  /** Of an object's fields. */
  children?: Readonly<Record<string, FieldShape>>;
}

export interface FormField extends FieldShape {
  /** With those of the objects around it: `profile.language`. */
  name: string;
  /** How its value is entered; `json` is for what has no control of its own, `group` for an object with fields. */
  kind: 'choice' | 'checkbox' | 'number' | 'text' | 'json' | 'group';
  fields?: readonly FormField[] | undefined;
  help_text?: string;
  isRequired: boolean;
  isNullable: boolean;
  /** Undefined: the body has none. */
  value: unknown;
  /** In the API's words. */
  faults: readonly string[];
}

/** A request that the page sends: its fields write the body, which is sent as it is shown. */
export interface Form {
  method: string;
  summary: string;
  description?: string | undefined;
  /** Undefined: the request has no body. */
  body: string | undefined;
  fields: readonly FormField[];
  /** Faults that concern no field of the form. */
  faults: readonly string[];
  /** The page answers this form. */
  isAnswered: boolean;
}

/** The fields that have a control. */
export const controlsOf = ({ fields }: Pick<Form, 'fields'>): readonly FormField[] =>
  fields.flatMap((field) => field.fields ?? [field]);

export const findFaulty = (form: Pick<Form, 'fields'>): FormField | undefined =>
  controlsOf(form).find(({ faults }) => faults.length > 0);

export const hasFaults = (form: Form): boolean => form.faults.length > 0 || findFaulty(form) !== undefined;

type OfExchange = 'method' | 'baseUrl' | 'path' | 'search' | 'status' | 'sandbox' | 'anonymous' | 'visitor';

export interface BrowsablePage extends Pick<Exchange, OfExchange> {
  /** The headers of the JSON answer, shown as they are. */
  headers: readonly (readonly [string, string])[];
  /** A JSON value; undefined: the answer has no body. */
  body: unknown;
  /** What OPTIONS calls the resource. */
  name: string;
  breadcrumbs: readonly PageLink[];
  /** The paths directly below this one. */
  below: readonly PageLink[];
  /** The methods allowed here. */
  allow: readonly string[];
  /** Of a list. */
  pages?: { current: number; total: number } | undefined;
  notices: readonly Notice[];
  forms: readonly Form[];
  /** The fields of the body, or of its entries; undefined: the body is shown only as JSON. */
  shape?: Readonly<Record<string, FieldShape>> | undefined;
  /** The key of a list's entries that names them in a path, whose field becomes a link, as does `id`. */
  entryKey?: string | undefined;
}
