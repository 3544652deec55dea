import type { z } from 'zod';
import type { Gate } from './access.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One call of the API. `path` holds `:names` that are filled from the input; for GET and DELETE the rest of
 * the input travels in the query string, otherwise in a JSON body. `summary` is the line OpenAPI shows.
 * `operationId` names the call for the world; where the specification names a procedure, it is that name.
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
  summary: string;
};

/** Declares one call; only gives its literal types a name. */
export function endpoint<In extends z.ZodType, Out extends z.ZodType, const G extends Gate>(
  declaration: Endpoint<In, Out, G>,
): Endpoint<In, Out, G> {
  return declaration;
}

export type InputOf<E extends Endpoint> = z.input<E['input']>;
export type ParsedInputOf<E extends Endpoint> = z.output<E['input']>;
export type OutputOf<E extends Endpoint> = z.output<E['output']>;

/** The names of the `:params` of a path, in order. */
export function pathParamsOf(path: string): string[] {
  return [...path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1]!);
}
