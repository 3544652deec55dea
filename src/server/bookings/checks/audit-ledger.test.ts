import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { auditLedger } from './audit-ledger.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
beforeAll(async () => {
  const [customer, other] = [await club.join(), await club.join()];
  const [kept, cancelled] = [await club.publish(), await club.publish()];
  await club.book(customer, kept);
  await club.book(other, kept);
  const { bookingId } = (await club.book(customer, cancelled)).body;
  await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
  await eventually(async () => (await club.readBookings(cancelled))[0]!.status === 'refunded');
});

const booked = `(select booking_id from bookings where status = 'booked' order by booking_id limit 1)`;
const paid = `(select min(payment_id::text)::uuid from bookings where status = 'booked')`;

test.each([
  [
    'its amount differs',
    `update payments set amount_cents = 4999 where payment_id = ${paid}`,
    `update payments set amount_cents = 5000 where amount_cents = 4999`,
  ],
  [
    'a line differs',
    `update payment_lines set amount_cents = 5001 where payment_id = ${paid}`,
    `update payment_lines set amount_cents = 5000 where amount_cents = 5001`,
  ],
])("finds a payment whose lines don't add up to its amount: %s [BASE-1]", async (_, corruption, mending) => {
  const rule = "Every payment's lines add up to its amount and are for its customer's bookings";
  const find = async () => (await auditLedger(app.db)).filter((finding) => finding.rule === rule);
  expect(await find()).toEqual([]);
  const { rows } = await sql<{ paymentId: string }>`select ${sql.raw(paid)} as payment_id`.execute(app.db);
  await sql.raw(corruption).execute(app.db);
  const found = await find();
  await sql.raw(mending).execute(app.db);
  expect(found).toMatchObject([{ rows: [{ paymentId: rows[0]!.paymentId }] }]);
  expect(await find()).toEqual([]);
});

// Each case has part of the rule's name, the statement that breaks the rule and the statement that repairs the data.
test.each([
  [
    'booked_count is the number',
    `update lesson_slots set booked_count = 3 where booked_count = 2`,
    `update lesson_slots set booked_count = 2 where booked_count = 3`,
  ],
  [
    'Every confirmed booking is paid for',
    `update payments set status = 'failed' where payment_id = ${paid}`,
    `update payments set status = 'succeeded' where status = 'failed'`,
  ],
  [
    'A held seat has an unfinished payment',
    `update payments set status = 'processing' where payment_id = ${paid}`,
    `update payments set status = 'succeeded' where status = 'processing'`,
  ],
  [
    'released booking is refunded in full',
    `update bookings set status = 'released' where payment_id = ${paid}`,
    `update bookings set status = 'booked' where status = 'released'`,
  ],
  [
    'No more is refunded than was charged',
    `update refunds set amount_cents = 5001`,
    `update refunds set amount_cents = 5000`,
  ],
  [
    'a refunded one no unpaid refund',
    `update refunds set status = 'pending'`,
    `update refunds set status = 'succeeded'`,
  ],
  [
    'long after its hold expired',
    `update bookings set status = 'pending', hold_expires_at = now() - interval '1 hour' where payment_id = ${paid}`,
    `update bookings set status = 'booked' where status = 'pending'`,
  ],
  [
    'No failed refund',
    `update refunds set status = 'failed', given_up_at = now()`,
    `update refunds set status = 'succeeded'`,
  ],
  [
    "Our ledger agrees with Stripe's",
    `update payments set stripe_payment_intent_id = 'x' || stripe_payment_intent_id where payment_id = ${paid}`,
    `update payments set stripe_payment_intent_id = ltrim(stripe_payment_intent_id, 'x')`,
  ],
  [
    'No cancelled lesson has an active booking',
    `update lesson_slots set status = 'cancelled', booked_count = 0 where booked_count = 2`,
    `update lesson_slots set status = 'scheduled', booked_count = 2 where status = 'cancelled'`,
  ],
  [
    'at the time of its lesson',
    `update lesson_slots set end_time = end_time + interval '7 minutes' where booked_count = 2`,
    `update lesson_slots set end_time = end_time - interval '7 minutes' where booked_count = 2`,
  ],
  [
    'that the coach cancelled is refunded',
    `update bookings set cancelled_by = 'coach', refunded_cents = 4999 where cancelled_by = 'customer'`,
    `update bookings set cancelled_by = 'customer', refunded_cents = 5000 where cancelled_by = 'coach'`,
  ],
  [
    'A desk refund adds up',
    `insert into refund_requests (booking_id, amount_cents, borne_by, reason, needs_second_admin, status, asked_by,
        decided_by, decided_at)
      select booking_id, 100, 'coach', 'Late', false, 'made', customer_user_id, customer_user_id, now()
      from bookings where booking_id = ${booked}`,
    'delete from refund_requests',
  ],
  // Ledger entries can only be added, so this case cannot be repaired and is last.
  [
    'The ledger agrees with payments',
    `insert into ledger_entries (booking_id, kind, amount_cents, source_id)
      values (${booked}, 'refunded', -1, gen_random_uuid())`,
    '',
  ],
])('finds a broken rule: %s', async (rule, corruption, mending) => {
  expect(await auditLedger(app.db, app.cards)).toEqual([]);
  await sql.raw(corruption).execute(app.db);
  const findings = await auditLedger(app.db, app.cards);
  if (mending) await sql.raw(mending).execute(app.db);
  expect(findings.map((finding) => finding.rule).join('\n')).toContain(rule);
});

test('compares only payments charged or refunded since a given instant with Stripe', async () => {
  const rule = "Our ledger agrees with Stripe's";
  const compare = async (since: string) =>
    (await auditLedger(app.db, app.cards, { since })).find((finding) => finding.rule === rule)?.rows ?? [];
  const hours = (n: number) => new Date(Date.now() + n * 3_600_000).toISOString();
  const { rows } = await sql<{ paymentId: string; intentId: string }>`
    select payment_id, stripe_payment_intent_id as intent_id from payments where payment_id = ${sql.raw(paid)}`.execute(
    app.db,
  );
  const { paymentId, intentId } = rows[0]!;
  await sql`update payments set amount_cents = 4000 where payment_id = ${paymentId}`.execute(app.db);
  expect(await compare(hours(-1)), 'charged since').toMatchObject([{ intentId }]);
  expect(await compare(hours(2)), 'charged before').toEqual([]);
  await sql`update payments set amount_cents = 5000 where payment_id = ${paymentId}`.execute(app.db);

  // Adds a later refund that exists only in our database.
  await sql`insert into refunds (payment_id, amount_cents, status, reason, updated_at)
    values (${paymentId}, 1000, 'succeeded', 'customer_cancelled', ${hours(3)})`.execute(app.db);
  expect(await compare(hours(2)), 'refunded since').toMatchObject([
    { intentId, stripe: { refundedCents: 0 }, ledger: { refundedCents: 1000 } },
  ]);
});
