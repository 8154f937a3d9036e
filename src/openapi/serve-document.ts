// A document as operations: …/schema/ as JSON or YAML, …/docs/ as a page.
import { stringify } from 'yaml';
import { type Answer, type Call, checkSandboxName } from '../api/call.ts';
import type { Operation, Resource } from '../api/operation.ts';
import { type OpenApiDocument, servedUnder } from './document.ts';
import { chooseForm } from './forms.ts';
import { mapValues } from './schemas.ts';
import { pageHeaders } from '../pages/frame/page-headers.ts';
import { type Reader, renderDocumentation } from './page/documentation.ts';

interface DocumentOptions {
  /** The folder of `schema/` and `docs/`, such as `/api`. */
  readonly at: string;
  /** Called at the first request of it. */
  readonly describe: () => OpenApiDocument;
}

/** To be registered beside the operations that the document describes; it doesn't describe these. */
export function serveDocument({ at, describe }: DocumentOptions) {
  let document: OpenApiDocument | undefined;
  const described = (): OpenApiDocument => (document ??= describe());
  const made = keepMade((base, form) => {
    const served = servedUnder(described(), base);
    if (form === 'page') return JSON.stringify(withoutHeadAndOptions(served));
    return form === 'yaml' ? stringify(served, { aliasDuplicateObjects: false }) : `${JSON.stringify(served)}\n`;
  });
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
  const resourceOf = (...operations: Operation<unknown>[]): Resource<unknown> => ({
    tag: 'Document',
    description: 'The document itself, which no document describes.',
    operations,
  });

  const schema = get('schema/', 'Schema', (call) => {
    const { form, contentType } = chooseForm(call.query.format, call.accept);
    return answer(contentType, made(baseOf(call), form));
  });
  const page = (reader: Reader) => ({
    content: renderDocumentation(described(), made(baseOf(reader), 'page'), reader),
    headers: { ...pageHeaders, 'content-type': 'text/html; charset=utf-8' },
  });
  const docs = get('docs/', 'Docs', (call) => ({ status: 200, json: null, ...page(call) }));
  return { schema: resourceOf(schema), schemaAndPage: resourceOf(schema, docs), page };
}

const answer = (type: string, content: string): Answer => ({
  status: 200,
  json: null,
  content,
  headers: { 'content-type': type },
});

/** What stands before the document's paths where the request came: empty, or a sandbox's or a proxy's prefix. */
const baseOf = ({ baseUrl }: Pick<Call, 'baseUrl'>): string => new URL(baseUrl).pathname.replace(/\/$/, '');

// They are half of the operations and the same on every path, so that the page's first lines suffice. The library goes
// through all operations whenever one is opened.
const withoutHeadAndOptions = (document: OpenApiDocument): OpenApiDocument => ({
  ...document,
  paths: mapValues(document.paths, ({ head: _head, options: _options, ...operations }) => operations),
});

type Make = (base: string, form: 'json' | 'yaml' | 'page') => string;

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
