import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import { listHurdles, refuseDeletion } from '#domain/payouts/deletion.ts';
import { insistConfirmed } from '#server/accounts/confirm-session.ts';
import { readBrand } from '#server/accounts/queries.ts';
import { revokeRole } from '#server/businesses/change-roles.ts';
import { departFromTeam } from '#server/businesses/leave-team.ts';
import { composeAccountDeletedMail } from '#server/notifications/account-mails.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database, Tx } from '#server/platform/db.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { enqueueMail } from '#server/platform/mail.ts';
import { readOpenMatters } from './open-matters.ts';

type Parts = { db: Database; config: Pick<Config, 'publicUrl'> };

const anonymous = 'Deleted account';
const system = { system: 'account deletion' };

/**
 * Deletes an account for good. The sign-in identity goes with all sessions, apps and codes, so the address is
 * free again; the profile stays for the books, emptied. A coach's record is hidden and emptied, what was not
 * booked is cancelled, bank details are erased, and the card network forgets the card by a job. Throws
 * `confirmation_required` where the password was not given lately, `conflict` with all `hurdles` while lessons
 * or money are open.
 */
export function deleteAccount({ db, config }: Parts, person: Person): Promise<void> {
  const { userId, sessionId } = person;
  return db.transaction().execute(async (tx) => {
    await insistConfirmed(tx, sessionId);
    // Slots first, as everywhere; then nobody can book a lesson of this coach any more.
    await lockSlots(tx, userId);
    const profile = await lockProfile(tx, userId);
    // Without a profile this refuses.
    const open = await readOpenMatters(tx, userId);
    const refusal = refuseDeletion(open);
    if (refusal) {
      throw new AppError(refusal.code, refusal.message, { details: { hurdles: listHurdles(open) } });
    }
    await retireCoach(tx, config, person);
    if (profile?.roles.includes('admin')) await revokeRole(tx, system, userId, 'admin');
    const { email, stripePaymentMethodId } = profile!;
    await tx
      .updateTable('profiles')
      .set({
        email: '',
        fullName: anonymous,
        roles: [],
        stripeCustomerId: null,
        stripePaymentMethodId: null,
        paymentMethodBrand: null,
        paymentMethodLastFour: null,
        deletedAt: sql<string>`now()`,
      })
      .where('userId', '=', userId)
      .execute();
    if (stripePaymentMethodId) {
      await enqueue(tx, 'card.replaced', { paymentMethodId: stripePaymentMethodId });
    }
    await tx
      .updateTable('businessInvitations')
      .set({
        email: `${userId}@deleted.invalid`,
        status: sql`case when status = 'pending' then 'withdrawn' else status end`,
        decidedAt: sql<string>`coalesce(decided_at, now())`,
      })
      .where('email', '=', email)
      .execute();
    await tx.deleteFrom('users').where('userId', '=', userId).execute();
    await recordAudit(tx, person, {
      action: 'account.deleted',
      subjectType: 'profile',
      subjectId: userId,
    });
    await enqueueMail(tx, composeAccountDeletedMail({ to: email, brand: await readBrand(tx) }));
  });
}

async function lockSlots(tx: Tx, coachId: string): Promise<void> {
  await tx
    .selectFrom('lessonSlots')
    .select('slotId')
    .where('coachId', '=', coachId)
    .where('status', '=', 'scheduled')
    .where('endTime', '>', sql<string>`now()`)
    .orderBy('slotId')
    .forUpdate()
    .execute();
}

function lockProfile(tx: Tx, userId: string) {
  return tx
    .selectFrom('profiles')
    .select(['email', 'roles', 'stripePaymentMethodId'])
    .where('userId', '=', userId)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** Takes a coach out of the team and out of sight; does nothing for somebody who never was one. */
async function retireCoach(tx: Tx, config: Parts['config'], person: Person): Promise<void> {
  const coach = await tx
    .selectFrom('coaches')
    .select('businessId')
    .where('coachId', '=', person.userId)
    .executeTakeFirst();
  if (!coach) return;
  if (coach.businessId) await departFromTeam(tx, config, person, { endsBusiness: true });
  const { userId } = person;
  const now = sql<string>`now()`;
  await tx.deleteFrom('coachBankDetails').where('coachId', '=', userId).execute();
  await tx
    .updateTable('coaches')
    .set({
      isActive: false,
      bio: null,
      coachType: null,
      hourlyRateCents: null,
      sports: [],
      towns: [],
      languages: [],
    })
    .where('coachId', '=', userId)
    .execute();
  await tx
    .updateTable('lessonSlots')
    .set({ status: 'cancelled' })
    .where('coachId', '=', userId)
    .where('status', '=', 'scheduled')
    .where('endTime', '>', now)
    .execute();
  for (const table of ['lessonTemplates', 'locations'] as const) {
    await tx
      .updateTable(table)
      .set({ deletedAt: now })
      .where('coachId', '=', userId)
      .where('deletedAt', 'is', null)
      .execute();
  }
}
