// What the handler of a console page gets and returns. Handlers know nothing of Fastify.
import type { ApiError } from '../../base/errors.ts';
import type { Asset } from '../../base/files.ts';
import type { Answer, Call } from '../../http/call.ts';
import { sandboxes } from '../../sandboxes/operations.ts';
import { traffic } from '../../traffic/operations.ts';
import { withQuery } from '../../http/wire/query-string.ts';
import { html, type Html } from '../html.ts';
import { type Field, renderErrorLine, renderField, renderNameInput } from '../parts.ts';
import type { PageParts } from '../session/visitors.ts';
import type { Visitor } from '../visitor.ts';

export interface Visit {
  readonly services: PageParts['services'];
  /** The sandbox in the path; empty for none. */
  readonly sandbox: string;
  readonly entry: string;
  readonly query: Readonly<Record<string, string>>;
  /** The fields of a POST, in which `\n` ends lines; empty for a GET. */
  readonly form: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, Buffer>>;
  /** The service's own URL, without a final slash. */
  readonly origin: string;
  /** The URL of the console. */
  readonly start: string;
  /** The URL of the sandbox's page. The sandbox's other pages are below it. */
  readonly url: string;
  /** Whether the browser had to sign in for this page. */
  readonly isSignedIn: boolean;
  readonly address: string;
  readonly visitor: Visitor | undefined;
  readonly left: AbortSignal;
  /** Why the request was refused; only for `explain`. */
  readonly refused?: ApiError;
}

export interface Page {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The heading, unless the page has a tab. */
  readonly title: string;
  /** The tab of a sandbox's page, whose heading is the sandbox's name. Unused without a sandbox. */
  readonly tab?: 'overview' | 'state' | 'requests' | 'faults';
  readonly notice?: string | Html | false | undefined;
  /** The content, without an h1. */
  readonly main: Html;
  /** What the page loads, besides the assets of every page. */
  readonly assets?: readonly Asset[];
}

export type ConsoleAnswer = Page | Redirect | Content;

interface Redirect {
  readonly redirect: string;
  readonly cookie?: string;
  /** With 307, the browser sends the form to the new address. 303 if left out. */
  readonly status?: 307;
}

type Content = Partial<Pick<Answer, 'status'>> & Required<Pick<Answer, 'content' | 'headers'>>;

export type Handle = (visit: Visit) => Promise<ConsoleAnswer>;

// Pages call operations of the control API in this process.
const operations = new Map([...sandboxes.operations, ...traffic.operations].map((one) => [one.id, one]));

export interface Sent {
  /** Names in the path, besides the sandbox. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** A text is sent as it is; other values become JSON. */
  readonly body?: unknown;
}

/** Throws the operation's errors. @param id as in the OpenAPI document */
export async function operate(
  id: string,
  { sandbox, origin, left, services }: Visit,
  { path, query = {}, body = '' }: Sent = {},
) {
  const operation = operations.get(id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  const call: Partial<Call> = {
    baseUrl: origin,
    params: { ...(sandbox !== '' && { name: sandbox }), ...path },
    query,
    left,
    contentType: 'application/json',
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  };
  return operation.handler(call as Call<never, never>, services);
}

/** Returns the operation's parsed answer. T is its type. */
export async function ask<T>(...given: Parameters<typeof operate>) {
  return JSON.parse((await operate(...given)).json ?? 'null') as T;
}

const route =
  (method: 'GET' | 'POST') =>
  /**
   * @param path under `/_understudy/`; pages end with a slash: `console/:name/`
   * @param explain makes the page of a refusal; if left out, the usual page of an error
   */
  (path: string, handler: Handle, explain?: Handle) => ({ method, url: `/_understudy/${path}`, handler, explain });
export const get = route('GET');
export const post = route('POST');
export type ConsoleRoute = ReturnType<typeof get>;

export const startOf = (origin: string) => `${origin}/_understudy/`;

export const sandboxUrl = (start: string, name: string) => `${start}console/${name}/`;

/** The URL with the values that aren't empty: `…?status=4xx&live=off`. */
export function urlWith(url: string, values: Readonly<Record<string, string>>) {
  const given = Object.entries(values).filter(([, value]) => value !== '');
  return withQuery(url, new URLSearchParams(given).toString());
}

// The address has a text's key, not the text: otherwise links could make the page show any text.
const done: Readonly<Record<string, string>> = {
  make: 'the sandbox was made.',
  reset: 'the sandbox was reset. Its faults were removed and its journal emptied.',
  undo: 'the sandbox was put back to what it held before. Faults and journal were not put back.',
  snapshots: 'the snapshot was saved.',
  restore: 'the snapshot was restored. The faults were removed and the journal emptied.',
  'snapshots/delete': 'the snapshot was deleted.',
  'clock/set': 'the clock was set. It stands still.',
  'clock/advance': 'the clock was advanced. It stands still.',
  'clock/run': 'the clock runs again, with the real time.',
  delete: 'the sandbox was deleted.',
};

/** Redirects to a page that says what was done and when: this stays true after a reload. */
export const redirectDone = (url: string, act: string) => ({
  redirect: `${url}?done=${act}&at=${Math.floor(Date.now() / 1000)}`,
});

/** What the form before this page did; undefined after an hour. */
export function describeDone({ done: act = '', at }: Visit['query']) {
  const moment = Number(at) * 1000;
  if (!Object.hasOwn(done, act) || !(Math.abs(Date.now() - moment) <= 3_600_000)) return undefined;
  return `At ${new Date(moment).toISOString().slice(11, 19)} UTC ${done[act]}`;
}

/**
 * A field that shows its errors. Its name is its id.
 * @param also other fields whose errors it shows
 */
export const renderOwnField = (visit: Visit, field: Field, ...also: readonly (string | null)[]) =>
  renderField({
    ...field,
    errors: errorsAt(visit, field.id, ...also),
    control: (attributes) => field.control(html`${attributes} name="${field.id}"`),
  });

/** A form of one field and a button. If it was sent, it also shows errors that belong to no field. */
export function renderNameForm(
  visit: Visit,
  { path, button, ...texts }: Omit<Field, 'control'> & { readonly path: string; readonly button: Html },
) {
  const { url, form } = visit;
  const input = renderNameInput(form[texts.id]);
  const control = (attributes: Html) => html`<div class="row line">${input(attributes)} ${button}</div>`;
  return html`<form method="post" action="${url}${path}/">
    ${renderOwnField(visit, { ...texts, control }, ...(texts.id in form ? [null] : []))}
  </form>`;
}

/** The errors of fields; null means errors of no field. Errors in a seed belong to `seed`. */
export const errorsAt = ({ refused }: Visit, ...fields: readonly (string | null)[]) =>
  refused?.lines.flatMap(({ attr, code, detail }) => {
    const isInSeed = code === 'invalid_seed';
    if (!fields.includes(isInSeed ? 'seed' : attr)) return [];
    return isInSeed ? renderErrorLine({ attr, detail }) : detail;
  }) ?? [];
