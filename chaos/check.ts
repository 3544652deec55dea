import { sql } from 'kysely';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { auditLedger } from '#server/bookings/checks/audit-ledger.ts';
import { unexplainedCents } from '#server/bookings/refunds/external-money.ts';
import { checkDesk } from './check-desk.ts';
import { checkEmails } from './check-emails.ts';
import type { Club } from './club.ts';
import { attemptKey, type History } from './history.ts';
import type { LoadStage } from './stage.ts';

type EndedBooking = {
  bookingId: string;
  slotId: string;
  customerUserId: string;
  participantId: string;
  status: string;
  isActive: boolean;
  cancelledBy: string | null;
  amountCents: number;
  /**
   * What the booking's cancellation refunded, in minor units; null if nothing. Partial refunds by admins don't
   * count.
   */
  refundCents: number | null;
};

/**
 * Checks seats and money with the server's own audit, which includes the Stripe simulator's ledger. Also checks that
 * every outcome reported to a client is true, and that the notifications and emails are those that {@link checkEmails}
 * expects with `emailsExactFrom`. Returns one sentence per broken invariant.
 */
export async function findBroken(
  stage: LoadStage,
  club: Club,
  history: History,
  emailsExactFrom = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const outside = await readOutside(stage);
  const findings = (await auditLedger(stage.db(), stage.cards))
    .map(({ rule, rows }) => ({ rule, rows: rows.filter((row) => !isOutside(outside, row)) }))
    .filter(({ rows }) => rows.length > 0);
  const bookings = await readBookings(stage);
  const taken = await readTaken(stage);
  return [
    ...findings.map(({ rule, rows }) => `${rule}: ${JSON.stringify(rows.slice(0, 3))}`),
    ...history.broken,
    ...checkBookings(history, bookings, taken, outside),
    ...checkRefusals(history, bookings, taken, outside),
    ...(await checkSlots(stage, history, bookings)),
    ...(await checkPayruns(stage, history)),
    ...(await checkDesk(stage, history)),
    ...(await checkEmails(stage, emailsExactFrom)),
    ...(await checkFrontDoor(stage, club, history)),
  ];
}

async function readBookings(stage: LoadStage): Promise<Map<string, EndedBooking>> {
  const { rows } = await sql<EndedBooking>`
    select booking_id, slot_id, customer_user_id, participant_id, booking.status, is_active, cancelled_by, booking.amount_cents,
      (select sum(line.amount_cents) from refund_lines line join refunds using (refund_id)
        where line.booking_id = booking.booking_id and reason <> 'admin')::integer as refund_cents
    from bookings booking`.execute(stage.db());
  return new Map(rows.map((booking) => [booking.bookingId, booking]));
}

/**
 * What customers have paid for each booking, in minor units, according to the Stripe simulator's ledger: each of the
 * booking's payments net of refunds, minus the part that is kept for other bookings. A refund made directly in the
 * simulator that none of our refunds includes is not deducted from any booking yet.
 */
async function readTaken(stage: LoadStage): Promise<Map<string, number>> {
  const lines = await readLines(stage);
  const taken = new Map<string, number>();
  for (const { metadata, amount, refunds } of await stage.stripeSimulator.ledger()) {
    const net = amount - refunds.reduce((sum, refund) => sum + refund.amount, 0);
    const own = lines.filter(({ paymentId }) => paymentId === metadata.payment_id);
    const keptCents = own.reduce((sum, line) => sum + line.keptCents, 0) - (own[0]?.openCents ?? 0);
    for (const { bookingId, keptCents: keptOfOwn } of own) {
      taken.set(bookingId, (taken.get(bookingId) ?? 0) + net - (keptCents - keptOfOwn));
    }
  }
  return taken;
}

type Line = { paymentId: string; bookingId: string; keptCents: number; openCents: number };

/**
 * The lines of all payments, according to the server's records. `keptCents` is the part of a line that is kept after
 * refunds. `openCents` is the part of its payment that was refunded directly in the Stripe simulator and isn't in any
 * of the server's refunds.
 */
