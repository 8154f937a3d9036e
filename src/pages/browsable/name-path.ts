// Names what is at a path: "User alice". OPTIONS has Weblate's name instead: "User Instance".
import type { KnownOperation, PathTable } from '../../http/path-table.ts';
import { decode } from '../../http/edge/repair-url.ts';

export interface PageLink {
  readonly label: string;
  /** An absolute URL. Pages link to it only if it is under `baseUrl`. */
  readonly href: string;
}

const readSegment = (segment: string) => decode(segment) ?? segment;

/** The path's values for the operation's parameters: `alice` for `:username`. */
export const namesIn = ({ url }: KnownOperation, path: string) => {
  const pattern = url.split('/');
  const values = path.split('/').filter((_segment, place) => pattern[place]?.startsWith(':'));
  return values.map(readSegment);
};

/** "Subscription 12 of alice", "Groups of alice", "Users". */
export function namePath(operation: KnownOperation | undefined, path: string) {
  if (operation === undefined) return 'Not Found';
  const [, ofEntry = ''] = /((?:\/:\w+)*)\/$/.exec(operation.url) ?? [];
  const names = namesIn(operation, path);
  const own = names.splice(names.length - (ofEntry.split(':').length - 1)).join('/');
  const owner = names.length > 0 && `of ${names.join('/')}`;
  return [nameKind(operation, own !== ''), own, owner].filter(Boolean).join(' ');
}

function nameKind({ view, summary }: KnownOperation, isEntry: boolean) {
  const { name = summary, noun } = view ?? {};
  return isEntry
    ? (noun ?? name.replace(/ Instance$/, ''))
    : name.replace(/ List$/, 's').replace('Api Root', 'API root');
}

/** A breadcrumb for the path, and for each prefix that is served. */
export function breadcrumbs(baseUrl: string, path: string, { find }: PathTable) {
  const segments = path.split('/').filter((segment) => segment !== '');
  return segments.flatMap((segment, i) => {
    const prefix = `/${segments.slice(0, i + 1).join('/')}/`;
    const known = find(prefix);
    if (known === undefined && prefix !== path) return [];
    const [operation] = known ?? [];
    const isKind = operation?.url.split('/').at(-2)?.startsWith(':') === false;
    const label = isKind ? nameKind(operation, false) : readSegment(segment);
    return [{ label, href: baseUrl + prefix }];
  });
}
