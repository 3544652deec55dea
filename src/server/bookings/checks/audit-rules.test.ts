import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { payrunApi } from '#domain/payouts/payrun-contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { outputOf, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { addPayableCoach } from '#server/test-support/sold-lessons.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { closeMonths } from '../close-months.ts';
import { refundBooking } from '../refunds/refund-booking.ts';
import { type Finding, findBrokenRules, readRules } from './audit-ledger.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const admin = beforeTests(() => app.signIn('admin'));

// Creates two bookings of one lesson, a refunded cancellation, a payout followed by a refund and its deduction, a
// payment that the bank returned, and a lesson in a month that is closed.
beforeAll(async () => {
  const [customer, other] = [await club.join(), await club.join()];
  const [kept, cancelled] = [await club.publish(), await club.publish()];
  await club.book(customer, kept);
  await club.book(other, kept);
  const { bookingId } = (await club.book(customer, cancelled)).body;
  await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
  await eventually(async () => (await club.readBookings(cancelled))[0]!.status === 'refunded');

  const [coach, returned] = [await addPayableCoach(app), await addPayableCoach(app)];
  const [paid, failed] = [await sell(coach, 20), await sell(returned, 20)];
  const payrunId = await pay([paid, failed]);
  await app.db
    .transaction()
    .execute((tx) => refundBooking(tx, { bookingId: paid, cents: 1000, borneBy: 'coach' }));
  await pay([await sell(coach, 10)]);
  const input = { payrunId, coachId: returned.userId, reason: 'Account closed' };
  await outputOf(app.call(admin, payrunApi.enterReturn, input));
  await sell(coach, 24 * 70);
  await closeMonths(app.db);
  await club.expectLedgerInOrder();
});

/** Sells a lesson of this coach that began this many hours ago; returns the booking's id. */
async function sell({ userId: coachId }: Someone, hoursAgo: number): Promise<string> {
  const slotId = await club.publish({ coachId });
  const { bookingId } = (await club.book(await club.join(), slotId)).body;
  await club.putAt(slotId, -60 * hoursAgo);
  return bookingId;
}

async function pay(bookingIds: string[]): Promise<string> {
  const { payrun } = await outputOf(app.call(admin, payoutsApi.createPayrun, { bookingIds }));
  await outputOf(app.call(admin, payoutsApi.markPayrunPaid, { payrunId: payrun.payrunId }));
  return payrun.payrunId;
}

class Undone extends Error {}

const tables = [
  ...['lesson_slots', 'bookings', 'payments', 'payment_lines', 'refunds', 'refund_lines', 'ledger_entries'],
  ...[
    'payruns',
    'payrun_items',
    'payrun_returns',
    'customer_coaches',
    'coach_ledger_months',
    'coach_lesson_months',
  ],
];
const withoutTriggers = tables.map((table) => `alter table ${table} disable trigger user`);

/**
 * Returns the rules that these statements break, then rolls the statements back. No trigger prevents them, because user
 * triggers are disabled.
 */
async function breakBy(statements: readonly string[]): Promise<Finding[]> {
  let broken: Finding[] = [];
  const undone = app.db.transaction().execute(async (tx) => {
    for (const statement of [...withoutTriggers, ...statements]) await sql.raw(statement).execute(tx);
    broken = await findBrokenRules(tx);
    throw new Undone();
  });
  await expect(undone).rejects.toThrow(Undone);
  return broken;
}

const kept = `payment_id in (select payment_id from bookings where status = 'booked' and not is_in_payrun)`;
const shared = 'slot_id = (select slot_id from lesson_slots where booked_count = 2)';
const dispute = (updatedAt: string, which: string) =>
  `insert into disputes (dispute_id, payment_id, status, amount_cents, updated_at)
    select 'dp_audit', min(payment_id::text)::uuid, 'needs_response', 5000, ${updatedAt} from bookings where ${which}`;

