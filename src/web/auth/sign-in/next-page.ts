/** The page on our own site that `?next=` names; undefined for anything else. */
export function readNext(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('/')) return undefined;
  // Parses the value as browsers do, because they read "//other.example" and "/\other.example" as other sites.
  const own = 'https://own.invalid';
  const url = URL.canParse(value, own) ? new URL(value, own) : null;
  return url?.origin === own ? url.pathname + url.search + url.hash : undefined;
}
