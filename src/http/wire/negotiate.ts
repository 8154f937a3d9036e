// Content negotiation: `format` first, then `Accept` (transcripts format__*, order__format, wire__accept).
// Weblate ignores weights (q), and other parameters make a range more precise: no library does this.
import { apiError } from '../../base/errors.ts';
import { attempt } from '../../base/failure.ts';
import { covers, headerText, maxMediaTypeLength, type MediaType, readMediaType } from './media-type.ts';
import { pythonInteger } from './python-input.ts';

export interface Negotiated {
  readonly format: keyof typeof types;
  /** Spaces, from `Accept: application/json; indent=4`; 0 for none. */
  readonly indent: number;
}

// In order of preference: `*/*` gets the first.
const types = { json: 'application/json', api: 'text/html', csv: 'text/csv' };
const formats = Object.keys(types) as Negotiated['format'][];

export const plainJson: Negotiated = { format: 'json', indent: 0 };
export const inPage: Negotiated = { format: 'api', indent: 0 };

/**
 * Returns our first rendering among those that Accept's most precise ranges name. Throws 404 for an
 * unknown format, and 406 if no rendering is acceptable.
 */
export function negotiate(format: string | undefined, accept: string | undefined) {
  if (!format && (accept === undefined || accept === '*/*')) return plainJson;
  const offered = formats.filter((one) => !format || one === format);
  if (offered.length === 0) throw apiError('not_found');
  const ranges = readRanges(accept ?? '*/*').map(readMediaType);
  const [best] = offered
    .flatMap((found) => ranges.filter((one) => covers(one, types[found])).map((range) => ({ found, range })))
    .toSorted((a, b) => precisionOf(b.range) - precisionOf(a.range));
  if (best === undefined) throw apiError('not_acceptable');
  return { format: best.found, indent: best.found === 'json' ? indentOf(best.range) : 0 };
}

/** Whether `negotiate` chooses HTML, as for browsers; false if it throws. */
export const prefersHtml = (accept: string | undefined, format?: string) =>
  attempt(() => negotiate(format, accept))?.format === 'api';

// The limits of Weblate's framework.
const maxHeaderLength = 8192;
const maxRanges = 64;

function readRanges(accept: string) {
  const header = headerText(accept);
  const whole =
    header.length <= maxHeaderLength ? header : header.slice(0, header.lastIndexOf(',', maxHeaderLength) + 1);
  return whole
    .split(',')
    .map((range) => range.trim())
    .filter((range) => range !== '' && range.length <= maxMediaTypeLength)
    .slice(0, maxRanges);
}

function precisionOf({ type, subtype, parameters }: MediaType) {
  if (type === '*') return 0;
  if (subtype === '*') return 1;
  return parameters.size === 0 || (parameters.size === 1 && parameters.has('q')) ? 2 : 3;
}

const indentOf = ({ parameters }: MediaType) =>
  Math.max(0, Math.min(8, pythonInteger(parameters.get('indent') ?? '') ?? 0));
