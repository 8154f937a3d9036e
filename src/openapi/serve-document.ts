// Serves a document and its page: …/schema/ as JSON or YAML, …/docs/ with the page's own stylesheet and script.
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { stringify } from 'yaml';
import { apiError } from '../errors.ts';
import { plainJson } from '../api/wire/negotiate.ts';
import type { KnownPath } from '../api/paths.ts';
import { type Replier, understudyHeader } from '../api/send.ts';
import { defaultSandbox } from '../access/which-sandbox.ts';
import { mirrors } from '../version.ts';
import { servedUnder } from './document.ts';
import { chooseForm } from './forms.ts';
import { documentPageHeaders, renderDocumentPage } from './page/docs-page.ts';
import type { OpenApiDocument } from './types.ts';

export interface DocumentRoutes {
  /** The folder of `schema/` and `docs/`, such as `/api`. */
  readonly at: string;
  readonly document: OpenApiDocument;
  readonly replier: Replier;
  /** Throws where the one who asks may not read it. */
  readonly gate?: (request: FastifyRequest) => void;
  /** Users with public tokens. */
  readonly samples: readonly { readonly username: string; readonly token?: string }[];
}

const fileOf = (name: string) => readFileSync(new URL(`page/${name}`, import.meta.url));
const files = { 'docs.css': fileOf('docs.css'), 'try.js': fileOf('try.js') };
const types = { 'docs.css': 'text/css; charset=utf-8', 'try.js': 'text/javascript; charset=utf-8' };
const allow = 'GET, HEAD, OPTIONS';

/** For the table of paths: they have hints as all have. */
export const documentPaths = (at: string): KnownPath[] => [
  { pattern: `${at}/schema/`, description: { name: 'Schema', description: 'The document of the API.' } },
  { pattern: `${at}/docs/`, description: { name: 'Docs', description: 'The document of the API, to read.' } },
];

type Handler = (request: FastifyRequest, reply: FastifyReply) => void;

export function registerDocument(app: FastifyInstance, { at, document, replier, gate, samples }: DocumentRoutes): void {
  const asText = keepMade((base, form) => {
    const served = servedUnder(document, base);
    if (form === 'html') return renderDocumentPage({ document: served, mirrors, home: homeOf(base), base, samples });
    return form === 'yaml' ? stringify(served, { aliasDuplicateObjects: false }) : `${JSON.stringify(served)}\n`;
  });

  add('schema/', (request, reply) => {
    const { form, contentType } = chooseForm((request.query as { format?: string }).format, request.headers.accept);
    const { base, sandbox } = placeOf(request);
    send(reply, contentType, asText(base, form), sandboxHeader(sandbox));
  });
  add('docs/', (request, reply) => {
    const { base, sandbox } = placeOf(request);
    send(reply, 'text/html; charset=utf-8', asText(base, 'html'), {
      ...documentPageHeaders,
      ...sandboxHeader(sandbox),
    });
  });
  for (const name of ['docs.css', 'try.js'] as const)
    add(`docs/${name}`, (_request, reply) =>
      send(reply, types[name], files[name], { 'x-content-type-options': 'nosniff' }),
    );

  function add(path: string, handler: Handler): void {
    const url = `${at}/${path}`;
    const config = { allow };
    const guarded: Handler = (request, reply) => {
      try {
        gate?.(request);
        handler(request, reply);
      } catch (error) {
        replier.sendError(request, reply, plainJson, error);
      }
    };
    app.route({ method: ['GET', 'HEAD'], url, config, handler: guarded });
    app.route({
      method: app.supportedMethods.filter((method) => method !== 'GET' && method !== 'HEAD'),
      url,
      config,
      handler: (request, reply) => {
        if (request.method === 'OPTIONS') replier.send(request, reply, plainJson, { status: 204, json: null });
        else replier.sendError(request, reply, plainJson, apiError('method_not_allowed', request.method));
      },
    });
  }

  /** What stands before the document's paths where the request came, empty or a sandbox's or a proxy's prefix. */
  function placeOf(request: FastifyRequest): { base: string; sandbox: string } {
    const { baseUrl, sandbox } = replier.call(request, null);
    return { base: new URL(baseUrl).pathname.replace(/\/$/, ''), sandbox };
  }
}

// As bytes: to a string Fastify would add a charset.
function send(reply: FastifyReply, contentType: string, body: string | Buffer, headers: Record<string, string>): void {
  reply
    .headers({ ...headers, 'content-type': contentType, vary: 'Accept', 'x-understudy': understudyHeader })
    .send(typeof body === 'string' ? Buffer.from(body) : body);
}

// A sandbox is a world of its own: its pages lead to its root.
const homeOf = (base: string): string => (base.includes('/sandboxes/') ? `${base}/api/` : `${base}/`);

const sandboxHeader = (sandbox: string): Record<string, string> =>
  sandbox === defaultSandbox ? {} : { 'x-understudy-sandbox': sandbox };

type Make = (base: string, form: 'json' | 'yaml' | 'html') => string;

// A name that no sandbox has and no document holds.
const anySandbox = 'sandbox-0f8fad5bd9cb469fa165708678282f1b';
// One for each form and each base of the configuration; a proxy may name more.
const mostKept = 20;

/** A text takes up to fifty milliseconds. The client may name any sandbox, so it is made once for all of them: only the name differs. */
export function keepMade(make: Make): Make {
  const made = new Map<string, string>();
  return (base, form) => {
    const [, before, name] = /^(.*\/sandboxes\/)([^/]+)$/.exec(base) ?? [];
    const madeFor = name === undefined ? base : before + anySandbox;
    const key = `${form} ${madeFor}`;
    const text = made.get(key) ?? make(madeFor, form);
    made.set(key, text);
    if (made.size > mostKept) made.delete(made.keys().next().value as string);
    return name === undefined ? text : text.replaceAll(anySandbox, name);
  };
}
