// What the page says first: what a request did, in the API's words why it failed, and what to do next.
import { catalogue } from '../../../base/errors.ts';
import { type Exchange, type Form, hasFaults, type Notice, type PageLink } from '../page-contents.ts';
import { notMirroredHeader, type PathTable } from '../../../http/path-table.ts';
import { withQuery } from '../../../http/wire/query-string.ts';
import { isObject } from '../../../base/json-object.ts';
import { errorLines } from './read-answer.ts';

interface Answered extends Exchange {
  readonly body: unknown;
  readonly forms: readonly Form[];
  readonly trail: readonly PageLink[];
  readonly paths: PathTable;
}

export function advise(answered: Answered): Notice[] {
  const { method, status, body, forms } = answered;
  if (status < 400) return method === 'GET' || method === 'OPTIONS' ? [] : [sayDone(answered)];
  const isOfForm = forms.some(hasFaults);
  const said = isOfForm ? [{ detail: 'The request was refused. Nothing was changed.' }] : errorLines(body);
  return [...said.map(({ detail }) => ({ text: detail })), ...adviseOnError(answered)];
}

function sayDone({ method, status, baseUrl, path, body, trail, paths }: Answered): Notice {
  if (status === 204) {
    const above = trail.at(-2);
    return { text: 'Deleted.', link: above && { ...above, label: `Back to ${above.label}` } };
  }
  if (status === 201) {
    const key = paths.findEntryKey(path);
    const name = key !== undefined && isObject(body) ? body[key] : undefined;
    if (key === undefined || (typeof name !== 'string' && typeof name !== 'number')) return { text: 'Created.' };
    const href = `${baseUrl}${path}${encodeURIComponent(String(name).toWellFormed())}/`;
    return { text: 'Created:', link: { label: `${key} ${name}`, href } };
  }
  return { text: method === 'PUT' || method === 'PATCH' ? 'Saved.' : 'Done.' };
}

const chooseUser = 'Choose a user in the header of the page.';

function adviseOnError(answered: Answered): Notice[] {
  const { status, method, path, anonymous, visitor, headers, trail, paths } = answered;
  const isKnown = paths.find(path) !== undefined;
  const isAnonymous = visitor !== undefined && visitor.username === undefined;
  const back = method === 'GET' ? [] : listOf('Back to', trail.at(-1));
  if (status === 401) return [{ text: chooseUser }, ...back];
  if (status === 403 && visitor?.username !== undefined && headers[notMirroredHeader] === undefined)
    return [{ text: `${visitor.username} may not do this. Choose another user in the header of the page.` }, ...back];
  if (status === 404 && isKnown && isAnonymous && anonymous === 'strict')
    return [{ text: `Requests without a user find no users here. ${chooseUser}` }];
  if (status === 404 && !isKnown) return adviseOnPath(answered);
  if (status === 404) return adviseOnMissing(answered);
  if (status === 405 && method === 'GET') return [{ text: 'The forms below send what the path takes.' }];
  return back;
}

/** For an entry, or a page of a list, that doesn't exist. */
function adviseOnMissing({ body, trail }: Answered): Notice[] {
  const detail = errorLines(body)[0]?.detail;
  if (detail === catalogue.invalid_page.detail) return listOf('The first page:', trail.at(-1));
  return detail === catalogue.not_found.detail ? listOf('What there is:', trail.at(-2)) : [];
}

const listOf = (text: string, link: PageLink | undefined): Notice[] => (link === undefined ? [] : [{ text, link }]);

/** For a path that isn't served. */
function adviseOnPath({ path, search, baseUrl, headers, paths }: Answered): Notice[] {
  const root = { label: 'the API root', href: `${baseUrl}/api/` };
  const linkTo = (to: string) => ({ label: to, href: baseUrl + withQuery(to, search) });
  if (paths.find(`${path}/`) !== undefined) return [{ text: 'The path ends with a slash:', link: linkTo(`${path}/`) }];
  const resource = headers[notMirroredHeader];
  if (resource !== undefined)
    return [
      { text: `Weblate’s ${resource} aren’t mirrored. What is mirrored:`, link: root },
      { text: 'A reverse proxy in front of this service can send such paths to another server.' },
    ];
  const near = paths.findNearest(path);
  if (near !== undefined) return [{ text: 'Did you mean', link: linkTo(near) }];
  return [{ text: 'Nothing is served at this path. What is served:', link: root }];
}
