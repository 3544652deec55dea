import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { accountsApi, ListedUser } from '#domain/accounts/contract.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import { grantRole, revokeRole } from '#server/businesses/change-roles.ts';
import type { Database, Tx } from '#server/platform/db.ts';

/**
 * An admin gives or takes a role. Taking it from a coach with booked lessons ahead hides the coach and leaves the
 * lessons as they are, so it is refused (`conflict`, the number as `lessonsAhead`) until the admin was told of
 * that many. Throws `conflict` for the last admin, `not_found` for somebody without a profile.
 */
export function changeRole(
  db: Database,
  admin: Person,
  { userId, role, isHeld, expectedLessons }: ParsedInputOf<typeof accountsApi.changeRole>,
): Promise<ListedUser> {
  return db.transaction().execute(async (tx) => {
    if (isHeld) await grantRole(tx, admin, userId, role);
    else {
      const isGone = await revokeRole(tx, admin, userId, role);
      const lessonsAhead = isGone && role === 'coach' ? await countLessonsAhead(tx, userId) : 0;
      if (lessonsAhead > expectedLessons) {
        const lessons = lessonsAhead === 1 ? '1 booked lesson' : `${lessonsAhead} booked lessons`;
        const message = `This coach has ${lessons} ahead. Confirm that the role should go all the same.`;
        throw new AppError('conflict', message, { details: { lessonsAhead } });
      }
    }
    return tx
      .selectFrom('profiles')
      .select(['userId', 'email', 'fullName', 'roles', 'createdAt'])
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow();
  });
}

async function countLessonsAhead(tx: Tx, coachId: string): Promise<number> {
  const { lessons } = await tx
    .selectFrom('lessonSlots')
    .select((of) => of.fn.countAll<number>().as('lessons'))
    .where('coachId', '=', coachId)
    .where('status', '=', 'scheduled')
    .where('bookedCount', '>', 0)
    .where('startTime', '>', sql<string>`now()`)
    .executeTakeFirstOrThrow();
  return lessons;
}
