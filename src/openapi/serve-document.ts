// A document and its page as operations: …/schema/ as JSON or YAML, …/docs/ with the page's own stylesheet and script.
import { readFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { type Answer, type Call, checkSandboxName } from '../api/call.ts';
import type { Operation, Resource } from '../api/operation.ts';
import { plainFile } from '../files.ts';
import { type OpenApiDocument, servedUnder } from './document.ts';
import { chooseForm } from './forms.ts';
import { pageHeaders } from '../pages/frame/page-headers.ts';
import { renderDocumentPage } from './page/docs-page.ts';

const files = [
  ['docs.css', 'text/css; charset=utf-8', readFileSync(plainFile('openapi/page/docs.css'))],
  ['try.js', 'text/javascript; charset=utf-8', readFileSync(plainFile('openapi/page/try.js'))],
] as const;

interface DocumentOptions {
  /** The folder of `schema/` and `docs/`, such as `/api`. */
  readonly at: string;
  /** Called at the first request of it. */
  readonly describe: () => OpenApiDocument;
  /** Users with public tokens. */
  readonly samples: readonly { readonly username: string; readonly token?: string }[];
}

/** To be registered beside the operations that the document describes; it doesn't describe these. */
export function documentResource({ at, describe, samples }: DocumentOptions): Resource<unknown> {
  let document: OpenApiDocument | undefined;
  const made = keepMade((base, form) => {
    const served = servedUnder((document ??= describe()), base);
    return form === 'yaml' ? stringify(served, { aliasDuplicateObjects: false }) : `${JSON.stringify(served)}\n`;
  });
  const renderPageFor = (call: Call): string => {
    const base = baseOf(call);
    const served = servedUnder((document ??= describe()), base);
    return renderDocumentPage({ document: served, call, base, samples });
  };
  const get = (
    path: string,
    summary: string,
    handler: (call: Call<unknown, { format?: string }>) => Answer,
  ): Operation<unknown> => ({
    method: 'GET',
    url: `${at}/${path}`,
    schema: { response: {} },
    config: { id: path, summary, access: 'admin', view: { name: summary, description: 'The document of the API.' } },
    handler: async (call) => {
      checkSandboxName(call);
      return handler(call);
    },
  });

  return {
    tag: 'Document',
    description: 'The document itself, which no document describes.',
    operations: [
      get('schema/', 'Schema', (call) => {
        const { form, contentType } = chooseForm(call.query.format, call.accept);
        return answer(contentType, made(baseOf(call), form));
      }),
      get('docs/', 'Docs', (call) => answer('text/html; charset=utf-8', renderPageFor(call), pageHeaders)),
      ...files.map(([name, type, bytes]) =>
        get(`docs/${name}`, name, () => answer(type, bytes, { 'x-content-type-options': 'nosniff' })),
      ),
    ],
  };
}

const answer = (type: string, content: string | Buffer, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 200,
  json: null,
  content,
  headers: { ...headers, 'content-type': type },
});

/** What stands before the document's paths where the request came: empty, or a sandbox's or a proxy's prefix. */
const baseOf = ({ baseUrl }: Call): string => new URL(baseUrl).pathname.replace(/\/$/, '');

type Make = (base: string, form: 'json' | 'yaml') => string;

// A name that no sandbox has and no document holds.
const anySandbox = 'sandbox-0f8fad5bd9cb469fa165708678282f1b';
// One for each form and each base of the configuration; a proxy may name more.
const mostKept = 20;

/**
 * A text takes up to fifty milliseconds. The client may name any sandbox, so it is made once for all of them: only the
 * name differs.
 */
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
