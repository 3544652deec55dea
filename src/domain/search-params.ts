import type { PlainDate } from './time.ts';

/**
 * A search parameter of a page's URL: text, one of several values, an id, a calendar date, a month, or true. This
 * type does not use the validation library, to keep the app's shell small. `schemasOf` makes a contract's schemas from
 * such parameters.
 */
export type SearchParam =
  | { maxLength: number }
  | { of: readonly string[] }
  | { is: 'uuid' | 'date' | 'month' | 'flag' };

export type SearchParams = Readonly<Record<string, SearchParam>>;

/** Search parameters of a page's URL. A parameter that a `SearchParam` cannot describe is parsed by a function. */
export type AddressParams = Readonly<Record<string, SearchParam | ((raw: unknown) => string | undefined)>>;

/**
 * A parameter that an endpoint also takes. Its description and examples are for the API's documentation, not for
 * browsers.
 */
export type Described<Param extends SearchParam> = Param & {
  description: string;
  examples?: readonly string[];
};

/** The type of a parsed parameter. */
export type ValueOf<Param extends AddressParams[string]> = Param extends { of: readonly (infer Choice)[] }
  ? Choice
  : Param extends { is: 'flag' }
    ? true
    : string;

export type ValuesOf<Params extends AddressParams> = {
  [Name in keyof Params]?: ValueOf<Params[Name]> | undefined;
};

/** A month, "2016-05". */
export const monthPattern = /^\d{4}-(0[1-9]|1[0-2])$/;

/** Reads the URL's search parameters. Leaves out missing and invalid values. */
export function readSearchParams<Params extends AddressParams>(
  params: Params,
  raw: Record<string, unknown>,
): ValuesOf<Params> {
  const read = Object.entries(params).map(([name, param]) => [name, readParam(param, raw[name])]);
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

function readParam(param: AddressParams[string], raw: unknown): string | true | undefined {
  if (typeof param === 'function') return param(raw);
  if ('is' in param && param.is === 'flag') return raw === true || undefined;
  // The router reads `?search=10` as a number.
  const text = typeof raw === 'number' ? String(raw) : raw;
  if (typeof text !== 'string' || !text.trim()) return undefined;
  if ('maxLength' in param) return text.slice(0, param.maxLength);
  const isValid =
    'of' in param
      ? param.of.includes(text)
      : param.is === 'date'
        ? isPlainDate(text)
        : param.is === 'month'
          ? monthPattern.test(text)
          : /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
  return isValid ? text : undefined;
}

/** True if a text is a calendar date that exists. */
export function isPlainDate(text: string): text is PlainDate {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
