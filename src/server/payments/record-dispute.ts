import { sql } from 'kysely';
import type Stripe from 'stripe';
import { shortReference } from '#domain/reference.ts';
import { toInstant } from '#domain/time.ts';
import { notifyAdmins } from '#server/accounts/notify-admins.ts';
import { composeDisputeMessage } from '#server/notifications/templates/disputes.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db/db.ts';
import { idOf } from './save-card.ts';

/**
 * Records the current state of a Stripe dispute, with an audit event for each new status or amount. The
 * admins are notified once for each status. An earlier status that arrives late does not replace the bank's
 * decision. Returns false if the charge is not ours or neither the status nor the amount changed.
 */
export async function recordDispute(db: Database, dispute: Stripe.Dispute): Promise<boolean> {
  const { id, status, amount, reason, evidence_details, balance_transactions, created } = dispute;
  const intentId = idOf(dispute.payment_intent);
  if (!intentId) return false;
  const facts = {
    reason,
    openedAt: toInstant(created * 1000),
    evidenceDueBy: evidence_details?.due_by ? toInstant(evidence_details.due_by * 1000) : null,
    stripeFeeCents: balance_transactions?.reduce((sum, { fee }) => sum + fee, 0) ?? 0,
  };
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ paymentId: string; bookingId: string | null }>`
      insert into disputes (dispute_id, payment_id, status, amount_cents)
      select ${id}, payment_id, ${status}, ${amount} from payments where stripe_payment_intent_id = ${intentId}
      on conflict (dispute_id) do update
        set status = excluded.status, amount_cents = excluded.amount_cents, updated_at = now()
        where (disputes.status, disputes.amount_cents) <> (excluded.status, excluded.amount_cents)
          and (disputes.status not in ('won', 'lost', 'warning_closed')
            or excluded.status in ('won', 'lost', 'warning_closed'))
      returning payment_id,
        (select booking_id from payment_lines line where line.payment_id = disputes.payment_id
          order by line_no limit 1)`.execute(tx);
    // These facts can change without a new status, and need neither an audit event nor a notification.
    await tx.updateTable('disputes').set(facts).where('disputeId', '=', id).execute();
    const [disputed] = rows;
    if (!disputed) return false;
    await recordAudit(
      tx,
      { system: 'Stripe' },
      {
        action: 'payment.disputed',
        subjectType: 'payment',
        subjectId: disputed.paymentId,
        after: { disputeId: id, status, reason, amountCents: amount },
      },
    );
    const reference = shortReference(disputed.bookingId ?? disputed.paymentId);
    const event = { kind: 'dispute', subjectId: disputed.paymentId, version: `${id} ${status}` } as const;
    await notifyAdmins(tx, event, {
      compose: ({ fullName }) =>
        composeDisputeMessage({
          ...{ disputeId: id, fullName, status, reason, amountCents: amount, reference },
          dueBy: facts.evidenceDueBy,
        }),
    });
    return true;
  });
}
