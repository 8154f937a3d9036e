// Requests to the control API by fetch.
// This folder imports only base/ and types: any test runner can use it.
import { attempt } from '../../base/failure.ts';
import { describeErrors, type ServiceError, UnderstudyError } from './understudy-error.ts';

export interface ConnectOptions {
  /** The service's UNDERSTUDY_ADMIN_TOKEN, if it requires one. */
  readonly adminToken?: string | undefined;
  /** Ends every request of this client when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** `fetch`, or its substitute in a command that runs the service in its own process. */
export type Fetch = (
  url: string,
  request: { method: string; headers: Record<string, string>; body: string | null; signal: AbortSignal | null },
) => Promise<Response>;

type Body = ReturnType<typeof jsonBody>;
export type Transport = ReturnType<typeof createTransport>;

export const jsonBody = (value: unknown) => ({ type: 'application/json', text: JSON.stringify(value) });

/** `/job-17/tokens` */
export const pathOf = (...parts: string[]) => parts.map((part) => `/${encodeURIComponent(part)}`).join('');

/** @param url the service's URL, such as `http://127.0.0.1:8000` */
export function createTransport(url: string, { adminToken, signal }: ConnectOptions, fetchUrl: Fetch = fetch) {
  /**
   * @param path a path below `/_understudy`
   * @throws UnderstudyError, or the signal's reason
   */
  async function send(method: string, path: string, body?: Body, accept = '*/*'): Promise<Response> {
    const headers = {
      accept,
      ...(adminToken !== undefined && { authorization: `Bearer ${adminToken}` }),
      ...(body && { 'content-type': body.type }),
    };
    const request = { method, headers, signal: signal ?? null, body: body?.text ?? null };
    const response = await fetchUrl(`${url}/_understudy${path}`, request).catch(explain);
    if (response.ok) return response;
    throw readError(response, await response.text().catch(explain), `${method} /_understudy${path}`);
  }

  function explain(error: unknown): never {
    if (signal?.aborted) throw signal.reason;
    const { cause = error } = error as { cause?: unknown };
    // If all addresses of a name fail, the error has no message.
    const { message, name, code } = cause as { message?: string; name?: string; code?: string };
    throw new UnderstudyError('unreachable', `${url} is not reachable (${message || code || name})`, { cause: error });
  }

  /** Resolves with the answer's JSON; null for an answer without content. */
  async function read<T = void>(method: string, path: string, body?: Body): Promise<T> {
    const text = await readText(method, path, body, '*/*');
    const value = attempt(() => JSON.parse(text || 'null') as T);
    if (value === undefined) throw foreign(200);
    return value;
  }

  /** Resolves with the answer's text, without the final newline. */
  async function readText(method: string, path: string, body?: Body, accept = 'text/plain') {
    const response = await send(method, path, body, accept);
    return (await response.text().catch(explain)).trimEnd();
  }

  async function* stream(method: string, path: string): AsyncGenerator<string> {
    const { body } = await send(method, path);
    try {
      if (body !== null) yield* body.pipeThrough(new TextDecoderStream());
    } catch (error) {
      explain(error);
    }
  }

  return { url, read, readText, stream };
}

function readError({ status, headers }: Response, text: string, operation: string) {
  try {
    const { errors } = JSON.parse(text) as { errors: ServiceError[] };
    const version = headers.get('x-understudy');
    // The 404 of a missing sandbox, user or snapshot has another detail.
    const isUnknown = version !== null && (status === 405 || errors.some(({ detail }) => detail === 'Not found.'));
    const message = isUnknown
      ? `the service is Understudy ${version}, which has no ${operation}: use the same version of service and client`
      : describeErrors(errors);
    return new UnderstudyError('refused', message, { status, errors });
  } catch {
    return foreign(status);
  }
}

const foreign = (status: number) =>
  new UnderstudyError('foreign', `the server answered ${status} in a form that is not Understudy's; check the URL`, {
    status,
  });
