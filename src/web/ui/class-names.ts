import { type ClassValue, clsx } from 'clsx';

/**
 * Joins class names. Avoid two classes that set the same property: which one wins would depend on the style sheet. So
 * a component writes a class that callers may override as `base:h-4`, which gives way to any `h-10`.
 */
export function cn(...inputs: ClassValue[]): string {
  return clsx(inputs);
}
