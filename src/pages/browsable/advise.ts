// What the page says first: what a request did, in the API's words why it failed, and what to do next.
import { catalogue } from '../../base/errors.ts';
import { safeMethods } from '../../base/http-names.ts';
import { notMirroredHeader, type PathTable } from '../../http/path-table.ts';
import { withQuery } from '../../http/wire/query-string.ts';
import type { BrowsablePage } from './describe-forms.ts';
import { namesIn, type PageLink } from './name-path.ts';

interface Notice {
  readonly text: string;
  readonly link?: PageLink | undefined;
}

export function advise(page: BrowsablePage): Notice[] {
  const { status, method, headers, opened, forms } = page;
  const rule = headers['x-understudy-fault'];
  const isInForm = opened === undefined || forms.some(({ from }) => from === opened.id);
  const noForm = `This page has no form for the ${opened?.method} of the request ${opened?.id}.`;
  return [
    rule !== undefined && { text: `The fault rule “${rule}” gave this answer in place of the API.` },
    status < 400 && !safeMethods.has(method) && sayDone(page),
    ...(status < 400 ? [] : [...sayErrors(page), ...adviseOnError(page)]),
    !isInForm && { text: opened.refusal ?? noForm },
  ].filter((notice) => typeof notice === 'object');
}

const sayErrors = ({ errors, forms }: BrowsablePage): Notice[] =>
  forms.some(({ faults = [] }) => faults.length > 0)
    ? [{ text: 'The request was refused. Nothing was changed.' }]
    : errors.map(({ detail }) => ({ text: detail }));

/** The callers whom the page may act as, if they may be admitted where its caller is not. Empty for nobody. */
export function listOthers(page: BrowsablePage): string[] {
  const { status, method, visitor, known, path, headers, opened } = page;
  const { username = '', choices = [] } = visitor ?? {};
  const superusers = choices.filter(({ isSuperuser }) => isSuperuser).map((one) => one.username);
  // What a superuser doesn't find is not there.
  const isHidden = status === 404 && isMissing(page) && known.length > 0 && !superusers.includes(username);
  const isRefused = status === 401 || (status === 403 && headers[notMirroredHeader] === undefined) || isHidden;
  const [owner] = known[0] === undefined ? [] : namesIn(known[0], path);
  const named = [opened?.sender, ...(isRefused ? [owner, superusers[0]] : [])];
  const users = choices.map((one) => one.username);
  const others = named.filter((one) => one != null && users.includes(one)) as string[];
  if (isRefused && users.length > 0 && page.admitsAnonymous(method)) others.push('');
  return [...new Set(others)].filter((one) => one !== username).slice(0, 3);
}

function sayDone(page: BrowsablePage): Notice {
  const { method, status, entry, breadcrumbs } = page;
  if (status === 204) {
    const above = breadcrumbs.at(-2);
    return { text: 'Deleted.', link: above && { ...above, label: `Back to ${above.label}` } };
  }
  if (status === 201) {
    const link = page.linkTo(entry);
    return { text: link === undefined ? 'Created.' : 'Created:', link };
  }
  return { text: method === 'PUT' || method === 'PATCH' ? 'Saved.' : 'Done.' };
}

function adviseOnError(page: BrowsablePage): (Notice | false)[] {
  const { status, method, visitor, headers, breadcrumbs, known } = page;
  if (visitor?.sandbox === null) return [{ text: 'It may have expired. The console makes a new one.' }];
  const back = method !== 'GET' && leadTo('Back to', breadcrumbs.at(-1));
  const choose = listOthers(page).length === 0 && { text: 'Choose another user in the header of the page.' };
  if (status === 401) return [back, choose];
  if (status === 403 && visitor?.username !== undefined && headers[notMirroredHeader] === undefined)
    return [back, { text: `${visitor.username} may not do this.` }, choose];
  if (known.length === 0 && isMissing(page)) return [adviseOnPath(page)];
  if (status === 404 && visitor !== undefined && visitor.username === undefined && !page.admitsAnonymous('GET'))
    return [{ text: 'Requests without a user find no users here.' }, choose];
  if (isMissing(page, catalogue.invalid_page.detail)) return [leadTo('The first page:', breadcrumbs.at(-1))];
  if (status === 404) return [isMissing(page) && leadTo('What there is:', breadcrumbs.at(-2))];
  return [status === 405 && method === 'GET' ? { text: 'The forms below send what the path takes.' } : back];
}

const isMissing = ({ errors }: BrowsablePage, detail = catalogue.not_found.detail): boolean =>
  errors[0]?.detail === detail;

const leadTo = (text: string, link: PageLink | undefined): Notice | false => link !== undefined && { text, link };

function adviseOnPath({ path, search, baseUrl, headers, paths }: BrowsablePage): Notice {
  const { text, near } = explainPath(path, headers[notMirroredHeader], paths);
  return near === undefined
    ? { text: `${text}. What is served:`, link: { label: 'the API root', href: `${baseUrl}/api/` } }
    : { text: `${text}; did you mean`, link: { label: near, href: baseUrl + withQuery(near, search) } };
}

/** Why nothing is served at a path, without a full stop; and the path that it may mean. @param resource of Weblate */
export function explainPath(path: string, resource: string | null | undefined, paths: PathTable) {
  if (paths.find(`${path}/`) !== undefined) return { text: 'The path lacks its final slash', near: `${path}/` };
  if (resource != null) return { text: `Weblate serves ${resource}; Understudy doesn’t mirror that` };
  const text = 'Nothing is served at this path';
  // That of a request that reached no sandbox is whole. Clients forget /api/ too.
  const [, base = '', rest = ''] = /^(\/sandboxes\/[^/]+)?(.*)$/s.exec(path) ?? [];
  const near = paths.findNearest(rest) ?? paths.findNearest(`/api${rest}`);
  return near === undefined ? { text } : { text, near: base + near };
}
