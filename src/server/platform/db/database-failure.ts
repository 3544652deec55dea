import { AppError } from '#domain/errors.ts';

/** What keeps the database from doing what it is asked, in the words of `/healthz`. */
export type DatabaseTrouble =
  | 'database unreachable'
  | 'disk full'
  | 'database is read-only'
  | 'database overloaded'
  | 'database does not answer';

type PgError = Error & { code?: string };

/** Codes are PostgreSQL's (appendix A of its manual), those in capitals Node's. */
const troubleByCode = new Map<string, DatabaseTrouble>(
  Object.entries({
    'database unreachable':
      '57P01 57P02 57P03 57P05 08000 08001 08003 08004 08006 08P01 28000 28P01 3D000 ' +
      'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN',
    'disk full': '53100',
    'database is read-only': '25006',
    'database overloaded': '53000 53200 53300 53400 55P03 57014 40P01 40001',
  } satisfies Partial<Record<DatabaseTrouble, string>>).flatMap(([trouble, codes]) =>
    codes.split(' ').map((code) => [code, trouble as DatabaseTrouble] as const),
  ),
);

/** Thrown where every connection of a pool waits for the database, and it answers none of them. */
export class QueryTimeoutError extends Error {}

/** True where we gave up waiting for an answer of the database, which is frozen then, or the way to it is. */
export function isQueryTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { message } = error;
  const isOver = message === 'Query read timeout' || message.includes('due to connection timeout');
  return isOver || error instanceof QueryTimeoutError;
}

/** True where all connections of a pool were in use for as long as we waited for one. */
export const isPoolFull = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('timeout exceeded when trying to connect');

/** Names the trouble behind a failed statement or connection; null where the database is not to blame. */
export function findDatabaseTrouble(error: unknown): DatabaseTrouble | null {
  if (!(error instanceof Error)) return null;
  const { code, message } = error as PgError;
  const known = code && troubleByCode.get(code);
  if (known) return known;
  if (isQueryTimeout(error)) return 'database does not answer';
  if (isPoolFull(error)) return 'database overloaded';
  const isLost =
    message.includes('Connection terminated') ||
    message.includes('not currently accepting connections') ||
    // What rolling back says on a connection that was lost in the middle of a transaction.
    message.includes('is not queryable');
  return isLost ? 'database unreachable' : null;
}

const sentences: Record<DatabaseTrouble, string> = {
  'database unreachable': 'Touchline cannot reach its database right now.',
  'database does not answer': 'Touchline cannot reach its database right now.',
  'disk full': 'Touchline cannot save anything right now.',
  'database is read-only': 'Touchline cannot save anything right now.',
  'database overloaded': 'Very many people are doing this right now.',
};

const untextCodes = new Set(['22021', '22P05']);

/**
 * Reads a database failure that is not ours: null, a 503 that asks to try again, or a refusal of text with
 * characters that PostgreSQL cannot keep (NUL). `reassurance` is a sentence on what did not happen, where that is sure.
 */
export function readDatabaseFailure(error: unknown, reassurance = ''): AppError | null {
  if (untextCodes.has((error as PgError | undefined)?.code ?? '')) {
    return new AppError(
      'unprocessable',
      'This text has characters that cannot be kept. Please type it again.',
    );
  }
  const trouble = findDatabaseTrouble(error);
  if (!trouble) return null;
  const said = [sentences[trouble], reassurance, 'Please try again in a moment.'].filter(Boolean);
  return new AppError('unavailable', said.join(' '), { cause: error });
}
