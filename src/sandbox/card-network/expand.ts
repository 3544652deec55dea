import type { Params } from './params.ts';
import type { Store } from './store.ts';
import { invalidRequest } from './stripe-error.ts';

type Plain = Record<string, unknown>;

/** Stripe's `expand[]`: replaces ids along each dotted path by the objects they name, in a copy. */
export function expandAnswer(store: Store, params: Params, body: unknown): unknown {
  let expanded = body;
  for (const path of params.list('expand')) expanded = expandPath(store, expanded, path.split('.'), path);
  return expanded;
}

function expandPath(store: Store, value: unknown, steps: string[], path: string): unknown {
  if (steps.length === 0 || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => expandPath(store, item, steps, path));
  const [step, ...rest] = steps as [string, ...string[]];
  const found = (value as Plain)[step];
  if (typeof value !== 'object' || found === undefined) {
    throw invalidRequest(`This property cannot be expanded (${path}).`, undefined, 'expand');
  }
  const target = typeof found === 'string' ? store.find(found) : found;
  if (target === undefined) {
    throw invalidRequest(`This property cannot be expanded (${path}).`, undefined, 'expand');
  }
  return { ...(value as Plain), [step]: expandPath(store, target, rest, path) };
}
