// Which rendering a request gets: `format` first, then `Accept` (transcripts format__*, order__format). The real system ignores
// weights and counts every parameter as precision, so no negotiation library fits.
import { apiError } from '../../errors.ts';

export type Format = 'json' | 'api' | 'csv';

export interface Negotiated {
  readonly format: Format;
  /** Spaces of indentation that `Accept: application/json; indent=4` asks for; 0 is none. */
  readonly indent: number;
}

// In our order of preference.
const renderings: readonly { format: Format; type: string; subtype: string }[] = [
  { format: 'json', type: 'application', subtype: 'json' },
  { format: 'api', type: 'text', subtype: 'html' },
  { format: 'csv', type: 'text', subtype: 'csv' },
];

export const plainJson: Negotiated = { format: 'json', indent: 0 };

/** Throws 404 for an unknown format and 406 where nothing acceptable is left. A missing Accept takes what is first. */
export function negotiate(format: string | undefined, accept: string | undefined): Negotiated {
  if ((format === undefined || format === '') && (accept === undefined || accept === '*/*')) return plainJson;
  const offered = format === undefined || format === '' ? renderings : renderings.filter((r) => r.format === format);
  if (offered.length === 0) throw apiError('not_found');
  if (accept === undefined) return { format: offered[0]!.format, indent: 0 };
  // Stable: among equally precise ranges the client's order stays.
  for (const range of accept
    .split(',')
    .map(readRange)
    .toSorted((a, b) => b.precision - a.precision)) {
    const found = offered.find(
      (r) => (range.type === '*' || range.type === r.type) && (range.subtype === '*' || range.subtype === r.subtype),
    );
    if (found !== undefined) return { format: found.format, indent: found.format === 'json' ? range.indent : 0 };
  }
  throw apiError('not_acceptable');
}

/** True where a client that has no rendering yet (an unknown path) asks for HTML by name, as a browser does. */
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
