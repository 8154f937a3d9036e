// The console reads and acts by the operations of the control API, called in this process with what a client would send.
import type { Answer, Call } from '../../http/call.ts';
import { sandboxes } from '../../sandboxes/operations.ts';
import { traffic } from '../../traffic/operations.ts';
import type { Visit } from './console-page.ts';

const operations = new Map([...sandboxes.operations, ...traffic.operations].map((one) => [one.id, one]));

export interface Sent {
  /** Names in the path, beside that of the sandbox. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** A text is sent as it is. */
  readonly body?: unknown;
}

/** @param id the operation's, as in the OpenAPI document; throws the errors that it answers */
export async function operate(
  id: string,
  { sandbox, origin, left, services }: Visit,
  { path, query = {}, body = '' }: Sent = {},
): Promise<Answer> {
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

/** What the operation answers, by the type of its schema. */
export async function ask<T>(...given: Parameters<typeof operate>): Promise<T> {
  return JSON.parse((await operate(...given)).json ?? 'null') as T;
}
