// Content negotiation: `format` first, then `Accept` (transcripts format__*, order__format). Weblate ignores weights
// and counts every parameter as precision, so no negotiation library fits.
import { apiError } from '../../errors.ts';

export type Format = 'json' | 'api' | 'csv';

export interface Negotiated {
  readonly format: Format;
  /** Spaces of indentation, from `Accept: application/json; indent=4`; 0 for none. */
  readonly indent: number;
}

// In our order of preference.
const renderings: readonly { format: Format; type: string; subtype: string }[] = [
  { format: 'json', type: 'application', subtype: 'json' },
  { format: 'api', type: 'text', subtype: 'html' },
  { format: 'csv', type: 'text', subtype: 'csv' },
];

export const plainJson: Negotiated = { format: 'json', indent: 0 };

/** Throws 404 for an unknown format and 406 if no rendering is acceptable. Without Accept the first one is used. */
export function negotiate(format: string | undefined, accept: string | undefined): Negotiated {
  if ((format === undefined || format === '') && (accept === undefined || accept === '*/*')) return plainJson;
  const offered = format === undefined || format === '' ? renderings : renderings.filter((r) => r.format === format);
  if (offered.length === 0) throw apiError('not_found');
  if (accept === undefined) return { format: offered[0]!.format, indent: 0 };
  // A stable sort: equally precise ranges keep the client's order.
  const ranges = accept.split(',').map(readRange);
  for (const range of ranges.toSorted((a, b) => b.precision - a.precision)) {
    const found = offered.find(
      (r) => (range.type === '*' || range.type === r.type) && (range.subtype === '*' || range.subtype === r.subtype),
    );
    if (found !== undefined) return { format: found.format, indent: found.format === 'json' ? range.indent : 0 };
  }
  throw apiError('not_acceptable');
}

/** Whether the client names HTML, as a browser does: decides the rendering of unknown paths. */
export const prefersHtml = (accept: string | undefined): boolean => {
  try {
    return accept !== undefined && negotiate(undefined, accept).format === 'api';
  } catch {
    return false;
  }
};

function readRange(text: string) {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim());
  const [type = '', subtype = ''] = range.toLowerCase().split('/');
  const precision = type === '*' ? 0 : subtype === '*' ? 1 : parameters.length === 0 ? 2 : 3;
  const indent = Number(/^indent=(\d{1,3})$/.exec(parameters.find((p) => p.startsWith('indent=')) ?? '')?.[1] ?? 0);
  return { type, subtype, precision, indent: Math.min(indent, 8) };
}
