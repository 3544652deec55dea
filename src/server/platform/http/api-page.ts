import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { packageRoot } from '../package-root.ts';
import type { Variables } from './http.ts';
import type { ApiDescription, JsonSchema, Operation } from './openapi.ts';

type Html = ReturnType<typeof html>;
type Entry = { path: string; method: string; operation: Operation };

const gates: Record<string, string> = {
  public: 'Anyone',
  signedIn: 'Signed in',
  customer: 'Customers',
  coach: 'Coaches',
  admin: 'Admins',
};

/** Serves the API description as a readable page at `/api`: plain HTML with its own style sheet. */
export function serveApiPage(
  app: Hono<{ Variables: Variables }>,
  describe: () => Promise<ApiDescription>,
): void {
  let shown: { description: ApiDescription; page: Html } | undefined;
  const style = readFile(join(packageRoot, 'src', 'server', 'platform', 'http', 'api-page.css'), 'utf8');
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

function showPage({ info, paths, components }: ApiDescription): Html {
  const groups = new Map<string, Entry[]>();
  for (const [path, operations] of Object.entries(paths)) {
    const group = (path.startsWith('/auth/') ? 'auth' : path.split('/')[2]) ?? '';
    const entries = Object.entries(operations).map(([method, operation]) => ({ path, method, operation }));
    groups.set(group, [...(groups.get(group) ?? []), ...entries]);
  }
  const sorted = [...groups].sort(([a], [b]) => a.localeCompare(b));
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
      <p class="lead">
        ${info.description} Send JSON, and the access token of a sign-in as <code>Authorization: Bearer …</code>.
        The same as <a href="/api/openapi.json">OpenAPI 3.1</a>.
      </p>
    </header>
    <nav aria-label="Groups of calls">
      <ul>
        ${sorted.map(([group, entries]) => html`<li><a href="#${group}">${nameGroup(group)}</a> <span>${entries.length}</span></li>`)}
      </ul>
    </nav>
    <main id="calls">
      ${sorted.map(
        ([group, entries]) => html`
          <section aria-labelledby="${group}">
            <h2 id="${group}">${nameGroup(group)}</h2>
            ${entries.map(showOperation)}
          </section>`,
      )}
      <section aria-labelledby="refusals">
        <h2 id="refusals">Every refusal</h2>
        <p>
          A refused call changes nothing. <code>message</code> is a sentence for the person, <code>fields</code>
          says what is wrong at which field, and <code>requestId</code> finds the call in the log.
        </p>
        ${showFields(components.schemas.Error ?? {})}
      </section>
    </main>
  </body>
</html>`;
}

const nameGroup = (group: string) => group.charAt(0).toUpperCase() + group.slice(1).replaceAll('-', ' ');

function showOperation({ path, method, operation }: Entry): Html {
  const { operationId, summary, parameters = [], requestBody, responses } = operation;
  const { 200: done, ...refusals } = responses;
  const body = requestBody?.content['application/json'].schema;
  const answer = done?.content?.['application/json'].schema ?? {};
  return html`
    <article id="${operationId}" aria-labelledby="${operationId}-name">
      <h3 id="${operationId}-name">
        <span class="method">${method.toUpperCase()}</span>
        <code>${path.split('/').map((part, i) => (i === 0 ? '' : html`/<wbr>${part}`))}</code>
      </h3>
      <p>${summary}</p>
      <p class="facts">
        <span class="gate">${gates[operation['x-gate']] ?? operation['x-gate']}</span>
        <a href="#${operationId}"><code>${operationId}</code></a>
      </p>
      <details>
        <summary>Input, answer and refusals<span class="hidden"> of ${operationId}</span></summary>
        ${parameters.length > 0 ? html`<h4>Parameters</h4>${showParameters(operation)}` : ''}
        ${body ? html`<h4>Body</h4>${showFields(body)}` : ''}
        ${parameters.length === 0 && !body ? html`<p class="none">It takes no input.</p>` : ''}
        <h4>Answer</h4>
        ${showFields(answer)}
        <h4>Refusals</h4>
        <dl class="refusals">
          ${Object.entries(refusals).map(
            ([status, { description }]) =>
              html`<div><dt>${status === 'default' ? 'Other' : status}</dt><dd>${description}</dd></div>`,
          )}
        </dl>
      </details>
    </article>`;
}

function showParameters({ parameters = [] }: Operation): Html {
  return html`<ul class="fields">
    ${parameters.map(({ name, in: location, required, schema }) =>
      showField(name, schema, [
        location === 'path' ? 'in the address' : '',
        required || 'default' in schema ? '' : 'optional',
      ]),
    )}
  </ul>`;
}

/** The fields of an object, or of each of its alternatives. */
function showFields(schema: JsonSchema): Html {
  if (schema.oneOf) {
    return html`${schema.oneOf.map((choice, i) => html`${i > 0 ? html`<p class="or">or</p>` : ''}${showFields(choice)}`)}`;
  }
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) return html`<p class="none">An empty object.</p>`;
  return html`<ul class="fields">
    ${fields.map(([name, field]) => showField(name, field, [isOptional(schema, name) ? 'optional' : '']))}
  </ul>`;
}

// A field with a default says so already.
const isOptional = ({ required, properties }: JsonSchema, name: string) =>
  !required?.includes(name) && !('default' in (properties?.[name] ?? {}));

function showField(name: string, schema: JsonSchema, notes: string[]): Html {
  const inner = innerOf(schema);
  const said = [nameKind(schema), ...notes.filter(Boolean)].join(', ');
  return html`<li><code>${name}</code> <span>${said}</span>${inner ? showFields(inner) : ''}</li>`;
}

/** The object in a field: alone, in a list, or unless it is null. */
function innerOf(schema: JsonSchema): JsonSchema | null {
  if (schema.properties) return schema;
  const parts = schema.items ? [schema.items] : (schema.anyOf ?? []);
  return parts.map(innerOf).find((part) => part !== null) ?? null;
}

const formats: Record<string, string> = { uuid: 'id', date: 'date', 'date-time': 'instant', email: 'email' };
const kinds: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
  null: 'null',
};

/** Describes a field's value: "whole number from 1 to 50, else 20", where 20 is the default. */
function nameKind(schema: JsonSchema): string {
  const otherwise = 'default' in schema ? `, else ${nameDefault(schema.default)}` : '';
  const choices =
    schema.anyOf ??
    schema.oneOf ??
    (Array.isArray(schema.type) ? schema.type.map((type) => ({ type })) : null);
  if (choices) return choices.map(nameKind).join(' or ') + otherwise;
  if (schema.type === 'array') {
    const holds = schema.items && !innerOf(schema.items) ? `list, each ${nameKind(schema.items)}` : 'list';
    return holds + otherwise;
  }
  if (schema.enum) return `${schema.enum.join(', ').replace(/, (?=[^,]*$)/, ' or ')}${otherwise}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const kind = formats[schema.format ?? ''] ?? kinds[String(schema.type)] ?? schema.type ?? 'anything';
  return `${kind}${nameRange(schema)}${otherwise}`;
}

const nameDefault = (value: unknown) =>
  value === '' || (Array.isArray(value) && value.length === 0) ? 'empty' : String(value);

function nameRange({ minimum, maximum, maxLength }: JsonSchema): string {
  if (typeof maxLength === 'number') return ` of at most ${maxLength} characters`;
  const isBound = (value: unknown) => typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  if (isBound(minimum) && isBound(maximum)) return ` from ${minimum} to ${maximum}`;
  return isBound(minimum) ? ` of at least ${minimum}` : '';
}
