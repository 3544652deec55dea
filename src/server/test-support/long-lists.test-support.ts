import type pg from 'pg';

/** The admin, coach and customer of the lists that {@link seedLongLists} fills, and texts to search the lists for. */
export const longLists = {
  adminId: '00000000-0000-4000-8000-00000000000a',
  coachId: '00000000-0000-4000-8000-00000000000c',
  customerId: '00000000-0000-4000-8000-00000000000d',
  /** `common` and `commonShort` match almost everyone; `rare` and `short` match one person in ten thousand. */
  searches: { common: 'member', rare: 'zebedee', short: 'zq', commonShort: 'm', nobody: 'xx' },
};

// SQL for an id in the form of a version 4 UUID, which the API accepts.
const idOf = (kind: string, n = 'n') =>
  `overlay(overlay(md5('${kind}' || ${n}) placing '4' from 13) placing '8' from 17)::uuid`;
const { adminId, coachId, customerId } = longLists;

/**
 * Fills an empty, migrated database with `rows` users (at least 10,000), `rows` past bookings of one customer, `rows`
 * payruns and `rows` audit events of one admin. One coach has every `coachHasEvery`th booking, and nine other coaches
 * have the rest. The oldest fifth of the bookings was refunded or never paid, and the first coach's newest bookings are
 * in payruns: none of these can be paid out. Finally vacuums and analyses the tables.
 */
