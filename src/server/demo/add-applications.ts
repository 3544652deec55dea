import type { Tx } from '#server/platform/db/db.ts';
import { applicantId } from './add-people.ts';
import { demoApplicants } from './demo-applicants.ts';
import { at, demoId } from './plan-demo.ts';

const day = 86_400_000;
/** Days after submission until the admin sends an incomplete application back. */
const sentBackAfter = 2;

/** Adds the applicants' applications for the coach role: one in the queue, one that an admin sent back for changes. */
export async function addApplications(tx: Tx, adminId: string, now: number): Promise<void> {
  await tx
    .insertInto('coachApplications')
    .values(
      demoApplicants.map(({ submittedDaysAgo, changes, headline, ...applicant }, index) => {
        const submittedMs = now - submittedDaysAgo * day;
        const decidedMs = submittedMs + sentBackAfter * day;
        const { bio, sports, experience, coachesJuniors } = applicant;
        return {
          ...{ applicationId: demoId('application', index), userId: applicantId(index) },
          ...{ headline, bio, sports: [...sports], experience, coachesJuniors, nations: ['england'] },
          ...{ createdAt: at(submittedMs - day / 4), termsAcceptedAt: at(submittedMs) },
          ...{ submittedAt: at(submittedMs), updatedAt: at(changes ? decidedMs : submittedMs) },
          ...(changes
            ? {
                ...{ status: 'changes' as const, decisionMessage: changes },
                ...{ decidedAt: at(decidedMs), decidedBy: adminId },
              }
            : { status: 'submitted' as const }),
        };
      }),
    )
    .execute();
}
