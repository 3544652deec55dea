import { type ClassValue, clsx } from 'clsx';

/**
 * Joins class names. Avoid two classes that set the same property: which one wins would depend on the style sheet.
 * Components therefore write classes that callers may override as `base:h-4`, which any `h-10` overrides.
 */
export function cn(...inputs: ClassValue[]): string {
  return clsx(inputs);
}
