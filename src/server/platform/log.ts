import pino from 'pino';

export type Log = pino.Logger;

/**
 * A structured log on standard output, a JSON object a line. Personal data does not belong in it: pass ids.
 * What looks like a secret is removed all the same.
 */
export function createLog(level: string): Log {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['password', 'token', 'authorization', '*.password', '*.token', '*.authorization', '*.secret'],
      censor: '[removed]',
    },
  });
}
