import type { z } from 'zod';
import type { Person } from '#domain/access.ts';
import type { CoachProfile } from '#domain/businesses/contract.ts';
import type { coachProfileInput } from '#domain/businesses/rules.ts';
import type { Database } from '#server/platform/db/db.ts';
import { describeChange, recordAudit } from '../platform/audit.ts';
import { getCoachProfile } from './queries.ts';

export function saveCoachProfile(
  db: Database,
  actor: Person,
  input: z.output<typeof coachProfileInput>,
): Promise<CoachProfile> {
  return db.transaction().execute(async (tx) => {
    const before = await getCoachProfile(tx, actor.userId);
    const change = describeChange(before, input);
    if (!change) return before;
    await tx.updateTable('coaches').set(input).where('coachId', '=', actor.userId).execute();
    await recordAudit(tx, actor, {
      action: 'coach_profile.changed',
      subjectType: 'coach',
      subjectId: actor.userId,
      ...change,
    });
    return getCoachProfile(tx, actor.userId);
  });
}
