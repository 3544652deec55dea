import { html } from 'hono/html';
import type { Parameter } from './describe-api.ts';
import type { JsonSchema } from './json-schema.ts';

export type Html = ReturnType<typeof html>;

/** Renders a text as HTML. Supports the Markdown that our texts use: paragraphs, headings, numbered lists and code. */
export function showMarkdown(text: string): Html {
  return html`${text.split('\n\n').map((block) => {
    if (block.startsWith('## ')) return html`<h2>${block.slice(3)}</h2>`;
    const lines = block.split(/\n(?=\d+\. )/);
    if (!/^\d+\. /.test(block)) return html`<p>${showCode(block)}</p>`;
    return html`<ol>${lines.map((line) => html`<li>${showCode(line.replace(/^\d+\. /, ''))}</li>`)}</ol>`;
  })}`;
}

const showCode = (text: string) =>
  text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part));

/** Renders the parameters of a call as a list. */
export function showParameters(parameters: Parameter[]): Html {
  return html`<ul class="fields">
    ${parameters.map(({ name, in: location, required, description, schema }) =>
      showField(name, { ...schema, description }, [
        location === 'path' ? 'in the path' : '',
        required || 'default' in schema ? '' : 'optional',
      ]),
    )}
  </ul>`;
}

/** Renders the fields of an object, or of each of its alternatives, as a list; any other value as a phrase. */
export function showFields(schema: JsonSchema): Html {
  const choices = schema.oneOf ?? (schema.properties ? undefined : schema.anyOf);
  if (choices) {
    return html`${choices.map((choice, i) => html`${i > 0 ? html`<p class="or">or</p>` : ''}${showFields(choice)}`)}`;
  }
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length > 0) {
    return html`<ul class="fields">
      ${fields.map(([name, field]) => showField(name, field, [isOptional(schema, name) ? 'optional' : '']))}
    </ul>`;
  }
  if (schema.type === 'object') return html`<p class="none">${schema.description ?? 'An empty object.'}</p>`;
  return html`<p class="none">${showKind(schema)}</p>`;
}

// The default of a field already shows that the field is optional.
const isOptional = ({ required, properties }: JsonSchema, name: string) =>
  !required?.includes(name) && !('default' in (properties?.[name] ?? {}));

function showField(name: string, schema: JsonSchema, notes: string[]): Html {
  const inner = innerOf(schema);
  const said = notes.filter(Boolean).map((note) => `, ${note}`);
  const text = schema.description ? html`<div>${showCode(schema.description)}</div>` : '';
  return html`<li><code>${name}</code> <span>${showKind(schema)}${said}</span>${text}${inner ? showFields(inner) : ''}</li>`;
}

/**
 * The unnamed object schema in a field: alone, in a list, or nullable. A named schema has its own section on the page.
 */
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

/** Renders a field's type as a phrase: "whole number from 1 to 50, default 20". */
function showKind(schema: JsonSchema): Html {
  const otherwise = 'default' in schema ? `, default ${nameDefault(schema.default)}` : '';
  const types = Array.isArray(schema.type) ? schema.type.map((type) => ({ type })) : undefined;
  const choices = schema.anyOf ?? schema.oneOf ?? types;
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1);
    return html`<a href="#schema-${name}">${name}</a>${otherwise}`;
  }
  if (choices)
    return html`${choices.map((choice, i) => html`${i > 0 ? ' or ' : ''}${showKind(choice)}`)}${otherwise}`;
  if (schema.type === 'array') {
    const isPlain = schema.items && !innerOf(schema.items);
    return html`list${isPlain ? html`, each ${showKind(schema.items!)}` : ''}${otherwise}`;
  }
  if (schema.enum) return html`${schema.enum.join(', ').replace(/, (?=[^,]*$)/, ' or ')}${otherwise}`;
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`;
  const kind = formats[schema.format ?? ''] ?? kinds[String(schema.type)] ?? schema.type ?? 'anything';
  return html`${kind}${nameRange(schema)}${otherwise}`;
}

const nameDefault = (value: unknown) =>
  value === '' || (Array.isArray(value) && value.length === 0) ? 'empty' : String(value);

function nameRange({ minimum, maximum, maxLength }: JsonSchema): string {
  if (typeof maxLength === 'number') return ` of at most ${maxLength} characters`;
  if (typeof minimum === 'number' && typeof maximum === 'number') return ` from ${minimum} to ${maximum}`;
  return typeof minimum === 'number' ? ` of at least ${minimum}` : '';
}
