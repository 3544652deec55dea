import type { Store } from '../store.ts';
import type { Params } from './params.ts';
import { invalidRequest } from './stripe-error.ts';

const expandable = new Set([
  'charge',
  'customer',
  'data',
  'default_payment_method',
  'invoice_settings',
  'latest_charge',
  'payment_intent',
  'payment_method',
]);

/** The paths of `expand[]`, each split into its steps. Throws for an invalid path before anything is executed. */
export function readExpand(params: Params): string[][] {
  return params.list('expand').map((path) => {
    const steps = path.split('.');
    if (steps.length > 4 || !steps.every((step) => expandable.has(step))) {
      throw invalidRequest(`This property cannot be expanded (${path}).`, undefined, 'expand');
    }
    return steps;
  });
}

/** Returns a copy in which the ids along each path are replaced with their objects. */
export function expandAnswer(store: Store, paths: string[][], body: unknown): unknown {
  return paths.reduce((expanded, steps) => expandPath(store, expanded, steps), body);
}

function expandPath(store: Store, value: unknown, steps: string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => expandPath(store, item, steps));
  const [step, ...rest] = steps;
  if (step === undefined || typeof value !== 'object' || value === null) return value;
  const found = (value as Record<string, unknown>)[step];
  if (found === undefined || found === null) return value;
  const target = typeof found === 'string' ? (store.find(found) ?? found) : found;
  return { ...value, [step]: expandPath(store, target, rest) };
}
