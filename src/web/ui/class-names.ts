import { type ClassValue, clsx } from 'clsx';

/**
 * Joins class names. Two classes that set the same thing must not meet: which one wins would hang on the style sheet.
 * What a caller may replace, a component therefore writes as `base:h-4`, which gives way to any `h-10`.
 */
export function cn(...inputs: ClassValue[]): string {
  return clsx(inputs);
}
