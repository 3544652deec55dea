import { sql } from 'kysely';
import { describeAttendee } from '#domain/bookings/attendee-status.ts';
import type { BookingStatus } from '#domain/bookings/rules.ts';
import { AppError } from '#domain/errors.ts';
import type { EvidenceState } from '#domain/payments/disputes.ts';
import type { Dispute, DisputeEvidence, DisputeSummary } from '#domain/payments/disputes-contract.ts';
import { isUnsettled } from '#server/payments/unsettled-disputes.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { coachFullName } from '../coach-full-name.ts';
import { gatherEvidence } from './gather-evidence.ts';

/** SQL: the {@link EvidenceState} of a row of `disputes`. */
export const evidenceState = sql`
  case when disputes.evidence_sent_at is not null then 'sent'
    when disputes.evidence_refusal is not null then 'refused'
    when disputes.evidence_asked_at is not null then 'sending'
    else 'none' end`;

const headColumns = sql`
  disputes.dispute_id, disputes.status, disputes.reason, disputes.amount_cents,
  coalesce(disputes.opened_at, disputes.created_at) as opened_at, disputes.evidence_due_by,
  ${evidenceState} as evidence_state,
  customer.full_name as customer_name,
  array(select booking.title from payment_lines line join bookings booking using (booking_id)
    where line.payment_id = disputes.payment_id order by line.line_no) as titles,
  disputes.borne_by, disputes.booked_at as loss_recorded_at`;

const disputesAndCustomers = sql`
  disputes
  join payments payment using (payment_id)
  join profiles customer on customer.user_id = payment.customer_user_id`;

/**
 * Open disputes, and lost disputes without a recorded loss, by the time at which evidence is due; or finished disputes,
 * most recently changed first. At most 100.
 */
export async function listDisputes(db: Database, view: 'open' | 'done'): Promise<DisputeSummary[]> {
  const condition =
    view === 'open'
      ? sql`where ${isUnsettled}
          order by disputes.evidence_due_by, disputes.dispute_id`
      : sql`where disputes.status in ('won', 'warning_closed') or disputes.booked_at is not null
          order by disputes.updated_at desc, disputes.dispute_id`;
  const { rows } = await sql<DisputeSummary>`
    select ${headColumns} from ${disputesAndCustomers} ${condition} limit 100`.execute(db);
  return rows;
}

type Row = Omit<Dispute, 'card' | 'bookings' | 'evidence'> & {
  paymentId: string;
  cardBrand: string | null;
  cardLastFour: string | null;
  evidence: DisputeEvidence | null;
};

/** A dispute with the evidence that was sent or would be sent now. Throws `not_found` if there is no such dispute. */
export async function readDispute(db: Database, disputeId: string): Promise<Dispute> {
  const { rows } = await sql<Row>`
    select ${headColumns}, disputes.payment_id, payment.amount_cents as payment_cents, disputes.stripe_fee_cents,
      payment.card_brand, payment.card_last_four, disputes.evidence, disputes.evidence_asked_at,
      disputes.evidence_sent_at, sender.full_name as evidence_by, disputes.evidence_refusal,
      disputes.booked_cents as loss_cents, recorder.full_name as loss_recorded_by
    from ${disputesAndCustomers}
    left join profiles sender on sender.user_id = disputes.evidence_by
    left join profiles recorder on recorder.user_id = disputes.booked_by
    where disputes.dispute_id = ${disputeId}`.execute(db);
  const [row] = rows;
  if (!row) throw new AppError('not_found', 'Dispute not found.');
  const { paymentId, cardBrand, cardLastFour, evidence, ...dispute } = row;
  const isSent = dispute.evidenceState === 'sending' || dispute.evidenceState === 'sent';
  return {
    ...dispute,
    card: cardBrand && cardLastFour ? { brand: cardBrand, lastFour: cardLastFour } : null,
    bookings: await readDisputedBookings(db, paymentId),
    evidence: isSent ? evidence : await gatherEvidence(db, paymentId, evidence?.statement),
  };
}

type BookingRow = Omit<Dispute['bookings'][number], 'state'> & {
  status: BookingStatus;
  attended: boolean | null;
};

/** The bookings of a payment in the order of its lines, with what remains of each after refunds of this payment. */
export async function readDisputedBookings(
  db: Database | Tx,
  paymentId: string,
): Promise<Dispute['bookings']> {
  const { rows } = await sql<BookingRow>`
    select booking.booking_id, booking.title, lower(booking.during) as start_time,
      ${coachFullName} as coach_name, booking.status, booking.attended, line.amount_cents as paid_cents,
      least(line.amount_cents - back.cents, booking.charged_cents - booking.refunded_cents) as left_cents,
      coalesce((
        select payrun.status from payrun_items item join payruns payrun using (payrun_id)
        where item.booking_id = booking.booking_id and item.kind = 'lesson' and not item.is_cancelled
      ), 'none') as payout
    from payment_lines line
    join bookings booking using (booking_id)
    join lesson_slots slot using (slot_id)
    join profiles coach on coach.user_id = slot.coach_id
    cross join lateral (
      select coalesce(sum(refunded.amount_cents), 0)::integer as cents
      from refund_lines refunded join refunds using (refund_id)
      where refunded.booking_id = line.booking_id and refunds.payment_id = line.payment_id
    ) back
    where line.payment_id = ${paymentId}::uuid
    order by line.line_no`.execute(db);
  return rows.map(({ status, attended, ...booking }) => ({
    ...booking,
    state: describeAttendee({ status, attended }).label,
  }));
}
