import pino from 'pino';

export type Log = pino.Logger;

/**
 * An escape of JSON, or an email address, whose sign may be percent-encoded as in a query. An escape is matched so that its letter
 * is not taken for the beginning of an address: the line would no longer be JSON. Local parts have at most 64 characters
 * (RFC 5321, 4.5.3.1.1), which bounds the search in long lines. Quoted local parts are not covered; sign-up refuses them.
 */
const escapeOrAddress =
  /\\u[\da-f]{4}|\\.|[\p{L}\p{N}.!#$&'*+?^_`{|}~-]{1,64}(?:@|%40)(?:\[[\da-f:.]+\]|[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*)/giu;

/** The text with "[address]" for each email address: mail servers and PostgreSQL name them in their errors. */
export const redactAddresses = (text: string): string =>
  text.replace(escapeOrAddress, (match) => (match.startsWith('\\') ? match : '[address]'));

/**
 * A structured log on standard output, a JSON object a line. Personal data does not belong in it: pass ids.
 * Fields that look like a secret and email addresses anywhere in a line are removed all the same.
 */
export function createLog(level: string, stream?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['password', 'token', 'authorization', '*.password', '*.token', '*.authorization', '*.secret'],
      censor: '[removed]',
    },
    hooks: { streamWrite: redactAddresses },
  };
  return stream ? pino(options, stream) : pino(options);
}
