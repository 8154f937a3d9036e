// One operation on the page: its parameters, its responses, and a form to try it.
import { html, type Html } from '../../pages/html.ts';
import { renderJson } from '../../pages/json.ts';
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import type { OperationObject } from '../describe-operation.ts';
import type { OpenApiDocument } from '../document.ts';
import type { JsonSchema } from '../schemas.ts';

type Example = OpenApi.ExampleObject;
type Parameter = OpenApi.ParameterObject;
type Reference = OpenApi.ReferenceObject;
type Response = OpenApi.ResponseObject;
import { fieldsOf, renderFields } from './docs-fields.ts';
import { prose } from './docs-prose.ts';

export interface ShownOperation {
  readonly document: OpenApiDocument;
  readonly base: string;
  readonly path: string;
  readonly method: string;
  readonly operation: OperationObject;
}

const noLinks = () => undefined;

export function renderOperation(shown: ShownOperation): Html {
  const { document, base, path, method, operation } = shown;
  const { operationId: id, summary, description } = operation;
  const parameters = operation.parameters.map((parameter) => resolveParameter(document, parameter));
  return html`<article class="operation" id="${id}" aria-labelledby="${id}-title">
    <h3 id="${id}-title">${summary}</h3>
    <pre class="block request"><code><span class="method">${method.toUpperCase()}</span> ${base}${path}</code></pre>
    ${description === undefined ? undefined : prose(description)} ${renderTaken(shown, parameters)}
    <details>
      <summary aria-label="Responses: ${summary}">Responses</summary>
      ${Object.entries(operation.responses)
        .toSorted(([a], [b]) => Number(a) - Number(b))
        .map(([status, response]) => renderResponse(document, status, resolveResponse(document, response)))}
    </details>
    ${renderTry(shown, parameters)}
  </article>`;
}

function renderTaken({ document, operation }: ShownOperation, parameters: readonly Parameter[]): Html | undefined {
  const { requestBody, summary } = operation;
  const body = requestBody?.content['application/json']?.schema;
  if (parameters.length === 0 && body === undefined) return undefined;
  const [inHeaders, inUrl] = [true, false].map((wanted) =>
    parameters.filter((parameter) => (parameter.in === 'header') === wanted),
  ) as [Parameter[], Parameter[]];
  return html`<details>
    <summary aria-label="Parameters: ${summary}">Parameters</summary>
    ${renderFields(document, 'In the path and the query', inUrl.map(fieldOf))}
    ${
      body === undefined
        ? undefined
        : html`${renderFields(document, 'In the body', fieldsOf(document, body))}
            <p class="hint">The body: ${Object.keys(requestBody?.content ?? {}).join(', ')}.</p>`
    }
    ${renderFields(document, 'In the headers', inHeaders.map(fieldOf))}
  </details>`;
}

const fieldOf = ({ name, required = false, schema = {}, description }: Parameter) => ({
  name,
  required,
  schema: schema as JsonSchema,
  description,
});

function resolveParameter(document: OpenApiDocument, parameter: Parameter | Reference): Parameter {
  if (!('$ref' in parameter)) return parameter;
  return document.components.parameters[parameter.$ref.split('/').at(-1) as string] as Parameter;
}

const resolveResponse = (document: OpenApiDocument, response: Response | Reference): Response =>
  '$ref' in response
    ? (document.components.responses[response.$ref.split('/').at(-1) as string] as Response)
    : response;

function renderResponse(document: OpenApiDocument, status: string, response: Response): Html {
  const json = response.content?.['application/json'];
  const fields =
    Number(status) < 400 && json?.schema !== undefined ? fieldsOf(document, json.schema as JsonSchema) : [];
  const single = json?.example === undefined ? [] : [['', { value: json.example }] as const];
  const several = Object.entries(json?.examples ?? {}).map(
    ([name, example]) => [name, resolveExample(document, name, example)] as const,
  );
  return html`<section class="possible">
    <h4>${status} ${response.description}</h4>
    ${renderFields(document, 'Fields', fields)} ${json === undefined ? html`<p class="hint">No body.</p>` : undefined}
    ${[...single, ...several].map(
      ([name, { value }]) =>
        html`<pre
          class="block"
          tabindex="0"
          role="group"
          aria-label="Example ${name}"
        ><code>${renderJson(value, noLinks)}</code></pre>`,
    )}
  </section>`;
}

function resolveExample(document: OpenApiDocument, name: string, example: Example | Reference): Example {
  return '$ref' in example ? (document.components.examples[name] as Example) : example;
}

// Hidden unless the script runs, which sends it.
function renderTry({ base, path, method, operation }: ShownOperation, parameters: readonly Parameter[]): Html {
  const { operationId: id, requestBody, summary } = operation;
  const example = requestBody?.content['application/json']?.example ?? {};
  return html`<details class="needs-script">
    <summary aria-label="Try it: ${summary}">Try it</summary>
    <form class="try" data-method="${method.toUpperCase()}" data-path="${base}${path}">
      ${parameters.map(
        (parameter) =>
          html`<label for="${id}-${parameter.name}"><code>${parameter.name}</code></label>
            <input
              id="${id}-${parameter.name}"
              name="${parameter.name}"
              data-in="${parameter.in}"
              autocomplete="off"
              spellcheck="false"
              ${parameter.required ? html`required` : undefined}
            />`,
      )}
      ${
        requestBody === undefined
          ? undefined
          : html`<label for="${id}-body">Body, as JSON</label>
              <textarea id="${id}-body" data-in="body" rows="8" spellcheck="false">
${JSON.stringify(example, null, 2)}</textarea>`
      }
      <button>Send ${method.toUpperCase()}</button>
      <output class="answer" for="${id}" aria-live="polite"></output>
    </form>
  </details>`;
}