// The beginning of each rule of audit.sql, and statements that break it.
const cases: [rule: string, ...statements: string[]][] = [
  ["A slot's booked_count is", 'update lesson_slots set booked_count = 1 where booked_count = 2'],
  [
    'No slot has more active bookings',
    'alter table lesson_slots drop constraint lesson_slots_seats_within_capacity',
    'update lesson_slots set max_capacity = 1, min_capacity = 1 where booked_count = 2',
  ],
  [
    'No participant has two active bookings',
    'drop index bookings_one_active_per_slot',
    'alter table bookings drop constraint bookings_customer_never_overlap',
    `update bookings set participant_id = (select min(participant_id::text)::uuid from bookings where ${shared}) where ${shared}`,
  ],
  [
    'No cancelled lesson has an active booking',
    `update lesson_slots set status = 'cancelled', booked_count = 0 where booked_count = 2`,
  ],
  [
    'An active booking is at the time',
    `update bookings set during = tstzrange(lower(during), upper(during) + interval '7 minutes') where ${shared}`,
  ],
  [
    'Every booking of a lesson that the coach cancelled',
    `update bookings set cancelled_by = 'coach', refunded_cents = 4999 where status = 'refunded'`,
  ],
  ["Every payment's lines add up", `update payment_lines set amount_cents = 5001 where ${kept}`],
  ['Every booking has a payment', `update bookings set charged_cents = 5001 where ${shared}`],
  ['Every confirmed booking is paid for', `update payments set status = 'failed' where ${kept}`],
  [
    'A held seat has an unfinished payment',
    `update payments set status = 'processing', hold_number = 1 where ${kept}`,
  ],
  ['A charge for a released booking', `update bookings set status = 'released' where ${shared}`],
  ['No more is refunded than was charged', 'update refunds set amount_cents = 5001'],
  [
    'No more is refunded of a booking',
    'update refund_lines set amount_cents = 5001, coach_cents = coach_cents + 1 where amount_cents = 5000',
  ],
  ["A refund's lines add up", 'update refunds set amount_cents = 5001 where amount_cents = 5000'],
  ['A refund borne by the platform', `update refunds set borne_by = 'platform'`],
  [
    'A desk refund adds up',
    `insert into refund_requests (booking_id, amount_cents, borne_by, reason, needs_second_admin, status, asked_by,
        decided_by, decided_at)
      select booking_id, 100, 'coach', 'Late', false, 'made', customer_user_id, customer_user_id, now()
      from bookings where ${shared}`,
  ],
  ['A pending booking has no refund', `update refunds set status = 'pending'`],
  ["A booking's refunded amount", `update bookings set refunded_cents = 4999 where status = 'refunded'`],
  ['The ledger agrees with payments', `update ledger_entries set amount_cents = 5001 where kind = 'charged'`],
  [
    'Every ledger entry names',
    `update ledger_entries set source_id = gen_random_uuid() where kind = 'charged'`,
  ],
  [
    'Nothing is entered twice',
    'drop index ledger_entries_once',
    `insert into ledger_entries (booking_id, coach_id, kind, amount_cents, source_id)
      select booking_id, coach_id, kind, amount_cents, source_id from ledger_entries where kind = 'fee'`,
  ],
  [
    'Every successful payment',
    'alter table payments drop constraint payments_succeeded_has_payment_intent',
    `update payments set stripe_payment_intent_id = null where ${kept}`,
  ],
  [
    'No booking is pending long after',
    `update bookings set status = 'pending', hold_expires_at = now() - interval '1 hour' where ${shared}`,
  ],
  ['No failed refund waits', `update refunds set status = 'failed', given_up_at = now()`],
  [
    'Refunds made in Stripe cover no more',
    `insert into external_refunds (stripe_refund_id, payment_id, amount_cents, status, refund_id, covers_cents, made_at)
      select 're_audit', payment_id, 6000, 'succeeded', refund_id, 6000, now() from refunds where amount_cents = 5000`,
  ],
  ['A booking has at most one payrun item', 'update bookings set is_in_payrun = false'],
  ["A payrun's total is", 'update payruns set total_amount_cents = total_amount_cents + 1'],
  ["A payrun's items are cancelled", `update payrun_items set is_cancelled = true where kind = 'lesson'`],
  ['Only payments of paid payruns', `update payruns set status = 'pending', paid_at = null, paid_by = null`],
  [
    'No more is deducted after a refund',
    `update payrun_items set amount_cents = amount_cents - 1 where kind = 'carried_forward'`,
  ],
  [
    'A deduction is at most',
    `update payrun_items set amount_cents = amount_cents - 1 where kind = 'carried_forward'`,
  ],
  [
    'The ledger agrees with paid payruns',
    `update ledger_entries set amount_cents = amount_cents - 1 where kind = 'paid_out'`,
  ],
  [
    'The ledger reverses exactly',
    `update ledger_entries set amount_cents = amount_cents - 1 where kind = 'payout_returned'`,
  ],
  [
    'A payrun pays the coach',
    `update payrun_items item set coach_id = (
        select coach_id from payrun_recipients other
        where other.payrun_id = item.payrun_id and other.coach_id <> item.coach_id)
      where payrun_id = (select payrun_id from payrun_returns)`,
  ],
  ['No payrun includes a booking', dispute(`now() - interval '1 hour'`, 'is_in_payrun')],
  [
    'Every refund made in Stripe counts',
    `insert into external_refunds (stripe_refund_id, payment_id, amount_cents, status, made_at)
      select 're_audit', min(payment_id::text)::uuid, 100, 'succeeded', now() from payments where ${kept}`,
  ],
  ["A lost dispute's refunds", `update refunds set reason = 'dispute'`],
  ['No payout is withheld', dispute('now()', shared)],
  [
    'A lesson that needed a note',
    `update payrun_items set payout_needs = 'note' where kind = 'lesson'`,
    `update bookings set attended = true, status = 'attended' where status = 'booked'`,
  ],
  ["A customer's sums for closed months", 'update customer_coaches set minutes = minutes + 1'],
  [
    "A coach's monthly sums",
    `insert into coach_ledger_months
    select coach_id, '2026-01-01', 5000, 0, 100, 0 from coach_lesson_months`,
  ],
  ["A coach's monthly share", 'update coach_lesson_months set share_cents = share_cents + 1'],
];

