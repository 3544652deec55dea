import type { z } from 'zod';
import type { Gate } from './access.ts';
import type { ErrorCode } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One call of the API, declared in a `contract.ts` or, for another entity or caller, in a `…-contract.ts` beside it. A
 * line in src/server/<area>/routes.ts serves the call, and src/server/api-areas.ts lists its contract. If either is
 * missing, the server does not start and says which. `path` has `:names` that are filled from the input. The rest of
 * the input is sent in the query string for GET and DELETE, otherwise in a JSON body. `operationId` is the call's
 * public name: the name of the procedure in the specification, if the specification has one.
 */
export type Endpoint<
  In extends z.ZodType = z.ZodType,
  Out extends z.ZodType = z.ZodType,
  G extends Gate = Gate,
> = {
  method: Method;
  path: `/api/${string}`;
  operationId: string;
  gate: G;
  input: In;
  output: Out;
  /** The call's title in a list: a verb and its object, such as "Book a lesson". */
  summary: string;
  /** Sentences about the call's effect, the order of a list and the side effects. */
  description: string;
  /**
   * The error codes with which this call is refused, except those that `listRefusals` in src/server/platform/openapi
   * derives from the other fields. Server tests fail for a code missing from this list.
   */
  refusals?: readonly ErrorCode[];
  /**
   * The specification's names for fields of this input and output, keyed by our names. Calls accept either name and
   * return both.
   */
  wireNames?: Readonly<Record<string, string>>;
  /**
   * Whether the caller must have proved their identity in the last 15 minutes, by password or authenticator app. A
   * function decides by the input. Without this proof, the call is refused with `confirmation_required`. Every admin
   * call other than a GET must set this field.
   */
  reauthenticate?: boolean | Predicate<z.output<In>>;
};

// Declared as a method, so that an endpoint with any input is assignable to `Endpoint`.
type Predicate<Input> = { of(input: Input): boolean }['of'];

/** Returns the declaration unchanged, with its literal types. */
export function endpoint<In extends z.ZodType, Out extends z.ZodType, const G extends Gate>(
  declaration: Endpoint<In, Out, G>,
): Endpoint<In, Out, G> {
  return declaration;
}

export type InputOf<E extends Endpoint> = z.input<E['input']>;
export type ParsedInputOf<E extends Endpoint> = z.output<E['input']>;
export type OutputOf<E extends Endpoint> = z.output<E['output']>;

/** Renames an input's fields to the contract's names. The caller may have used either name. */
export function fromWire({ wireNames = {} }: Pick<Endpoint, 'wireNames'>, given: Record<string, unknown>) {
  const input = { ...given };
  for (const [name, wireName] of Object.entries(wireNames)) {
    if (!Object.hasOwn(given, wireName)) continue;
    input[name] = given[wireName];
    delete input[wireName];
  }
  return input;
}

/** Adds the specification's names to an output, in addition to the contract's names. */
export function toWire({ wireNames = {} }: Pick<Endpoint, 'wireNames'>, output: object): object {
  const named = Object.entries(wireNames).flatMap(([name, wireName]) =>
    Object.hasOwn(output, name) ? [[wireName, output[name as keyof typeof output]]] : [],
  );
  return named.length > 0 ? { ...Object.fromEntries(named), ...output } : output;
}

/** True if a call's input is sent as a JSON body; otherwise it is sent in the query string. */
export const hasBody = ({ method }: Pick<Endpoint, 'method'>): boolean =>
  method !== 'GET' && method !== 'DELETE';

/**
 * The request of a call: its path, and either the fields of its query string, without empty fields, or its JSON body.
 */
export function requestOf<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
): { path: string; query: Record<string, string>; body: string | null } {
  const rest = { ...(input as Record<string, unknown>) };
  let path: string = endpoint.path;
  for (const name of pathParamsOf(path)) {
    path = path.replace(`:${name}`, encodeURIComponent(String(rest[name])));
    delete rest[name];
  }
  if (hasBody(endpoint)) return { path, query: {}, body: JSON.stringify(rest) };
  const filled = Object.entries(rest).filter(([, value]) => ![undefined, null, ''].includes(value as null));
  return {
    path,
    query: Object.fromEntries(filled.map(([name, value]) => [name, String(value)])),
    body: null,
  };
}

/** The names of the `:params` of a path, in order. */
export function pathParamsOf(path: string): string[] {
  return [...path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1]!);
}
