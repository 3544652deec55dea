import { readNext } from '../sign-in/next-page.ts';

/** What an emailed link to /verify says; a part is missing where the link was cut or made up. */
export type EmailLink = { link?: 'signup' | 'recovery'; token_hash?: string; next?: string };

/** Reads the search of /verify. Whatever else stands in the address is never shown. */
export function readLink({ link, token_hash: token, next: page }: Record<string, unknown>): EmailLink {
  const next = readNext(page);
  return {
    ...((link === 'signup' || link === 'recovery') && { link }),
    ...(typeof token === 'string' && token && { token_hash: token }),
    ...(next && { next }),
  };
}
