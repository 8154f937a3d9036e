// The page's first lines: what the request did, or why it failed, and what to do next.
import { catalogue } from '../../base/errors.ts';
import { safeMethods } from '../../base/http-names.ts';
import { notMirroredHeader, type PathTable } from '../../http/path-table.ts';
import { withQuery } from '../../http/wire/query-string.ts';
import { html, type Piece } from '../html.ts';
import { renderLink } from '../parts.ts';
import type { BrowsablePage } from './describe-forms.ts';
import { namesIn, type PageLink } from './name-path.ts';

export function advise(page: BrowsablePage): Piece[] {
  const { status, method, headers, opened, forms } = page;
  const rule = headers['x-understudy-fault'];
  const isInForm = opened === undefined || forms.some(({ from }) => from === opened.id);
  const noForm = `This page has no form for the ${opened?.method} of the request ${opened?.id}.`;
  return [
    rule !== undefined && `The fault rule “${rule}” gave this answer in place of the API.`,
    status < 400 && !safeMethods.has(method) && sayDone(page),
    ...(status < 400 ? [] : [...sayErrors(page), ...adviseOnError(page)]),
    !isInForm && (opened.refusal ?? noForm),
  ].filter(Boolean);
}

const sayErrors = ({ errors, forms }: BrowsablePage) =>
  forms.some(({ errors: ofForm = [] }) => ofForm.length > 0)
    ? ['The request was refused. Nothing was changed.']
    : errors.map(({ detail }) => detail);

/** Other users to try: the sender of a journal's request, or users who may be allowed. '' means no user. */
export function listOthers(page: BrowsablePage) {
  const { status, method, visitor, known, path, headers, opened } = page;
  const { username = '', choices = [] } = visitor ?? {};
  const superusers = choices.filter((one) => one.is_superuser).map((one) => one.username);
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

function sayDone(page: BrowsablePage) {
  const { method, status, entry, breadcrumbs } = page;
  const above = breadcrumbs.at(-2);
  if (status === 204)
    return leadTo(page, 'Deleted.', above && { ...above, label: `Back to ${above.label}` }) || 'Deleted.';
  if (status === 201) return leadTo(page, 'Created:', page.linkTo(entry)) || 'Created.';
  return method === 'PUT' || method === 'PATCH' ? 'Saved.' : 'Done.';
}

function adviseOnError(page: BrowsablePage): Piece[] {
  const { status, method, visitor, headers, breadcrumbs, known } = page;
  if (visitor?.sandbox === null) return ['It may have expired. The console makes a new one.'];
  const back = method !== 'GET' && leadTo(page, 'Back to', breadcrumbs.at(-1));
  const choose = listOthers(page).length === 0 && 'Choose another user in the header of the page.';
  if (status === 401) return [back, choose];
  if (status === 403 && visitor?.username !== undefined && headers[notMirroredHeader] === undefined)
    return [back, `${visitor.username} may not do this.`, choose];
  if (known.length === 0 && isMissing(page)) return [adviseOnPath(page)];
  if (status === 404 && visitor !== undefined && visitor.username === undefined && !page.admitsAnonymous('GET'))
    return ['Requests without a user find no users here.', choose];
  if (isMissing(page, catalogue.invalid_page.detail)) return [leadTo(page, 'The first page:', breadcrumbs.at(-1))];
  if (status === 404) return [isMissing(page) && leadTo(page, 'What there is:', breadcrumbs.at(-2))];
  return [status === 405 && method === 'GET' ? 'The forms below send what the path takes.' : back];
}

const isMissing = ({ errors }: BrowsablePage, detail = catalogue.not_found.detail) => errors[0]?.detail === detail;

const leadTo = ({ findLink }: BrowsablePage, text: string, link: PageLink | undefined) =>
  link !== undefined && html`${text} ${renderLink(findLink(link.href), link.label)}`;

function adviseOnPath(page: BrowsablePage) {
  const { path, search, baseUrl, headers, paths } = page;
  const { text, near } = explainPath(path, headers[notMirroredHeader], paths);
  return near === undefined
    ? leadTo(page, `${text}. What is served:`, { label: 'the API root', href: `${baseUrl}/api/` })
    : leadTo(page, `${text}; did you mean`, { label: near, href: baseUrl + withQuery(near, search) });
}

/**
 * Says why a path isn't served, without a final full stop, and names a similar path.
 * @param resource that only Weblate serves
 */
export function explainPath(path: string, resource: string | null | undefined, paths: PathTable) {
  if (paths.find(`${path}/`) !== undefined) return { text: 'The path lacks its final slash', near: `${path}/` };
  if (resource != null) return { text: `Weblate serves ${resource}; Understudy doesn’t mirror that` };
  const text = 'Nothing is served at this path';
  // If a request reached no sandbox, its path may begin with /sandboxes/…. Clients also forget /api/.
  const [, base = '', rest = ''] = /^(\/sandboxes\/[^/]+)?(.*)$/s.exec(path) ?? [];
  const near = paths.findNearest(rest) ?? paths.findNearest(`/api${rest}`);
  return near === undefined ? { text } : { text, near: base + near };
}
