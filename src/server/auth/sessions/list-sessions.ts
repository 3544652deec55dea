import type { Person } from '#domain/access.ts';
import type { OpenedSession } from '#domain/auth/contract.ts';
import { describeDevice } from '#domain/auth/device-name.ts';
import type { Database } from '#server/platform/db/db.ts';
import { hasVerifiedFactor } from '../two-step/factors.ts';

/** The browsers in which a person is signed in: the current browser first, then the most recently used. */
export async function listSessions(db: Database, { userId, sessionId }: Person): Promise<OpenedSession[]> {
  const takesCode = await hasVerifiedFactor(db, userId);
  const rows = await db
    .selectFrom('sessions')
    .select(['sessionId', 'createdAt', 'refreshedAt', 'userAgent', 'secondStepAt'])
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .orderBy('refreshedAt', 'desc')
    .execute();
  const sessions = rows.map((row) => ({
    sessionId: row.sessionId,
    device: describeDevice(row.userAgent ?? ''),
    signedInAt: row.createdAt,
    lastSeenAt: row.refreshedAt,
    isCurrent: row.sessionId === sessionId,
    isCodeAwaited: takesCode && !row.secondStepAt,
  }));
  return sessions.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
}
