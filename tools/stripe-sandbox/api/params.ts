import { invalidRequest } from './stripe-error.ts';

interface Form {
  [name: string]: string | Form;
}

/** Reads a form or query in Stripe's bracket notation: `metadata[a]=b`, `expand[]=x`, `card[number]=…`. */
export function parseParams(text: string): Params {
  const form: Form = Object.create(null);
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    const bracket = name.indexOf('[');
    if (bracket < 0) form[name] = value;
    else setNested(form, name, bracket, value);
  }
  return new Params(form, '');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text);
  } catch {
    throw invalidRequest('The request body is not valid form encoding.');
  }
}

function setNested(form: Form, name: string, bracket: number, value: string) {
  const path = [name.slice(0, bracket)];
  for (const part of name.slice(bracket).matchAll(/\[([^\]]*)\]/g)) path.push(part[1]!);
  if (path.length > 6) throw invalidRequest(`Invalid parameter name: ${name}`);
  let node = form;
  for (const step of path.slice(0, -1)) {
    const inner = node[step];
    if (typeof inner === 'object') node = inner;
    else {
      const created: Form = Object.create(null);
      node[step] = created;
      node = created;
    }
  }
  const last = path.at(-1)!;
  node[last === '' ? String(Object.keys(node).length) : last] = value;
}

/** The parameters of one request. Every reader throws Stripe's own error for an invalid value. */
export class Params {
  readonly #form: Form;
  readonly #prefix: string;
  readonly #read = new Set<string>(['expand', 'key']);
  readonly #nested = new Map<string, Params>();

  constructor(form: Form, prefix: string) {
    this.#form = form;
    this.#prefix = prefix;
  }

  #name(name: string): string {
    return this.#prefix === '' ? name : `${this.#prefix}[${name}]`;
  }

  /** Refuses parameters other than `names`, `expand` and `key`, so that no other parameter is silently ignored. */
  allow(names: readonly string[]): this {
    for (const name in this.#form) {
      if (name !== 'expand' && name !== 'key' && !names.includes(name)) {
        const full = this.#name(name);
        throw invalidRequest(`Received unknown parameter: ${full}`, 'parameter_unknown', full);
      }
    }
    return this;
  }

  /** Refuses every unread parameter, at any depth, so that unsupported parameters are never silently ignored. */
  refuseUnread(): void {
    for (const name in this.#form) {
      if (!this.#read.has(name)) {
        const full = this.#name(name);
        throw invalidRequest(`Received unknown parameter: ${full}`, 'parameter_unknown', full);
      }
      this.#nested.get(name)?.refuseUnread();
    }
  }

  #value(name: string): string | Form | undefined {
    this.#read.add(name);
    return this.#form[name];
  }

  has(name: string): boolean {
    return this.#form[name] !== undefined;
  }

  /** Null if absent or empty: an empty string unsets a value. */
  text(name: string): string | null {
    const value = this.#value(name);
    if (value === undefined || value === '') return null;
    if (typeof value !== 'string') {
      throw invalidRequest('Invalid string: expected a single value', undefined, this.#name(name));
    }
    return value;
  }

  requiredText(name: string): string {
    const value = this.text(name);
    if (value !== null) return value;
    const full = this.#name(name);
    if (this.#form[name] === '') {
      throw invalidRequest(
        `You passed an empty string for '${full}'. We assume empty values are an attempt to unset a parameter; however '${full}' cannot be unset. You should remove '${full}' from your request or supply a non-empty value.`,
        'parameter_invalid_empty',
        full,
      );
    }
    throw invalidRequest(`Missing required param: ${full}.`, 'parameter_missing', full);
  }

  integer(name: string): number | null {
    const value = this.text(name);
    if (value === null) return null;
    if (!/^-?\d{1,15}$/.test(value)) {
      throw invalidRequest(`Invalid integer: ${value}`, 'parameter_invalid_integer', this.#name(name));
    }
    return Number(value);
  }

  flag(name: string): boolean {
    const value = this.text(name);
    if (value === null || value === 'false') return false;
    if (value === 'true') return true;
    throw invalidRequest(`Invalid boolean: ${value}`, undefined, this.#name(name));
  }

  choice<T extends string>(name: string, allowed: readonly T[]): T | null {
    const value = this.text(name);
    if (value === null) return null;
    if (!(allowed as readonly string[]).includes(value)) {
      throw invalidRequest(
        `Invalid ${this.#name(name)}: must be one of ${allowed.join(', ')}`,
        undefined,
        this.#name(name),
      );
    }
    return value as T;
  }

  /** Null if absent or empty. */
  nested(name: string): Params | null {
    const value = this.#value(name);
    if (value === undefined || value === '') return null;
    if (typeof value === 'string') throw invalidRequest('Invalid object', undefined, this.#name(name));
    const known = this.#nested.get(name);
    const nested = known ?? new Params(value, this.#name(name));
    this.#nested.set(name, nested);
    return nested;
  }

  list(name: string): string[] {
    const value = this.#value(name);
    if (value === undefined || value === '') return [];
    const items = typeof value === 'string' ? [value] : Object.values(value);
    if (typeof value === 'string' || items.some((item) => typeof item !== 'string')) {
      throw invalidRequest('Invalid array', undefined, this.#name(name));
    }
    return items as string[];
  }

  metadata(): Record<string, string> {
    const found: Record<string, string> = {};
    const form = this.#value('metadata');
    if (form === undefined || form === '') return found;
    if (typeof form === 'string') throw invalidRequest('Invalid object', undefined, 'metadata');
    for (const [key, value] of Object.entries(form)) {
      if (typeof value !== 'string' || key.length > 40 || value.length > 500) {
        throw invalidRequest(
          `Metadata keys can have up to 40 characters and their values up to 500, as plain text.`,
          undefined,
          `metadata[${key}]`,
        );
      }
      if (value !== '') found[key] = value;
    }
    if (Object.keys(found).length > 50) {
      throw invalidRequest('Metadata can have up to 50 keys.', undefined, 'metadata');
    }
    return found;
  }
}