async function readLines(stage: LoadStage): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select payment_id, line.booking_id, (case when payment.status = 'succeeded' then line.amount_cents else 0 end
      - (select coalesce(sum(back.amount_cents), 0) from refund_lines back join refunds using (refund_id)
        where back.booking_id = line.booking_id and refunds.payment_id = line.payment_id))::integer as kept_cents,
      ${unexplainedCents(sql`line.payment_id`)} as open_cents
    from payment_lines line join payments payment using (payment_id)`.execute(stage.db());
  return rows;
}

/** Changes made directly in the Stripe simulator: refunded amounts by refund id, and disputed payments and bookings. */
type Outside = {
  refundCents: Map<string, number>;
  disputedPayments: Set<string>;
  disputedBookings: Set<string>;
};

async function readOutside(stage: LoadStage): Promise<Outside> {
  const { cards, stripeSimulator } = stage;
  const refundCents = new Map<string, number>();
  for await (const { id, metadata, amount } of cards.refunds.list({ limit: 100 })) {
    if (!metadata?.refund_id) refundCents.set(id, amount);
  }
  const disputed = (await stripeSimulator.ledger()).filter(({ isDisputed }) => isDisputed);
  const disputedPayments = new Set(disputed.map(({ metadata }) => metadata.payment_id ?? 'none'));
  const lines = (await readLines(stage)).filter(({ paymentId }) => disputedPayments.has(paymentId));
  const disputedBookings = new Set(lines.map(({ bookingId }) => bookingId));
  return { refundCents, disputedPayments, disputedBookings };
}

/**
 * Whether a row of the audit is expected and only needs an admin's attention (docs/decisions/0026): a booking that is
 * withheld because of a refund made in the Stripe simulator or a dispute, or one of our own refunds that was refused
 * because of a dispute. Our ledger must always match the Stripe simulator's ledger.
 */
function isOutside({ refundCents, disputedPayments, disputedBookings }: Outside, row: object): boolean {
  const { refundedOutsideCents, stripeRefundId, disputedCents, bookingId, givenUpAt, paymentId } = row as {
    refundedOutsideCents?: number;
    stripeRefundId?: string;
    disputedCents?: number;
    bookingId?: string;
    givenUpAt?: string;
    paymentId?: string;
  };
  if (refundedOutsideCents !== undefined) {
    return refundedOutsideCents <= (refundCents.get(stripeRefundId ?? '') ?? 0);
  }
  if (disputedCents !== undefined) return disputedBookings.has(bookingId ?? '');
  return givenUpAt !== undefined && disputedPayments.has(paymentId ?? '');
}

function checkBookings(
  history: History,
  bookings: Map<string, EndedBooking>,
  taken: Map<string, number>,
  { disputedBookings }: Outside,
): string[] {
  const broken: string[] = [];
  for (const recorded of history.booked) {
    const booking = bookings.get(recorded.bookingId);
    const isTheirs = booking?.customerUserId === recorded.userId && booking.slotId === recorded.slotId;
    if (!booking || !isTheirs || !['booked', 'attended', 'cancelled', 'refunded'].includes(booking.status)) {
      broken.push(`Reported as booked, but booking ${recorded.bookingId} is ${booking?.status ?? 'missing'}`);
      continue;
    }
    const isAsked =
      booking.cancelledBy === 'coach'
        ? history.requestedSlotCancellations.has(booking.slotId)
        : booking.cancelledBy === null || history.requestedCancellations.has(booking.bookingId);
    if (!isAsked) broken.push(`Booking ${recorded.bookingId} was cancelled although nobody had requested it`);
  }
  for (const bookingId of history.failed) {
    const { status } = bookings.get(bookingId) ?? { status: 'missing' };
    const net = taken.get(bookingId) ?? 0;
    // The Stripe simulator refuses to refund a disputed charge, because the bank has taken the money back.
    if (status !== 'released' || (net !== 0 && !disputedBookings.has(bookingId))) {
      broken.push(
        `Reported as not booked and not charged, but booking ${bookingId} is ${status}, charged ${net}`,
      );
    }
  }
  for (const { bookingId, refundCents } of history.cancelled) {
    const booking = bookings.get(bookingId);
    const isGone = booking && ['cancelled', 'refunded'].includes(booking.status);
    if (!isGone || (booking.refundCents ?? 0) !== refundCents) {
      broken.push(`Booking ${bookingId} was not cancelled and refunded as reported: ${booking?.status}`);
    }
    // Exactly the amount charged is refunded, even if part of it was refunded directly in the Stripe simulator.
    const net = taken.get(bookingId) ?? 0;
    if (net !== 0 && !disputedBookings.has(bookingId)) {
      broken.push(`Reported as cancelled and refunded in full, but ${net} of booking ${bookingId} was kept`);
    }
  }
  return broken;
}

/**
 * Checks that participants who were refused on every attempt to book a lesson have no seat in it, and that nothing was
 * paid for them.
 */
function checkRefusals(
  history: History,
  bookings: Map<string, EndedBooking>,
  taken: Map<string, number>,
  { disputedBookings }: Outside,
): string[] {
  const broken: string[] = [];
  for (const { bookingId, participantId, slotId, isActive } of bookings.values()) {
    const attempt = history.attempts.get(attemptKey(participantId, slotId));
    const net = taken.get(bookingId) ?? 0;
    const isPaidFor = net !== 0 && !disputedBookings.has(bookingId);
    if (attempt?.isAllRefused && (isActive || isPaidFor)) {
      broken.push(
        `Only refused (${[...attempt.codes].join(', ')}), but booking ${bookingId} exists, charged ${net}`,
      );
    }
  }
  return broken;
}

async function checkSlots(
  stage: LoadStage,
  history: History,
  bookings: Map<string, EndedBooking>,
): Promise<string[]> {
  const { rows } = await sql<{
    slotId: string;
  }>`select slot_id from lesson_slots where status = 'cancelled'`.execute(stage.db());
  const cancelled = new Set(rows.map(({ slotId }) => slotId));
  return history.slotsCancelled.flatMap(({ slotId, people, refundCents }) => {
    const theirs = [...bookings.values()].filter(
      (booking) => booking.slotId === slotId && booking.cancelledBy === 'coach',
    );
    const back = theirs.reduce((sum, booking) => sum + (booking.refundCents ?? 0), 0);
    const isSo = cancelled.has(slotId) && theirs.length === people && back === refundCents;
    return isSo
      ? []
      : [`Slot ${slotId} was not cancelled as reported for ${people} people: ${theirs.length} had booked it`];
  });
}

async function checkPayruns(stage: LoadStage, history: History): Promise<string[]> {
  const { rows } = await sql<{ payrunId: string; status: string; totalAmountCents: number; items: string[] }>`
    select payrun_id, status, total_amount_cents, array(
      select booking_id::text from payrun_items item where item.payrun_id = payrun.payrun_id and kind = 'lesson'
    ) as items from payruns payrun`.execute(stage.db());
  const payruns = new Map(rows.map((payrun) => [payrun.payrunId, payrun]));
  const broken: string[] = [];
  for (const recorded of history.payruns) {
    const payrun = payruns.get(recorded.payrunId);
    const isSame =
      payrun?.totalAmountCents === recorded.totalAmountCents &&
      [...payrun.items].sort().join() === [...recorded.bookingIds].sort().join();
    if (!isSame) broken.push(`Payrun ${recorded.payrunId} differs from the one that was reported`);
  }
  for (const payrunId of history.paid) {
    if (payruns.get(payrunId)?.status !== 'paid')
      broken.push(`Reported as paid, but payrun ${payrunId} is not`);
  }
  return broken;
}

/**
 * Checks that every booking confirmed to a customer is in the customer's list. Reads the lists from both processes in
 * turn, and doesn't check a list that is longer than one page.
 */
async function checkFrontDoor(stage: LoadStage, club: Club, history: History): Promise<string[]> {
  const broken: string[] = [];
  for (const [index, customer] of club.customers.entries()) {
    const side = stage.sides[index % 2]!;
    const { body } = await stage.call(side, customer, bookingsApi.listMine, { limit: 50 });
    const seen = new Set(body?.bookings.map(({ bookingId }) => bookingId));
    const missing = history.booked.filter(
      ({ userId, bookingId }) => userId === customer.userId && !seen.has(bookingId),
    );
    if (!body) broken.push(`A process does not respond although all faults have ended`);
    else if (missing.length > 0 && !body.nextCursor) {
      broken.push(`${missing.length} confirmed bookings are missing from their customer's list`);
    }
  }
  return broken;
}
