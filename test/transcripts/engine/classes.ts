// Sorts differences into classes: the same place of the same operation is one row of a table.
import { resources } from '../../../src/weblate/resources.ts';
import type { Mismatch } from './compare-json.ts';

/** One difference of one step. Its texts are printed as they are: redact them before. */
export interface FoundDifference {
  request: { method: string; path: string };
  mismatch: Mismatch;
  /** Where it is seen, such as `detail/read: GET /api/users/`; differences of one step have the same text. */
  step: string;
  /** How many steps it stands for, if several. */
  times?: number;
}

/** Counts each step once, even if several differences are of this step. */
export const countSteps = (found: readonly Pick<FoundDifference, 'step' | 'times'>[]): number =>
  [...new Map(found.map(({ step, times = 1 }) => [step, times])).values()].reduce((sum, times) => sum + times, 0);

/** Such as `GET /api/users/{username}/ status 200 → 404`. Of values that have many forms, only the type is named. */
export const classOf = (request: FoundDifference['request'], mismatch: Mismatch): string =>
  `${operationOf(request)} ${describeMember(mismatch)}`;

/** The class without its operation. */
export function describeMember(mismatch: Mismatch): string {
  const [expected, received] = [describeForm(mismatch, 'expected'), describeForm(mismatch, 'received')];
  const forms = expected === '' && received === '' ? '' : ` ${expected} → ${received}`;
  return `${toMember(mismatch)}${forms}`;
}

/** `GET /api/users/{username}/` of `GET /api/users/:username/`. */
export const toName = (url: string): string => url.replaceAll(/:(\w+)/gu, '{$1}');
const paths = resources.flatMap(({ operations }) =>
  operations.map(({ url }) => ({ name: toName(url), form: new RegExp(`^${url.replaceAll(/:\w+/gu, '[^/]+')}$`, 'u') })),
);

/** `GET /api/users/{username}/` for `GET /api/users/alice/?page=2`; a path that isn't served stays. */
export function operationOf({ method, path }: FoundDifference['request']): string {
  const bare = path.replace(/\?.*$/su, '');
  return `${method} ${paths.find(({ form }) => form.test(bare))?.name ?? bare}`;
}

export const toMember = ({ place }: Mismatch): string => place.replaceAll(/\[\d+\]/gu, '[]');

/** Places with few possible values: each change of such a value is a class of its own. */
const fewValued = /^status$|^header (?!location|retry-after|x-ratelimit)|\.(?:code|attr|type)$/u;

const literals = new Set(['true', 'false', 'null', '(absent)']);
const types: [RegExp, string][] = [
  [/^"/u, 'text'],
  [/^-?\d+ entries, at /u, 'entries'],
  [/^in any order |^\[/u, 'list'],
  [/^\{/u, 'object'],
  [/^-?\d/u, 'number'],
  [/^JSON: /u, 'JSON'],
  [/^text: /u, 'text'],
];

function describeForm({ place, ...sides }: Mismatch, side: 'expected' | 'received'): string {
  const value = sides[side];
  if (place.endsWith('(order of keys)')) return '';
  if (fewValued.test(place) || literals.has(value)) return value;
  return types.find(([form]) => form.test(value))?.[1] ?? value;
}

/** A Markdown table of the classes. A change that is the same to the letter in several operations is one row. */
export function formatClasses(found: readonly FoundDifference[]): string {
  const classes = Map.groupBy(found, ({ request, mismatch }) => classOf(request, mismatch));
  const changes = Map.groupBy(classes, ([name, members]) => {
    const values = new Set(members.map(({ mismatch }) => describeChange(mismatch)));
    return values.size === 1 ? [...values][0] : name;
  });
  const rows = [...changes.values()].map((same) => makeRow(same.flatMap(([, members]) => members)));
  return rows.length === 0
    ? ''
    : formatTable(
        columns,
        rows.toSorted((a, b) => b.steps - a.steps).map(({ cells }) => cells),
      );
}

const describeChange = (mismatch: Mismatch): string =>
  `${toMember(mismatch)}\n${mismatch.expected}\n${mismatch.received}`;

function makeRow(members: readonly FoundDifference[]): { steps: number; cells: string[] } {
  const [first] = members as [FoundDifference];
  const [request = '', ...others] = new Set(members.map((one) => operationOf(one.request)));
  const steps = countSteps(members);
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const values = excerpt(first.mismatch.expected, first.mismatch.received);
  return {
    steps,
    cells: [
      `${code(request)}${more}`,
      code(toMember(first.mismatch)),
      ...values.map(code),
      `${steps}`,
      first.step && code(first.step),
    ],
  };
}

const excerptLength = 32;

/** Both sides, shortened to where they begin to differ. */
export function excerpt(...values: [string, string]): [string, string] {
  const [a, b] = values;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const from = Math.max(a.length, b.length) <= excerptLength ? 0 : Math.max(0, start - 12);
  return values.map((value) => {
    const end = from + excerptLength;
    return `${from > 0 ? '…' : ''}${value.slice(from, end)}${value.length > end ? '…' : ''}`;
  }) as [string, string];
}

/** A code span of one line, whatever the text: a server's text must neither steer a terminal nor break the table. */
export function code(text: string): string {
  const safe = text.replaceAll(/\p{Cc}/gu, ' ').replaceAll('|', String.raw`\|`);
  return safe.includes('`') ? `\`\` ${safe} \`\`` : `\`${safe}\``;
}

const columns = ['request', 'what', 'before', 'now', 'steps', 'first seen'];

export function formatTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) =>
    Math.max(...[heads, ...rows].map((row) => row[column]?.length ?? head.length)),
  );
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |\n`;
  return [heads, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('');
}
