/** The page of our own site that `?next=` names; undefined for anything else. */
export function readNext(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('/')) return undefined;
  // Parsed as browsers do: to them "//other.example" and "/\other.example" are other sites.
  const own = 'https://own.invalid';
  const url = URL.canParse(value, own) ? new URL(value, own) : null;
  return url?.origin === own ? url.pathname + url.search + url.hash : undefined;
}
