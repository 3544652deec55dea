import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, expect, inject, test } from 'vitest';
import { openDatabase, openPool } from '#server/platform/db/db.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import { packageRoot } from '#server/platform/package-root.ts';
import { dropDatabase } from '#server/test-support/drop-database.test-support.ts';
import { auditLedger } from './audit-ledger.ts';

const name = `${inject('databasePrefix')}_former_${process.pid}`;
const url = new URL(inject('postgresUrl'));
url.pathname = `/${name}`;
afterEach(() => dropDatabase(inject('postgresUrl'), name));

/** Migrates a new database to the schema in which payments and refunds had no lines yet. */
async function openFormer(): Promise<Client> {
  const server = new Client({ connectionString: inject('postgresUrl') });
  await server.connect();
  await server.query(`create database ${name}`).finally(() => server.end());
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await client.query(`create table schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  const directory = join(packageRoot, 'migrations');
  const former = readdirSync(directory).filter((file) => /^00(0\d|1[0-5])_.*\.sql$/.test(file));
  for (const file of former.sort()) {
    const text = readFileSync(join(directory, file), 'utf8');
    await client.query(text);
    const checksum = createHash('sha256').update(text).digest('hex');
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [file, checksum]);
  }
  await client.query(`
    insert into users (user_id, email, password_hash) select id, id || '@former.example', '' from (values
      ('${coach}'::uuid), ('${customer}'), ('${admin}')) person (id);
    insert into profiles (user_id, email, full_name, roles) select user_id, email, 'Kim', '{customer,coach}' from users;
    insert into coaches (coach_id) values ('${coach}');
    insert into lesson_templates (template_id, coach_id, title, sport, duration_minutes, base_price_cents, lesson_type,
      min_capacity, max_capacity) values ('${coach}', '${coach}', 'Tennis', 'tennis', 60, 5000, 'individual', 1, 1)`);
  return client;
}

const [coach, customer, admin] = ['a', 'b', 'c'].map(
  (digit) => `${digit}0000000-0000-4000-8000-000000000000`,
);

// The statements of the previous version.
let lessons = 0;
async function hold(client: Client): Promise<string> {
  lessons += 1;
  const { rows } = await client.query(`
    with slot as (
      insert into lesson_slots (template_id, coach_id, start_time, end_time, lesson_type, min_capacity, max_capacity,
        price_cents, booked_count)
      values ('${coach}', '${coach}', now() + interval '${lessons} days', now() + interval '${lessons} days 1 hour',
        'individual', 1, 1, 5000, 1)
      returning slot_id, start_time, end_time
    ), payment as (
      insert into payments (customer_user_id, amount_cents, stripe_customer_id, stripe_payment_method_id)
      values ('${customer}', 5000, 'cus', 'pm') returning payment_id
    )
    insert into bookings (slot_id, customer_user_id, payment_id, amount_cents, fee_cents, free_until_hours,
      late_refund_percent, refunds_enabled, during, hold_expires_at, title, description, sport, coach_name)
    select slot_id, '${customer}', payment_id, 5000, 100, 24, 0, true, tstzrange(start_time, end_time),
      now() + interval '15 minutes', 'Tennis', '', 'tennis', 'Kim'
    from slot, payment returning booking_id`);
  return rows[0].booking_id;
}

const confirm = (client: Client, bookingId: string) =>
  client.query(`
    with booking as (
      update bookings set status = 'booked', booked_at = now()
      where booking_id = '${bookingId}' and status = 'pending' returning *
    ), payment as (
      update payments set status = 'succeeded', stripe_payment_intent_id = 'pi_${bookingId}', updated_at = now()
      from booking where payments.payment_id = booking.payment_id
    )
    insert into ledger_entries (booking_id, kind, amount_cents)
    select booking_id, 'charged', amount_cents from booking union all select booking_id, 'fee', fee_cents from booking`);

const cancel = (client: Client, bookingId: string, cents: number, feeCents: number) =>
  client.query(`
    with booking as (
      update bookings set status = 'refunded', cancelled_at = now(), cancelled_by = 'customer'
      where booking_id = '${bookingId}' returning *
    ), slot as (
      update lesson_slots set booked_count = 0 from booking where lesson_slots.slot_id = booking.slot_id
    ), refund as (
      insert into refunds (payment_id, amount_cents, reason, status)
      select payment_id, ${cents}, 'customer_cancelled', 'succeeded' from booking returning refund_id
    )
    insert into ledger_entries (booking_id, kind, amount_cents, source_id)
    select booking_id, 'refunded', -${cents}, refund_id from booking, refund
    union all select booking_id, 'fee_refunded', -${feeCents}, refund_id from booking, refund`);

const returnLate = (client: Client, bookingId: string) =>
  client.query(`
    with payment as (
      update payments set status = 'succeeded', stripe_payment_intent_id = 'pi_${bookingId}', updated_at = now()
      where payment_id = (select payment_id from bookings where booking_id = '${bookingId}') and status = 'failed'
      returning payment_id, amount_cents
    ), refund as (
      insert into refunds (payment_id, amount_cents, reason, status)
      select payment_id, amount_cents, 'paid_after_release', 'succeeded' from payment returning refund_id, amount_cents
    )
    insert into ledger_entries (booking_id, kind, amount_cents, source_id)
    select '${bookingId}'::uuid, 'charged', amount_cents, null from payment
    union all select '${bookingId}'::uuid, 'refunded', -amount_cents, refund_id from refund`);

const release = (client: Client, bookingId: string) =>
  client.query(`
    with released as (
      update bookings set status = 'released' where booking_id = '${bookingId}' and status = 'pending' returning *
    ), failed as (
      update payments set status = 'failed' from released where payments.payment_id = released.payment_id
    )
    update lesson_slots set booked_count = 0 from released where lesson_slots.slot_id = released.slot_id`);

/**
 * Makes one booking for each outcome in the previous version: kept, cancelled early, cancelled late, released, paid
 * after its release, and still held.
 */
async function bookEverything(client: Client): Promise<void> {
  const [kept, cancelled, late, released, lost] = await Promise.all([1, 2, 3, 4, 5].map(() => hold(client)));
  for (const bookingId of [kept!, cancelled!, late!]) await confirm(client, bookingId);
  await cancel(client, cancelled!, 5000, 100);
  await cancel(client, late!, 1234, 25);
  for (const bookingId of [released!, lost!]) await release(client, bookingId);
  await returnLate(client, lost!);
  await hold(client);
}

/** The ledger's sums, the bookings' statuses, and the totals charged and refunded. No migration may change them. */
async function readFigures(client: Client): Promise<object> {
  const { rows } = await client.query(`
    select (select json_object_agg(kind, cents order by kind) from (
        select kind, sum(amount_cents) as cents from ledger_entries group by kind) entry) as ledger,
      (select json_agg(json_build_array(booking_id, status, refunded_cents, is_owed) order by booking_id)
        from bookings) as bookings,
      (select sum(amount_cents) from payments where status = 'succeeded') as charged,
      (select sum(amount_cents) from refunds) as refunded`);
  return rows[0];
}

test('adds lines to payments and refunds of the previous version [BASE-10]', async () => {
  const client = await openFormer();
  const db = openDatabase(openPool(url.href, { size: 2 }));
  try {
    await bookEverything(client);
    const pending = await hold(client);
    const before = await readFigures(client);
    await migrate(url.href);
    expect(await readFigures(client)).toEqual(before);
    expect(await auditLedger(db)).toEqual([]);

    await confirm(client, pending);
    await bookEverything(client);
    expect(await auditLedger(db)).toEqual([]);
    const { rows } = await client.query(`
      select (select count(*)::int from bookings) as bookings, (select count(*)::int from payment_lines) as lines,
        (select count(*)::int from refunds) as refunds, (select count(*)::int from refund_lines) as refund_lines,
        (select sum(charged_cents)::int from bookings) as charged`);
    expect(rows[0]).toEqual({ bookings: 13, lines: 13, refunds: 6, refund_lines: 6, charged: 45_000 });
  } finally {
    await client.end();
    await db.destroy();
  }
});

test('sets the participant of old bookings and of ones added by the previous version [BASE-8c]', async () => {
  const client = await openFormer();
  try {
    await bookEverything(client);
    await migrate(url.href);
    await bookEverything(client);
    const newcomer = 'd0000000-0000-4000-8000-000000000000';
    await client.query(`
      insert into users (user_id, email, password_hash) values ('${newcomer}', 'new@former.example', '');
      insert into profiles (user_id, email, full_name) values ('${newcomer}', 'new@former.example', 'Jo')`);
    const { rows } = await client.query(`
      select (select count(*)::int from bookings where participant_id = customer_user_id) as bookings,
        (select json_agg(participant_id order by participant_id) from participants where kind = 'self') as participants`);
    expect(rows[0]).toEqual({ bookings: 12, participants: [coach, customer, admin, newcomer] });
    // The previous version recognises these refusals by their names.
    const again = `insert into bookings (slot_id, customer_user_id, payment_id, amount_cents, fee_cents,
        free_until_hours, late_refund_percent, refunds_enabled, during, hold_expires_at)
      select slot_id, customer_user_id, payment_id, 0, 0, 24, 0, true, during, now() from bookings
      where status = 'booked' limit 1`;
    await expect(client.query(again)).rejects.toMatchObject({
      constraint: expect.stringMatching(/^bookings_(one_active_per_slot|customer_never_overlap)$/),
    });
  } finally {
    await client.end();
  }
});

test('deletes the participant of an account that the previous version deletes [BASE-8c]', async () => {
  const client = await openFormer();
  try {
    await migrate(url.href);
    const child = 'e0000000-0000-4000-8000-000000000000';
    await client.query(`
      update participants set known_as = 'Kit', date_of_birth = '1990-05-28' where participant_id = '${customer}';
      insert into participant_care (participant_id, care_encrypted) values ('${customer}', 'v1.a.b');
      insert into participants (participant_id, kind, full_name, date_of_birth)
      values ('${child}', 'dependant', 'Mia', '2016-05-28');
      insert into guardians (participant_id, user_id, relation) values ('${child}', '${coach}', 'parent')`);
    const deleteAccount = (userId: string) =>
      client.query(`
        update profiles set email = '', full_name = 'Deleted account', roles = '{}', deleted_at = now()
        where user_id = '${userId}'`);
    await deleteAccount(customer!);
    const { rows } = await client.query(`
      select known_as, date_of_birth, deleted_at is not null as is_deleted,
        exists (select from participant_care where participant_id = '${customer}') as has_care
      from participants where participant_id = '${customer}'`);
    expect(rows).toEqual([{ known_as: null, date_of_birth: null, is_deleted: true, has_care: false }]);
    await expect(deleteAccount(coach!), 'who has a dependant').rejects.toThrow('still has dependants');
  } finally {
    await client.end();
  }
});

test('continues a migration interrupted between its transactions [BASE-10]', async () => {
  const client = await openFormer();
  const db = openDatabase(openPool(url.href, { size: 2 }));
  try {
    await bookEverything(client);
    const blocker = new Client({ connectionString: url.href });
    await blocker.connect();
    // The first transactions commit; the one that changes refunds cannot get its lock.
    await blocker.query('begin; lock table refunds in access share mode');
    await expect(migrate(url.href, { waitMs: 50, tries: 1 })).rejects.toThrow(
      'another transaction holds a lock',
    );
    await blocker.end();
    expect((await client.query('select count(*)::int as count from schema_migrations')).rows).toEqual([
      { count: 15 },
    ]);
    await bookEverything(client);
    await migrate(url.href);
    expect(await auditLedger(db)).toEqual([]);
  } finally {
    await client.end();
    await db.destroy();
  }
});
