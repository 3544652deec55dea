import type { Config } from '#server/platform/config.ts';

/** The kinds of emailed links that sign in: the `type` of GoTrue's `POST /verify`. */
export const linkTypes = ['signup', 'recovery'] as const;
type LinkType = (typeof linkTypes)[number];

/**
 * The address of an emailed link. Opening it changes nothing, since email scanners open links too; the button on that
 * page posts `token_hash` to `/auth/v1/verify`. `redirectTo`: a validated address of ours to go to afterwards.
 */
export function composeEmailLink(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { type, token, redirectTo }: { type: LinkType; token: string; redirectTo: string },
): string {
  const { pathname, search } = new URL(redirectTo);
  const query = new URLSearchParams({ link: type, token_hash: token });
  if (pathname + search !== '/') query.set('next', pathname + search);
  return `${publicUrl}/verify?${query}`;
}
