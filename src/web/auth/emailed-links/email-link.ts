import { readNext } from '../sign-in/next-page.ts';

/** The parts of an emailed link to /verify; one is missing if the link was cut or made up. */
export type EmailLink = { link?: 'signup' | 'recovery'; token_hash?: string; next?: string };

/** Reads the search of /verify. Other parameters are never shown. */
export function readLink({ link, token_hash: token, next: page }: Record<string, unknown>): EmailLink {
  const next = readNext(page);
  return {
    ...((link === 'signup' || link === 'recovery') && { link }),
    ...(typeof token === 'string' && token && { token_hash: token }),
    ...(next && { next }),
  };
}
