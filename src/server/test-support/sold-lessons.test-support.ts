import { sql } from 'kysely';
import { payoutsApi } from '#domain/payouts/contract.ts';
import type { Someone, TestApp } from './test-app.test-support.ts';

/** A coach who has given bank details. */
export async function addPayableCoach(app: TestApp): Promise<Someone> {
  const coach = await app.signIn('coach');
  const account = { accountName: 'Ana Souza', sortCode: '089999', accountNumber: '66374958' };
  const { error } = await app.call(coach, payoutsApi.saveBankDetails, account);
  if (error) throw new Error(error.message);
  return coach;
}

/**
 * Inserts half-hour lessons sold at £50 with a fee of £1 into the books, as the product would have. The first ended
 * at `endedAt` (milliseconds), each further one an hour earlier. Returns the bookings' ids in that order.
 */
export async function writeSoldLessons(
  app: TestApp,
  coach: Someone,
  { count, endedAt }: { count: number; endedAt: number },
): Promise<string[]> {
  const customer = await app.signIn('customer');
  const { rows } = await sql<{ bookingId: string }>`
    with template as (
      insert into lesson_templates (coach_id, title, sport, duration_minutes, base_price_cents, lesson_type,
        min_capacity, max_capacity)
      values (${coach.userId}, 'Match play', 'tennis', 30, 5000, 'individual', 1, 1)
      returning template_id
    ), sale as (
      select gen_random_uuid() as slot_id, gen_random_uuid() as payment_id, gen_random_uuid() as booking_id, number,
        to_timestamp(${endedAt / 1000}) - number * interval '1 hour' as end_time
      from generate_series(0, ${count - 1}::integer) number
    ), slot as (
      insert into lesson_slots (slot_id, template_id, coach_id, start_time, end_time, lesson_type, min_capacity,
        max_capacity, price_cents, status, booked_count)
      select slot_id, template_id, ${coach.userId}, end_time - interval '30 minutes', end_time, 'individual', 1, 1, 5000,
        'completed', 1
      from sale, template returning slot_id
    ), payment as (
      insert into payments (payment_id, customer_user_id, amount_cents, status, stripe_customer_id,
        stripe_payment_method_id, stripe_payment_intent_id)
      select payment_id, ${customer.userId}, 5000, 'succeeded', 'cus_x', 'pm_x', 'pi_' || payment_id
      from sale returning payment_id
    ), booking as (
      insert into bookings (booking_id, slot_id, customer_user_id, payment_id, status, amount_cents, fee_cents,
        free_until_hours, late_refund_percent, refunds_enabled, during, hold_expires_at, booked_at)
      select booking_id, slot_id, ${customer.userId}, payment_id, 'booked', 5000, 100, 24, 0, true,
        tstzrange(end_time - interval '30 minutes', end_time), end_time, end_time - interval '1 day'
      from sale join slot using (slot_id) join payment using (payment_id) returning booking_id
    )
    select sale.booking_id from sale join booking using (booking_id) order by sale.number`.execute(app.db);
  const bookingIds = rows.map(({ bookingId }) => bookingId);
  await sql`
    insert into ledger_entries (booking_id, kind, amount_cents)
    select booking_id, kind, cents
    from unnest(${bookingIds}::uuid[]) booking_id, (values ('charged', 5000), ('fee', 100)) entry (kind, cents)`.execute(
    app.db,
  );
  return bookingIds;
}