export async function seedLongLists(
  client: pg.Client,
  rows: number,
  { coachHasEvery }: { coachHasEvery: number },
): Promise<void> {
  const people = Math.max(rows, 10_000);
  // Filling the tables takes longer than a statement normally may.
  await client.query('set statement_timeout = 0');
  await client.query(`
    insert into users (user_id, email, password_hash, email_confirmed_at)
    select ${idOf('user')}, 'member-' || n || '@club.example', '', now() from generate_series(1, ${people}) n
    union all values ('${adminId}'::uuid, 'admin@lists.example', '', now()), ('${coachId}'::uuid, 'coach@lists.example', '', now()),
      ('${customerId}'::uuid, 'customer@lists.example', '', now());
    insert into profiles (user_id, email, full_name, roles, created_at)
    select ${idOf('user')}, 'member-' || n || '@club.example',
      case when n % 10000 = 0 then 'Zebedee Zq' else 'Member' end || ' ' || n,
      case when n % 1000 = 0 then '{customer,coach}' else '{customer}' end::text[], now() - n * interval '5 minutes'
    from generate_series(1, ${people}) n
    union all values ('${adminId}'::uuid, 'admin@lists.example', 'Ada Admin', '{admin}'::text[], now()),
      ('${coachId}'::uuid, 'coach@lists.example', 'Carla Coach', '{coach}', now()),
      ('${customerId}'::uuid, 'customer@lists.example', 'Kim Customer', '{customer}', now());
    insert into coaches (coach_id) select user_id from profiles where roles @> '{coach}';
    insert into coach_bank_details (coach_id, account_name, account_number_encrypted, sort_code_encrypted)
    values ('${coachId}', 'Carla Coach', 'encrypted', 'encrypted');
    insert into lesson_templates (template_id, coach_id, title, sport, duration_minutes, base_price_cents, lesson_type,
      min_capacity, max_capacity)
    values (${idOf('template', "''")}, '${coachId}', 'Match play', 'tennis', 30, 5000, 'individual', 1, 1)`);
  await client.query(`
    create temp table seed_bookings as
    select n, now() - n * interval '45 minutes' as start_time,
      case when n <= ${rows} * 0.8 then 'booked' when n % 4 < 2 then 'cancelled' else 'released' end as status,
      n % ${coachHasEvery} = 1 and n <= least(5000, ${rows} / 4) as is_in_payrun,
      case when n % ${coachHasEvery} = 1 then '${coachId}' else ${idOf('user', '(1000 * (1 + n % 9))')} end as coach_id
    from generate_series(1, ${rows}) n;
    insert into lesson_slots (slot_id, template_id, coach_id, start_time, end_time, lesson_type, sport, min_capacity,
      max_capacity, price_cents, status, booked_count)
    select ${idOf('slot')}, ${idOf('template', "''")}, coach_id, start_time, start_time + interval '30 minutes',
      'individual', 'tennis', 1, 1, 5000, 'completed', (status = 'booked')::int
    from seed_bookings;
    insert into payments (payment_id, customer_user_id, amount_cents, status, stripe_payment_intent_id,
      stripe_customer_id, stripe_payment_method_id)
    select ${idOf('payment')}, '${customerId}', 5000, case status when 'released' then 'failed' else 'succeeded' end, 'pi_' || n,
      'cus_lists', 'pm_lists'
    from seed_bookings;
    insert into bookings (booking_id, slot_id, customer_user_id, payment_id, status, amount_cents, fee_cents,
      charged_cents, free_until_hours, late_refund_percent, refunds_enabled, during, hold_expires_at, created_at,
      booked_at, cancelled_at, cancelled_by, is_owed, is_in_payrun)
    select ${idOf('booking')}, ${idOf('slot')}, '${customerId}', ${idOf('payment')}, status, 5000, 100,
      case status when 'released' then 0 else 5000 end, 24, 0, true,
      tstzrange(start_time, start_time + interval '30 minutes'), start_time, start_time - interval '2 days', start_time,
      case status when 'cancelled' then start_time end, case status when 'cancelled' then 'customer' end,
      status <> 'cancelled', is_in_payrun
    from seed_bookings;
    insert into payment_lines (payment_id, line_no, booking_id, amount_cents)
    select ${idOf('payment')}, 1, ${idOf('booking')}, 5000 from seed_bookings on conflict do nothing;
    insert into refunds (refund_id, payment_id, amount_cents, reason, status)
    select ${idOf('refund')}, ${idOf('payment')}, 5000, 'customer_cancelled', 'succeeded' from seed_bookings
    where status = 'cancelled';
    insert into refund_lines (refund_id, booking_id, amount_cents, coach_cents, fee_cents)
    select ${idOf('refund')}, ${idOf('booking')}, 5000, 4900, 100 from seed_bookings where status = 'cancelled';
    insert into ledger_entries (booking_id, kind, amount_cents, source_id, created_at)
    select ${idOf('booking')}, entry.kind, entry.cents,
      case when is_always then ${idOf('payment')} else ${idOf('refund')} end, start_time - entry.before
    from seed_bookings
    join (values ('charged', 5000, interval '2 days', true), ('fee', 100, interval '2 days', true),
      ('refunded', -5000, interval '1 hour', false), ('fee_refunded', -100, interval '1 hour', false)
    ) entry (kind, cents, before, is_always) on entry.is_always or status = 'cancelled'
    where status <> 'released'
    order by n desc`);
  await client.query(`
    insert into payruns (payrun_id, total_amount_cents, payment_reference, created_at, created_by, status, paid_at)
    select ${idOf('payrun')}, 245000, 'PAYRUN', now() - n * interval '1 hour', '${adminId}',
      case when n > 2 then 'paid' else 'pending' end, case when n > 2 then now() end
    from generate_series(1, ${rows}) n;
    insert into payrun_recipients (payrun_id, coach_id, amount_cents, account_name, account_number_encrypted,
      sort_code_encrypted, recipient_type, bank_country, bank_details_at)
    select payrun_id, '${coachId}', total_amount_cents, 'Carla Coach', 'encrypted', 'encrypted', 'Individual', 'GB', created_at
    from payruns;
    insert into payrun_items (payrun_id, coach_id, booking_id, kind, amount_cents)
    select ${idOf('payrun', '(1 + n / 50)')}, '${coachId}', ${idOf('booking')}, 'lesson', 4900
    from seed_bookings where is_in_payrun;
    insert into audit_log (actor_user_id, action, subject_type, subject_id)
    select '${adminId}', 'thing.changed',
      case when n % 100 = 0 then 'setting' when n % 50 = 0 then 'profile' else 'lesson_slot' end, ${idOf('user')}::text
    from generate_series(1, ${rows}) n`);
  await client.query('drop table seed_bookings; reset statement_timeout');
  await client.query('vacuum analyze');
}
