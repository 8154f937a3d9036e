// Requests that no client would send, as raw bytes on a socket, and the status of their answers.
import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { connect } from 'node:net';

export interface RawAnswer {
  /** 0 if the connection ended without an answer. */
  readonly status: number;
  readonly head: string;
  readonly body: string;
  /** Whether the service ended the connection without a reset. A reset could make clients lose the answer. */
  readonly isEnded: boolean;
}

/** Sends the text unchanged, then the body, and reads until the service closes the connection. */
export function sendRaw(service: { readonly url: string }, text: string, body?: Buffer): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1' });
    const chunks: Buffer[] = [];
    let isEnded = false;
    socket.on('end', () => {
      isEnded = true;
      socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', () => {
      const [head = '', ...rest] = Buffer.concat(chunks).toString('latin1').split('\r\n\r\n');
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head, body: rest.join('\r\n\r\n'), isEnded });
    });
    socket.write(text, 'latin1');
    if (body) socket.write(body);
  });
}

/** A request head with `Connection: close`. */
export const head = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n');

/** The status of the answer, or 0 if the connection ended without an answer. */
export async function statusOf(request: ClientRequest): Promise<number> {
  try {
    const [answer] = await once(request, 'response');
    answer.resume();
    return answer.statusCode as number;
  } catch {
    return 0;
  }
}
