// A stream of server-sent events as a client reads it.
import { type IncomingMessage, request as send } from 'node:http';
import type { Service } from '../support/service.ts';

export interface OpenStream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** All that came so far, once it fits. Throws if the stream ends first. */
  until(pattern: RegExp): Promise<string>;
  /** Resolves with all of it when it ends, however it does. */
  readonly ended: Promise<string>;
  pause(): void;
  close(): void;
}

export function openStream(
  service: Pick<Service, 'url'>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenStream> {
  const { hostname: host, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const outgoing = send({ host, port, path, headers: { accept: 'text/event-stream', ...headers }, agent: false });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      let text = '';
      const waiting = new Set<() => void>();
      const ended = Promise.withResolvers<string>();
      const look = () => {
        for (const one of waiting) one();
      };
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => {
        text += chunk;
        look();
      });
      // An end that is cut is an end too.
      incoming.on('error', () => undefined);
      incoming.on('close', () => {
        ended.resolve(text);
        look();
      });
      resolve({
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        ended: ended.promise,
        until: (pattern) =>
          new Promise((found, failed) => {
            const one = () => {
              if (pattern.test(text)) found(text);
              else if (incoming.closed) failed(new Error(`it ended with ${text}`));
              else return;
              waiting.delete(one);
            };
            waiting.add(one);
            one();
          }),
        pause: () => void incoming.pause(),
        close: () => outgoing.destroy(),
      });
    });
    outgoing.end();
  });
}
