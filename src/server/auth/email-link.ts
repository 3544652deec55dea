/** The kinds of emailed link that sign a person in: `type` in GoTrue's `POST /verify`. */
export const linkTypes = ['signup', 'recovery'] as const;
type LinkType = (typeof linkTypes)[number];

/**
 * The path of an emailed link. Opening the link changes nothing, because email scanners open links too: a button on the
 * page posts `token_hash` to `/auth/v1/verify`. `redirectTo`: a validated URL of this site to go to afterwards.
 */
export function composeEmailLink({
  type,
  token,
  redirectTo,
}: {
  type: LinkType;
  token: string;
  redirectTo: string;
}): string {
  const { pathname, search } = new URL(redirectTo);
  const query = new URLSearchParams({ link: type, token_hash: token });
  if (pathname + search !== '/') query.set('next', pathname + search);
  return `/verify?${query}`;
}
