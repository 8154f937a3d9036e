// What a page of the console gets of a request, and what it returns. Its handlers know nothing of Fastify.
import type { Readable } from 'node:stream';
import type { Visitor } from '../../http/call.ts';
import type { PageParts } from '../session/page-parts.ts';
import type { Html } from '../html.ts';
import type { Asset } from '../../base/files.ts';

export type ConsoleServices = PageParts['services'];

export interface Visit {
  /** The one that the path names; empty where it names none. */
  readonly sandbox: string;
  /** The exchange of the journal that the path names. */
  readonly entry: string;
  readonly query: Readonly<Record<string, string>>;
  /** The fields of a POST, lines ended by `\n`; empty for a GET. */
  readonly form: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, Buffer>>;
  /** The service's own URL, without a slash at the end: what links and the actions of forms begin with. */
  readonly origin: string;
  /** Whether a session was needed, and counted. */
  readonly isSignedIn: boolean;
  readonly address: string;
  readonly visitor: Visitor | undefined;
}

export type SandboxTab = 'overview' | 'requests' | 'faults';

export interface Page {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The heading, unless the page is one of a sandbox's, which is headed by that sandbox's name. */
  readonly title: string;
  /** Whose page it is, and under which of its tabs. */
  readonly of?: { readonly sandbox: string; readonly tab: SandboxTab };
  /** What the request before this page did. */
  readonly notice?: string | Html | undefined;
  /** Without an h1. */
  readonly main: Html;
  /** Beside those that every page of the console loads. */
  readonly assets?: readonly Asset[];
}

/** A page, a redirect to a path under the origin, or content of another type. */
export type ConsoleAnswer = Page | Redirect | Content;

interface Redirect {
  readonly redirect: string;
  readonly cookie?: string;
  /** With 307 the browser sends the form again, to there. 303 if left out. */
  readonly status?: 307;
}

export interface Content {
  readonly status?: number;
  readonly content: Readable | string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ConsoleRoute {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly handler: Handle;
}

export type Handle = (visit: Visit, services: ConsoleServices) => Promise<ConsoleAnswer>;

const route =
  (method: ConsoleRoute['method']) =>
  (path: string, handler: Handle): ConsoleRoute => ({ method, url: `/_understudy/${path}`, handler });
/** @param path under `/_understudy/`; pages end with a slash: `console/:name/` */
export const get = route('GET');
export const post = route('POST');
