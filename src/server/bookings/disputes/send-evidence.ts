import { sql } from 'kysely';
import type Stripe from 'stripe';
import type { Person } from '#domain/access.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { type EvidenceState, refuseEvidence } from '#domain/payments/disputes.ts';
import type { Dispute, DisputeEvidence, disputesApi } from '#domain/payments/disputes-contract.ts';
import { recordDispute } from '#server/payments/record-dispute.ts';
import { isRefusal } from '#server/payments/stripe-client.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db/db.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { gatherEvidence } from './gather-evidence.ts';
import { evidenceState, readDispute } from './read-disputes.ts';

/**
 * Stores the current evidence and queues it for Stripe. Throws `not_found`, and `conflict` if evidence was already sent
 * or the bank no longer accepts it.
 */
export async function sendEvidence(
  db: Database,
  admin: Person,
  { disputeId, statement }: ParsedInputOf<typeof disputesApi.sendEvidence>,
): Promise<Dispute> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{
      paymentId: string;
      status: string;
      evidenceDueBy: string | null;
      evidenceState: EvidenceState;
    }>`
      select payment_id, status, evidence_due_by, ${evidenceState} as evidence_state
      from disputes where dispute_id = ${disputeId} for update`.execute(tx);
    const [dispute] = rows;
    if (!dispute) throw new AppError('not_found', 'Dispute not found.');
    assertAllowed(refuseEvidence(dispute, Date.now()));
    const evidence = await gatherEvidence(tx, dispute.paymentId, statement);
    await sql`
      update disputes
      set evidence = ${JSON.stringify(evidence)}::jsonb, evidence_by = ${admin.userId}::uuid,
        evidence_asked_at = now(), evidence_refusal = null
      where dispute_id = ${disputeId}`.execute(tx);
    await recordAudit(tx, admin, {
      action: 'dispute.evidence-sent',
      subjectType: 'payment',
      subjectId: dispute.paymentId,
      after: { disputeId },
    });
    await enqueue(tx, 'bookings.dispute-answered', { disputeId });
  });
  return readDispute(db, disputeId);
}

/**
 * Sends the stored evidence to Stripe, once. Repeated calls have the same idempotency key, and a dispute that already
 * has a submission is left unchanged. A refusal is stored for the admin, who can try again.
 */
export async function submitEvidence(
  { db, cards }: { db: Database; cards: Stripe },
  disputeId: string,
): Promise<void> {
  const asked = await db
    .selectFrom('disputes')
    .select(['evidence', 'evidenceAskedAt'])
    .where('disputeId', '=', disputeId)
    .where('evidenceAskedAt', 'is not', null)
    .where('evidenceSentAt', 'is', null)
    .where('evidenceRefusal', 'is', null)
    .executeTakeFirst();
  if (!asked?.evidence) return;
  try {
    let dispute = await cards.disputes.retrieve(disputeId);
    if (dispute.evidence_details.submission_count === 0) {
      const idempotencyKey = `evidence-${disputeId}-${Date.parse(asked.evidenceAskedAt!)}`;
      const evidence = toStripe(asked.evidence as unknown as DisputeEvidence);
      dispute = await cards.disputes.update(disputeId, { evidence, submit: true }, { idempotencyKey });
    }
    await db
      .updateTable('disputes')
      .set({ evidenceSentAt: sql<string>`now()` })
      .where('disputeId', '=', disputeId)
      .where('evidenceSentAt', 'is', null)
      .execute();
    await recordDispute(db, dispute);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await db
      .updateTable('disputes')
      .set({ evidenceRefusal: error.message })
      .where('disputeId', '=', disputeId)
      .where('evidenceSentAt', 'is', null)
      .execute();
  }
}

/** Stripe's limit for one text is 20,000 characters. */
const longest = 20_000;

const toStripe = (evidence: DisputeEvidence): Stripe.DisputeUpdateParams.Evidence => ({
  customer_name: evidence.customerName,
  customer_email_address: evidence.customerEmail,
  product_description: evidence.productDescription.slice(0, longest),
  service_date: evidence.serviceDate,
  cancellation_policy_disclosure: evidence.cancellationPolicy.slice(0, longest),
  uncategorized_text: [evidence.statement, evidence.history].filter(Boolean).join('\n\n').slice(0, longest),
});
