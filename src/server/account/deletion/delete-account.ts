import type { Person } from '#domain/access.ts';
import { listBlockers, refuseDeletion } from '#domain/account/deletion.ts';
import { AppError } from '#domain/errors.ts';
import { assertConfirmed } from '#server/auth/sessions/confirm-session.ts';
import { revokeRole } from '#server/businesses/change-roles.ts';
import { departFromTeam } from '#server/businesses/leave-team.ts';
import { sendEmail } from '#server/notifications/notify.ts';
import { composeAccountDeletedMessage } from '#server/notifications/templates/account.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { readBrand } from '#server/settings/queries.ts';
import { endGuardianship, lockDependants } from './delete-participant.ts';
import { readBlockerFacts } from './deletion-blockers.ts';
import { erasePerson } from './erase-person.ts';

/**
 * Deletes an account permanently: applies the register of personal data to every table, and queues jobs that
 * detach the card and delete the customer at Stripe. The email address can then be used again, and the person's
 * bookings as a customer no longer show their name. Throws `confirmation_required` if the password was not entered
 * recently, `conflict` with all `blockers` while anything blocks the deletion, and `conflict` if the person has no
 * profile.
 */
export function deleteAccount(db: Database, person: Person): Promise<void> {
  const { userId, sessionId } = person;
  return db.transaction().execute(async (tx) => {
    await assertConfirmed(tx, sessionId);
    // Slots are locked first, as before every change to bookings. Until the transaction ends, nobody can book this
    // coach's lessons or refund them.
    await lockSlots(tx, userId);
    const profile = await lockProfile(tx, userId);
    const participantIds = await lockDependants(tx, userId);
    // `readBlockerFacts` throws if the person has no profile, so `profile` is set below.
    const open = await readBlockerFacts(tx, userId);
    const refusal = refuseDeletion(open);
    if (refusal) {
      throw new AppError(refusal.code, refusal.message, { details: { blockers: listBlockers(open) } });
    }
    await leaveBusiness(tx, person);
    if (profile?.roles.includes('admin')) await revokeRole(tx, person, userId, 'admin', { isDeletion: true });
    const { email, stripePaymentMethodId, stripeCustomerId } = profile!;
    await endGuardianship(tx, { userId, participantIds });
    await erasePerson(tx, { userId, email });
    if (stripePaymentMethodId) {
      await enqueue(tx, 'payments.card-replaced', { paymentMethodId: stripePaymentMethodId });
    }
    if (stripeCustomerId) await enqueue(tx, 'payments.customer-erased', { customerId: stripeCustomerId });
    await recordAudit(tx, person, {
      action: 'account.deleted',
      subjectType: 'profile',
      subjectId: userId,
    });
    await sendEmail(tx, email, composeAccountDeletedMessage({ brand: await readBrand(tx) }));
  });
}

async function lockSlots(tx: Tx, coachId: string): Promise<void> {
  await tx
    .selectFrom('lessonSlots')
    .select('slotId')
    .where('coachId', '=', coachId)
    .orderBy('slotId')
    .forUpdate()
    .execute();
}

function lockProfile(tx: Tx, userId: string) {
  return tx
    .selectFrom('profiles')
    .select(['email', 'roles', 'stripePaymentMethodId', 'stripeCustomerId'])
    .where('userId', '=', userId)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** Removes the person from their team, if they have one. If the person is the last owner, the business ends. */
async function leaveBusiness(tx: Tx, person: Person): Promise<void> {
  const coach = await tx
    .selectFrom('coaches')
    .select('businessId')
    .where('coachId', '=', person.userId)
    .executeTakeFirst();
  if (coach?.businessId) await departFromTeam(tx, person, { endsBusiness: true });
}
