// The recordings, and a server that answers with them, step by step; a test may change an answer.
import http from 'node:http';
import type net from 'node:net';
import { loadTranscripts } from './engine/load.ts';
import { fillBaseUrl } from './engine/placeholders.ts';
import { mapStrings } from './engine/raw-json.ts';
import { selectScenarios } from './engine/replay.ts';
import type { Scenario, TranscriptRequest, TranscriptResponse } from './engine/transcript.ts';

export const data = new URL('data', import.meta.url).pathname;
export const { scenarios, tokens } = await loadTranscripts(data);
export const choose = (...prefixes: string[]): Scenario[] => selectScenarios(scenarios, prefixes);

export interface Answer {
  status: number;
  headers: [string, string][];
  body: string;
}

export interface TranscriptServer extends AsyncDisposable {
  baseUrl: string;
  /** The header Authorization of each request so far; empty for a request without it. */
  asked: string[];
  /** Changes answers before they are sent; null hangs up. `step` is the step's title. */
  alter: (answer: Answer, place: { scenario: string; step: string; request: TranscriptRequest }) => Answer | null;
}

/** Answers the steps in their order, under `prefix`. */
export async function startTranscriptServer(chosen: readonly Scenario[], prefix = ''): Promise<TranscriptServer> {
  const steps = chosen.flatMap((scenario) =>
    scenario.steps.map(({ title, request, response }) => ({ scenario: scenario.name, step: title, request, response })),
  );
  let next = 0;
  const takeAnswer = () => {
    const place = steps[next++];
    if (!place) throw new Error('more requests than steps');
    return served.alter(makeAnswer(place.response, served.baseUrl), place);
  };
  const server = http.createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => {
      if (!incoming.url?.startsWith(prefix)) throw new Error(`${incoming.url} is not under ${prefix}`);
      served.asked.push(incoming.headers.authorization ?? '');
      const answer = takeAnswer();
      if (!answer) return incoming.socket.destroy();
      outgoing.sendDate = false;
      return outgoing.writeHead(answer.status, answer.headers.flat()).end(answer.body);
    });
  });
  // Node's parser refuses methods it does not know; the recorded system answers them.
  server.on('clientError', (_error: Error, socket: net.Socket) => {
    const answer = takeAnswer();
    const lines = answer?.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.end(!answer ? '' : `HTTP/1.1 ${answer.status} -\r\n${lines}Connection: close\r\n\r\n${answer.body}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const served: TranscriptServer = {
    baseUrl: `http://127.0.0.1:${getPort(server)}${prefix}`,
    asked: [],
    alter: (answer) => answer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return served;
}

export function getPort(server: net.Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen on a port');
  return address.port;
}

function makeAnswer(response: TranscriptResponse, baseUrl: string): Answer {
  const fill = (text: string) => fillBaseUrl(text, baseUrl);
  const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [name, fill(value)]);
  return { status: response.status, headers, body: makeBody(response, fill) };
}

function makeBody(response: TranscriptResponse, fill: (text: string) => string): string {
  if (response.html) return '<!DOCTYPE html>\n<html><title>A page</title></html>\n';
  if (response.text !== undefined) return fill(response.text);
  return response.body === null ? '' : JSON.stringify(mapStrings(response.body, fill));
}
