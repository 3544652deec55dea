import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import { formatPounds } from '#domain/money.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { enterMadeRefund } from './enter-made-refund.ts';
import { isUnexplained, openCents } from './external-money.ts';
import { notifyOfDeskRefund } from './notify-desk-refund.ts';
import type { BorneBy } from './write-refunds.ts';

type Entry = {
  stripeRefundId: string;
  /**
   * The bookings that the refund was for. The amounts must add up to the part of it that isn't in any of our own
   * refunds.
   */
  lines: { bookingId: string; cents: number }[];
  borneBy: BorneBy;
};

/**
 * Enters a refund made in Stripe in the ledger, once an admin has said which bookings of its payment it was for and who
 * bears it. Leaves out the part that already counts towards our own refunds. The payment's bookings can then be
 * included in payruns again. Returns the id of the refund. Throws `not_found` if no such refund is unexplained or a
 * booking is not paid, `unprocessable` if the lines don't add up to the unexplained part, and `conflict` if more would
 * be refunded for a booking than its payment charged.
 */
export async function enterExternalRefund(
  db: Database,
  admin: Person,
  { stripeRefundId, lines, borneBy }: Entry,
): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const external = await lockExternal(tx, stripeRefundId);
    const sum = lines.reduce((total, { cents }) => total + cents, 0);
    if (sum !== external.amountCents) {
      throw new AppError('unprocessable', `The parts must add up to ${formatPounds(external.amountCents)}.`);
    }
    const refundId = await enterMadeRefund(tx, {
      ...{ paymentId: external.paymentId, parts: lines },
      ...{ reason: 'made_at_stripe', borneBy },
    });
    if (!refundId) {
      throw new AppError(
        'conflict',
        'That would refund more for a booking than this payment charged for it. Enter a smaller amount.',
      );
    }
    await sql`
      update external_refunds set entered_refund_id = ${refundId}::uuid, entered_cents = ${external.amountCents}
      where stripe_refund_id = ${stripeRefundId}`.execute(tx);
    for (const { bookingId } of lines) {
      await notifyOfDeskRefund(tx, { bookingId, refundIds: [refundId], reason: null });
    }
    await recordAudit(tx, admin, {
      action: 'refund.entered',
      subjectType: 'refund',
      subjectId: refundId,
      after: { stripeRefundId, amountCents: external.amountCents, borneBy, bookings: lines.length },
    });
    return refundId;
  });
}

/**
 * Locks the slots of a payment's bookings, then the refund, and returns the part of it that isn't in any of our
 * refunds. Throws `not_found` if there is none.
 */
async function lockExternal(
  tx: Tx,
  stripeRefundId: string,
): Promise<{ paymentId: string; amountCents: number }> {
  await sql`
    select from lesson_slots where slot_id in (
      select booking.slot_id
      from external_refunds
      join payment_lines using (payment_id)
      join bookings booking using (booking_id)
      where stripe_refund_id = ${stripeRefundId})
    order by slot_id for no key update`.execute(tx);
  const { rows } = await sql<{ paymentId: string; amountCents: number }>`
    select payment_id, ${openCents} as amount_cents from external_refunds external
    where stripe_refund_id = ${stripeRefundId} and entered_refund_id is null and ${isUnexplained}
    for update`.execute(tx);
  if (!rows[0]) throw new AppError('not_found', 'This refund has nothing left to enter. Reload the page.');
  return rows[0];
}
