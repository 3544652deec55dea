import pino from 'pino';

export type Log = pino.Logger;

/**
 * A JSON escape, or an email address, whose at sign may be percent-encoded as in a query. Escapes are matched so that
 * an escape's letter is not taken for the start of an address, which would break the line's JSON. Local parts have at
 * most 64 characters (RFC 5321, 4.5.3.1.1), which bounds the search in long lines. Quoted local parts are not
 * covered; sign-up refuses them.
 */
const escapeOrAddress =
  /\\u[\da-f]{4}|\\.|[\p{L}\p{N}.!#$&'*+?^_`{|}~-]{1,64}(?:@|%40)(?:\[[\da-f:.]+\]|[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*)/giu;

/** Replaces each email address in the text with "[address]". Mail servers and PostgreSQL quote addresses in errors. */
export const redactAddresses = (text: string): string =>
  text.replace(escapeOrAddress, (match) => (match.startsWith('\\') ? match : '[address]'));

/** The secret part of a calendar feed's address, whose slashes may be percent-encoded. */
const feedToken = /(?<=calendar(?:\/|%2F))[\w-]{43}/gi;

/** The values in PostgreSQL's detail of a violated constraint, up to the end of the JSON string. */
const failingRow = /(?<=Failing row contains )\((?:[^"\\]|\\.)*\)/g;

/** Removes email addresses, the tokens of calendar feeds and the values of rows, which no line may contain. */
const redact = (text: string): string =>
  redactAddresses(text).replace(feedToken, '[token]').replace(failingRow, '[row]');

/**
 * A structured log on standard output, one JSON object per line. Log ids, not personal data. Fields that look like
 * secrets, and email addresses, tokens of calendar feeds and values of rows anywhere in a line, are removed as a
 * safeguard.
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
    hooks: { streamWrite: redact },
  };
  return stream ? pino(options, stream) : pino(options);
}
