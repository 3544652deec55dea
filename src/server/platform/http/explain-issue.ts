import type { z } from 'zod';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const formats: Record<string, string> = {
  uuid: 'an id, such as 0199c1de-5f0a-7c3e-9d2b-6a1f0c3b7e55',
  date: 'a date, such as 2027-03-28',
  email: 'an email address, such as name@example.org',
  url: 'a web address, such as https://club.example',
};

/**
 * The default message for an invalid input whose schema has no message. It names the field: "hour must be a whole
 * number." Pass it to zod's `safeParse` as `error`.
 */
export function explainIssue(issue: RawIssue): string {
  const name = issue.path?.join('.') || 'The body';
  if (issue.input === undefined) return `${name} is missing.`;
  switch (issue.code) {
    case 'invalid_type':
      return `${name} must be ${kinds[issue.expected] ?? 'of a different type'}.`;
    case 'invalid_format':
      return `${name} must be ${formats[issue.format] ?? 'in a different format'}.`;
    case 'invalid_value':
      return `${name} must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}.`;
    case 'too_small':
      return `${name} must ${measureOf(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}.`;
    case 'too_big':
      return `${name} must ${measureOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}.`;
    case 'unrecognized_keys':
      return `${issue.keys.join(', ')} ${issue.keys.length > 1 ? 'are not known fields' : 'is not a known field'}.`;
    default:
      return `${name} isn't valid.`;
  }
}

const measureOf = (origin: string) => (['string', 'array', 'set'].includes(origin) ? 'have' : 'be');

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' || origin === 'set' ? ' entries' : '';
}
