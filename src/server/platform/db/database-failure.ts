import { AppError } from '#domain/errors.ts';

/** Why the database can't serve a request, as reported by `/healthz`. */
export type DatabaseFailure =
  | 'database unreachable'
  | 'disk full'
  | 'database is read-only'
  | 'database overloaded'
  | 'database does not answer';

type PgError = Error & { code?: string };

/** Codes such as ECONNREFUSED are Node's. The others are PostgreSQL's (appendix A of its manual). */
const failureByCode = new Map<string, DatabaseFailure>(
  Object.entries({
    'database unreachable':
      '57P01 57P02 57P03 57P05 08000 08001 08003 08004 08006 08P01 28000 28P01 3D000 ' +
      'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN',
    'disk full': '53100',
    'database is read-only': '25006',
    'database overloaded': '53000 53200 53300 53400 55P03 57014 40P01 40001',
  } satisfies Partial<Record<DatabaseFailure, string>>).flatMap(([failure, codes]) =>
    codes.split(' ').map((code) => [code, failure as DatabaseFailure] as const),
  ),
);

/** Thrown if every connection of a pool waits for the database and none gets a response. */
export class QueryTimeoutError extends Error {}

/** True if a client-side timeout of a connection or a query expired: the server or the network is down. */
export function isQueryTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { message } = error;
  // While connecting, the driver reports 'timeout expired', and its pool, with the same timeout, 'due to connection
  // timeout'.
  const isOver =
    ['Query read timeout', 'timeout expired'].includes(message) ||
    message.includes('due to connection timeout');
  return isOver || error instanceof QueryTimeoutError;
}

/** True if no pool connection became free in time. */
export const isPoolFull = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('timeout exceeded when trying to connect');

/** Classifies a failed statement or connection; null if the database is not the cause. */
export function classifyDatabaseFailure(error: unknown): DatabaseFailure | null {
  if (!(error instanceof Error)) return null;
  const { code, message } = error as PgError;
  const known = code && failureByCode.get(code);
  if (known) return known;
  if (isQueryTimeout(error)) return 'database does not answer';
  if (isPoolFull(error)) return 'database overloaded';
  const isLost =
    message.includes('Connection terminated') ||
    message.includes('not currently accepting connections') ||
    // The driver's error for a rollback on a connection that was lost during the transaction.
    message.includes('is not queryable');
  return isLost ? 'database unreachable' : null;
}

const sentences: Record<DatabaseFailure, string> = {
  'database unreachable': "The service can't reach its database right now.",
  'database does not answer': "The service can't reach its database right now.",
  'disk full': "The service can't save anything right now.",
  'database is read-only': "The service can't save anything right now.",
  'database overloaded': "We're very busy right now.",
};

const untextCodes = new Set(['22021', '22P05']);

/**
 * Returns the error to send for a database failure that is not our bug: a 503 that asks the user to try again, or a
 * refusal of text with characters that PostgreSQL can't store (NUL). Returns null for any other error. `reassurance` is
 * a sentence that says what has certainly not happened.
 */
export function readDatabaseFailure(error: unknown, reassurance = ''): AppError | null {
  if (untextCodes.has((error as PgError | undefined)?.code ?? '')) {
    return new AppError(
      'unprocessable',
      "This text contains characters we can't save. Please type it again.",
    );
  }
  const failure = classifyDatabaseFailure(error);
  if (!failure) return null;
  const said = [sentences[failure], reassurance, 'Please try again in a moment.'].filter(Boolean);
  return new AppError('unavailable', said.join(' '), { cause: error });
}
