import { type RawBuilder, sql } from 'kysely';
import type { HistoryEntry } from '#domain/desk/history.ts';
import { kinds } from '#domain/notifications/kinds.ts';
import { isAliveSql } from '#server/bookings/refunds/external-money.ts';
import type { Tx } from '#server/platform/db/db.ts';

/** The maximum number of events of one kind, and in total; the newest are kept. */
const maxEntries = 200;

type Kind = HistoryEntry['kind'];
type Of<K extends Kind> = Omit<Extract<HistoryEntry, { kind: K }>, 'kind'>;

/**
 * Reads what happened to a booking, newest first. `isHistoryCut`: true if older events are left out. The queries run
 * one after another, so that a page needs a single connection.
 */
export async function readHistory(
  tx: Tx,
  bookingId: string,
): Promise<{ history: HistoryEntry[]; isHistoryCut: boolean }> {
  const id = sql`${bookingId}::uuid`;
  const entries: HistoryEntry[] = [];
  let isHistoryCut = false;
  for (const kind of Object.keys(queries).toReversed() as Kind[]) {
    const { rows } = await sql<object>`
      select * from (${queries[kind](id)}) entry order by entry.at desc limit ${sql.lit(maxEntries + 1)}`.execute(
      tx,
    );
    isHistoryCut ||= rows.length > maxEntries;
    entries.push(...rows.map((row) => ({ kind, ...row }) as HistoryEntry));
  }
  entries.sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
  isHistoryCut ||= entries.length > maxEntries;
  return { history: entries.slice(0, maxEntries), isHistoryCut };
}

const paymentsOf = (id: RawBuilder<unknown>) =>
  sql`(select payment_id from payment_lines where booking_id = ${id})`;

/**
 * The query of each kind of event; its columns are the entry's fields. Events of one transaction have the same time, so
 * the kinds are listed with causes before effects.
 */
const queries: { [K in Kind]: (id: RawBuilder<unknown>) => RawBuilder<Of<K>> } = {
  held: (id) => sql`
    select created_at as at, hold_expires_at as until from bookings where booking_id = ${id}`,
  released: (id) => sql`
    select payment.updated_at as at, payment.failure_message as message
    from bookings join payments payment using (payment_id) where booking_id = ${id} and bookings.status = 'released'`,
  charged: (id) => sql`
    select case when payment.payment_id = booking.payment_id
        then coalesce(booking.booked_at, payment.updated_at) else payment.updated_at end as at,
      line.amount_cents,
      case when card_brand is not null
        then jsonb_build_object('brand', card_brand, 'lastFour', card_last_four) end as card
    from payment_lines line
    join payments payment using (payment_id)
    join bookings booking on booking.booking_id = line.booking_id
    where line.booking_id = ${id} and payment.status = 'succeeded'`,
  event: (id) => sql`
    with subject as (
      select ${id}::text as id, null::timestamptz as since
      union all
      select slot_id::text, created_at from bookings where booking_id = ${id}
      union all
      select refund_id::text, null from refund_lines where booking_id = ${id}
      union all
      select payment_id::text, null from payment_lines where booking_id = ${id}
    )
    select log.at, log.action, actor.full_name as who, log.actor_system as system,
      log.after ->> 'reason' as reason, (log.after ->> 'attended')::boolean as attended,
      case when log.action like '%.moved' or log.action like '%.rebooked'
        then (log.before ->> 'startTime')::timestamptz end as "from",
      case when log.action like '%.moved' or log.action like '%.rebooked'
        then (log.after ->> 'startTime')::timestamptz end as "to"
    from subject
    join audit_log log on log.subject_id = subject.id and log.at >= coalesce(subject.since, log.at)
    left join profiles actor on actor.user_id = log.actor_user_id`,
  refundRequest: (id) => sql`
    select request.asked_at as at, request.refund_request_id, request.amount_cents, request.borne_by, request.reason,
      request.status, asker.full_name as who, decided_at,
      case when request.decided_by <> request.asked_by or request.status = 'declined'
        then decider.full_name end as decided_by
    from refund_requests request
    join profiles asker on asker.user_id = request.asked_by
    left join profiles decider on decider.user_id = request.decided_by
    where request.booking_id = ${id}`,
  refund: (id) => sql`
    select refund.created_at as at, refund.refund_id, line.amount_cents, line.coach_cents, refund.reason, refund.status,
      coalesce(refund.settled_reason, refund.failure_message) as message
    from refund_lines line join refunds refund using (refund_id) where line.booking_id = ${id}`,
  externalRefund: (id) => sql`
    select external.made_at as at, external.stripe_refund_id, external.amount_cents,
      external.covers_cents + external.entered_cents as covers_cents,
      ${isAliveSql} as is_alive
    from external_refunds external where external.payment_id in ${paymentsOf(id)}`,
  dispute: (id) => sql`
    select created_at as at, dispute_id, amount_cents, status from disputes where payment_id in ${paymentsOf(id)}`,
  payrun: (id) => sql`
    select coalesce(returned.entered_at, payrun.paid_at, payrun.cancelled_at, payrun.created_at) as at, payrun_id,
      payrun.payment_reference, item.amount_cents,
      case when returned.entered_at is null then payrun.status else 'returned' end as status
    from payrun_items item
    join payruns payrun using (payrun_id)
    left join payrun_returns returned using (payrun_id, coach_id)
    where item.booking_id = ${id}`,
  notification: (id) => sql`
    select notification.created_at as at, notification.kind as notification_kind, notification.title,
      recipient.role as recipient, person.full_name as recipient_name,
      (select coalesce(jsonb_agg(jsonb_build_object('channel', channel, 'status', status) order by channel), '[]')
        from deliveries where deliveries.notification_id = notification.notification_id) as deliveries
    from (
      select customer_user_id as user_id, 'customer' as role from bookings where booking_id = ${id}
      union all
      select coach_id, 'coach' from bookings join lesson_slots using (slot_id) where booking_id = ${id}
      union all
      select guardians.user_id, 'guardian' from bookings join guardians using (participant_id)
      where booking_id = ${id} and guardians.user_id <> bookings.customer_user_id
    ) recipient
    join notifications notification on notification.user_id = recipient.user_id
      and notification.kind = any(${sql.raw(`array[${bookingKinds()}]`)}) and notification.subject_id = ${id}
    join profiles person on person.user_id = recipient.user_id`,
};

/** All kinds of notification as SQL string literals, because the index on notifications starts with the kind. */
function bookingKinds(): string {
  return Object.keys(kinds)
    .map((kind) => `'${kind}'`)
    .join(', ');
}
