import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { Variables } from '../http/http.ts';
import { packageRoot } from '../package-root.ts';
import { type Html, showFields, showMarkdown, showParameters } from './api-fields.ts';
import type { ApiDescription, Operation } from './describe-api.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Response } from './refusals.ts';

type Entry = { path: string; method: string; operation: Operation };

/** Serves the API description as a readable page at `/api`: plain HTML with its own style sheet. */
export function serveApiPage(
  app: Hono<{ Variables: Variables }>,
  describe: () => Promise<ApiDescription>,
): void {
  let shown: { description: ApiDescription; page: Html } | undefined;
  const style = readFile(join(packageRoot, 'src', 'server', 'platform', 'openapi', 'api-page.css'), 'utf8');
  app.get('/api', async (c) => {
    c.header('cache-control', 'no-cache');
    const description = await describe();
    if (shown?.description !== description) shown = { description, page: showPage(description) };
    return c.html(shown.page);
  });
  app.get('/api/page.css', async (c) =>
    c.body(await style, 200, { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-cache' }),
  );
}

function showPage(document: ApiDescription): Html {
  const { info, paths, components, tags } = document;
  const entries = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): Entry => ({ path, method, operation })),
  );
  const areas = tags.map(({ name, description }) => ({
    name,
    description,
    id: name.toLowerCase().replaceAll(' ', '-'),
    calls: entries.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const shared = Object.entries(components.schemas).filter(([name]) => !isOfOneCall(name));
  return html`<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${info.title}</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/api/page.css">
    <script src="/early.js"></script>
  </head>
  <body>
    <a class="skip" href="#calls">Skip to the calls</a>
    <header>
      <p><a href="/">${info.title.replace(/ API$/, '')}</a></p>
      <h1>${info.title}</h1>
      <p class="lead">For programs: <a href="/api/openapi.json">/api/openapi.json</a> (OpenAPI 3.1).</p>
    </header>
    <nav aria-label="Groups of calls">
      <ul>
        ${areas.map(({ name, id, calls }) => html`<li><a href="#${id}">${name}</a> <span>${calls.length}</span></li>`)}
        <li><a href="#schemas">Schemas</a> <span>${shared.length}</span></li>
      </ul>
    </nav>
    <main id="calls">
      <section aria-label="Introduction">${showMarkdown(info.description)}</section>
      ${areas.map(
        ({ name, description, id, calls }) => html`
          <section aria-labelledby="${id}">
            <h2 id="${id}">${name}</h2>
            <p>${description}</p>
            ${calls.map((entry) => showOperation(entry, document))}
          </section>`,
      )}
      <section aria-labelledby="schemas">
        <h2 id="schemas">Schemas</h2>
        ${shared.map(([name, schema]) => showSchema(name, schema))}
      </section>
    </main>
  </body>
</html>`;
}

/** Whether a named schema is shown with its call: the body or response of a single call, or the shared empty response. */
const isOfOneCall = (name: string) => /(Request|Response)$/.test(name) || name === 'Nothing';

function showSchema(name: string, schema: JsonSchema): Html {
  return html`
    <article id="schema-${name}" aria-labelledby="schema-${name}-name">
      <h3 id="schema-${name}-name"><code>${name}</code></h3>
      ${schema.description ? html`<p>${schema.description}</p>` : ''}
      ${showFields(schema)}
    </article>`;
}

function showOperation({ path, method, operation }: Entry, { components }: ApiDescription): Html {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const resolve = (schema: JsonSchema) => {
    const name = schema.$ref?.split('/').at(-1) ?? '';
    return isOfOneCall(name) ? (components.schemas[name] ?? schema) : schema;
  };
  const body = requestBody?.content['application/json'].schema;
  const { 200: done, ...others } = responses as Record<string, Response>;
  const answer = done?.content?.['application/json'].schema;
  return html`
    <article id="${operationId}" aria-labelledby="${operationId}-name">
      <h3 id="${operationId}-name">
        <span class="method">${method.toUpperCase()}</span>
        <code>${path.split('/').map((part, i) => (i === 0 ? '' : html`/<wbr>${part}`))}</code>
      </h3>
      <p><strong>${summary}</strong></p>
      ${showMarkdown(description)}
      <p class="facts"><a href="#${operationId}"><code>${operationId}</code></a></p>
      <details>
        <summary>Input, response and refusals<span class="hidden"> of ${operationId}</span></summary>
        ${parameters.length > 0 ? html`<h4>Parameters</h4>${showParameters(parameters)}` : ''}
        ${body ? html`<h4>Body</h4>${showFields(resolve(body))}` : ''}
        ${parameters.length === 0 && !body ? html`<p class="none">This call takes no input.</p>` : ''}
        ${answer ? html`<h4>Response</h4>${showFields(resolve(answer))}` : ''}
        <h4>${answer ? 'Refusals' : 'Response and refusals'}</h4>
        <dl class="refusals">
          ${Object.entries(others).map(([status, response]) => {
            const { description } = inComponents(response, components);
            return html`<div><dt>${status === 'default' ? 'Other' : status}</dt><dd>${showMarkdown(description)}</dd></div>`;
          })}
        </dl>
      </details>
    </article>`;
}

const inComponents = (
  response: Response | { $ref: string },
  { responses }: ApiDescription['components'],
): Response => ('$ref' in response ? responses[response.$ref.split('/').at(-1) as string]! : response);
