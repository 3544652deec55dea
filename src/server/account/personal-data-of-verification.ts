import { sql } from 'kysely';
import { applicationRetentionDays } from '#domain/verification/application.ts';
import type { Register } from './personal-data-entry.ts';

/** The register's entries for applications to become a coach. */
export const verificationTables: Register<'coachApplications'> = {
  coachApplications: {
    purpose: 'Applications to become a coach, and what an admin decided.',
    rowsOf: ({ userId }) => sql`user_id = ${userId}::uuid`,
    erasure: { text: 'Deleted.', deletes: true },
    retention: {
      text: `${applicationRetentionDays} days after the last change, unless it waits for a decision or was approved; an approved one as long as the account.`,
      isOver: sql<boolean>`status in ('draft', 'changes', 'declined', 'withdrawn')
        and updated_at < now() - make_interval(days => ${sql.lit(applicationRetentionDays)})`,
    },
    columns: {
      applicationId: 'exported',
      userId: 'exported',
      status: 'exported',
      headline: 'exported',
      bio: 'exported',
      sports: 'exported',
      nations: 'exported',
      experience: 'exported',
      coachesJuniors: 'exported',
      termsAcceptedAt: 'exported',
      decisionMessage: 'exported',
      createdAt: 'exported',
      updatedAt: 'exported',
      submittedAt: 'exported',
      decidedAt: 'exported',
      decidedBy: 'others',
    },
  },
};