test('finds no broken rule in correct data', async () => {
  expect(await breakBy([])).toEqual([]);
});

test.each(cases)('reports a broken rule: %s [BASE-1, BASE-5]', async (rule, ...statements) => {
  const broken = await breakBy(statements);
  expect(broken.map((finding) => finding.rule)).toContainEqual(expect.stringMatching(`^${rule}`));
});

test('has a case for every rule of the audit', async () => {
  const rules = (await readRules()).map(({ rule }) => rule);
  expect(rules.filter((rule) => !cases.some(([start]) => rule.startsWith(start)))).toEqual([]);
  expect(cases.length).toBe(rules.length);
});

const copyOf = (table: string, columns: string, where: string, changed: Record<string, string> = {}) =>
  `insert into ${table} (${columns}) select ${columns
    .split(', ')
    .map((column) => changed[column] ?? column)
    .join(', ')} from ${table} where ${where}`;
const item = 'payrun_id, coach_id, booking_id, kind, amount_cents, refund_id';
const returned = 'payrun_id, coach_id, reason, entered_by';
const request = (status: string, by: { second: boolean; decided: boolean }) =>
  `insert into refund_requests (booking_id, amount_cents, borne_by, reason, needs_second_admin, status, asked_by,
      decided_by, decided_at)
    select booking_id, 100, 'coach', 'Late', ${by.second}, '${status}', customer_user_id,
      ${by.decided ? 'customer_user_id, now()' : 'null, null'} from bookings where ${shared}`;
const oneParticipant = `update bookings
  set participant_id = (select min(participant_id::text)::uuid from bookings where ${shared}) where ${shared}`;
const dependant = (columns: string, values: string) =>
  `insert into participants (kind, ${columns}) values ('dependant', ${values})`;

