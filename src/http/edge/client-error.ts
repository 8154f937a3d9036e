// Errors of Node's HTTP parser, before there is a request: answered in the documented form on the bare socket.
import { STATUS_CODES } from '../../base/http-names.ts';
import type { Socket } from 'node:net';
import { apiError, type ErrorName } from '../../base/errors.ts';

const names: Readonly<Record<string, ErrorName>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = apiError(names[error.code ?? ''] ?? 'client_request_malformed');
  const body = JSON.stringify(refusal);
  socket.write(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\nContent-Type: application/json\r\nVary: Accept\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // Not end(): a client that never closes its side would keep the connection.
  socket.destroySoon();
}
