// What Node's parser refuses before there is a request: answered in the documented form, on the bare socket.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { apiError } from './errors.ts';

export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = apiError(error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'client_request_malformed');
  const body = JSON.stringify(refusal);
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\nContent-Type: application/json\r\nVary: Accept\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