// Part of the database's error message, and statements of which the database refuses the last.
const refusals: [refusal: string, ...statements: string[]][] = [
  [
    'bookings_one_active_per_slot',
    'alter table bookings drop constraint bookings_customer_never_overlap',
    oneParticipant,
  ],
  ['bookings_customer_never_overlap', 'drop index bookings_one_active_per_slot', oneParticipant],
  ['bookings_refunded_within_charged', 'update bookings set refunded_cents = charged_cents + 1'],
  [
    'is still pending',
    `update bookings set status = 'pending' where ${shared}`,
    `update payments set status = 'failed'
      where payment_id in (select payment_id from bookings where status = 'pending')`,
  ],
  [
    'payment_lines_booking_once',
    copyOf('payment_lines', 'payment_id, line_no, booking_id, amount_cents', 'true', { line_no: '2' }),
  ],
  ['refund_lines_parts_add_up', 'update refund_lines set coach_cents = coach_cents + 1'],
  [
    'ledger_entries_once',
    copyOf('ledger_entries', 'booking_id, coach_id, kind, amount_cents, source_id', `kind = 'charged'`),
  ],
  ['ledger_entries is append-only', 'update ledger_entries set amount_cents = amount_cents'],
  ['ledger_entries is append-only', 'delete from ledger_entries'],
  [
    'payrun_items_one_live_lesson',
    copyOf('payrun_items', item, `kind = 'lesson' and not is_cancelled`, {
      payrun_id: '(select payrun_id from payruns p where p.payrun_id <> payrun_items.payrun_id)',
    }),
  ],
  ['payrun_items_once', copyOf('payrun_items', item, 'is_cancelled')],
  ['payrun_items is append-only', 'update payrun_items set is_cancelled = false where is_cancelled'],
  ['payrun_returns_pkey', copyOf('payrun_returns', returned, 'true')],
  ['payrun_returns is append-only', `update payrun_returns set reason = 'Another reason'`],
  ['payrun_returns is append-only', 'delete from payrun_returns'],
  [
    'is not paid',
    'alter table payruns disable trigger user',
    `update payruns set status = 'pending', paid_at = null, paid_by = null`,
    copyOf('payrun_returns', returned, 'true'),
  ],
  ['refund_requests_one_waiting', ...Array(2).fill(request('waiting', { second: true, decided: false }))],
  ['refund_requests_made_by_second_admin', request('made', { second: true, decided: true })],
  ['refund_requests_decided_unless_waiting', request('waiting', { second: true, decided: true })],
  [
    'external_refunds_covers_only_a_refund',
    `insert into external_refunds (stripe_refund_id, payment_id, amount_cents, status, covers_cents, made_at)
      select 're_guard', payment_id, 100, 'succeeded', 100, now() from payments where ${kept} limit 1`,
  ],
  [
    'disputes_booked_is_whole',
    `insert into disputes (dispute_id, payment_id, status, amount_cents, booked_at)
      select 'dp_guard', payment_id, 'lost', 100, now() from payments where ${kept} limit 1`,
  ],
  ['participants_birth_of_dependants', dependant('full_name', `'Mia'`)],
  ['participants_name_of_dependants', dependant('date_of_birth', `'2017-05-28'`)],
  ['participants_deleted_is_empty', dependant('date_of_birth, deleted_at', `'2017-05-28', now()`)],
  [
    'participant_care_is_encrypted',
    `insert into participant_care (participant_id, care_encrypted) select participant_id, '{}' from participants limit 1`,
  ],
  [
    'consents_choice_of_kind',
    `insert into consents (participant_id, kind, choice, text_version, given_by)
      select participant_id, 'photos', 'yes', '1', participant_id from participants where kind = 'self' limit 1`,
  ],
  [
    'guardians_pkey',
    ...Array(2).fill(`insert into guardians (participant_id, user_id, relation)
      select min(participant_id::text)::uuid, min(participant_id::text)::uuid, 'parent' from participants`),
  ],
  ['lesson_slots_ages_in_order', 'update lesson_slots set min_age = 9, max_age = 8'],
];

test.each(refusals)(
  'makes the database refuse invalid data: %s [BASE-3, BASE-5, BASE-6]',
  async (refusal, ...statements) => {
    const last = statements.pop()!;
    const refused = app.db.transaction().execute(async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx);
      await expect(sql.raw(last).execute(tx)).rejects.toThrow(refusal);
      throw new Undone();
    });
    await expect(refused).rejects.toThrow(Undone);
  },
);
