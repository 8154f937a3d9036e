// What a page of the console gets of a request, and what it returns. Its handlers know nothing of Fastify.
import type { Readable } from 'node:stream';
import type { Html } from '../pages/html.ts';
import type { Asset } from '../files.ts';
import type { SandboxServices } from '../sandboxes/handlers.ts';
import type { Traffic } from '../traffic/traffic.ts';

export type ConsoleServices = SandboxServices & Traffic;

export interface Visit {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The fields of a POST; empty for a GET. */
  readonly form: Readonly<Record<string, string>>;
  /** The service's own URL, without a slash at the end: what links and the actions of forms begin with. */
  readonly origin: string;
  /** The browser's session; undefined where nobody has to sign in. */
  readonly session: string | undefined;
  /** What each form carries, of the session. */
  readonly formToken: string | undefined;
  /** For a stream: gives the request's slot back. The signal aborts when the client disconnects. */
  readonly idle: () => AbortSignal;
}

export interface Page {
  readonly status?: number;
  readonly title: string;
  readonly main: Html;
  /** Beside those that every page of the console loads. */
  readonly assets?: readonly Asset[];
}

/** A page, a redirect to a path under the origin, or content of another type. */
export type ConsoleAnswer =
  | Page
  | { readonly redirect: string; readonly cookie?: string }
  | { readonly content: Readable | string; readonly headers: Readonly<Record<string, string>> };

export interface ConsoleRoute {
  readonly method: 'GET' | 'POST';
  /** Under `/_understudy/`; pages end with a slash: `console/:name/`. */
  readonly path: string;
  readonly handle: (visit: Visit, services: ConsoleServices) => Promise<ConsoleAnswer>;
}
