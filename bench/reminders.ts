import { openDatabase, openPool } from '#server/platform/db/db.ts';
import { addTemplate } from '#server/test-support/lessons.test-support.ts';
import { openBenchDatabase, openBenchServer, serveBenchProduct } from './bench-product.ts';

const seatsPerLesson = 20;

/**
 * Makes this many customers' reminders due within the last hour and measures how long they take to be picked, composed
 * and sent, with the server's own jobs and an outbox instead of a mail server. The exit code is 1 if that takes an hour
 * or more, or if anybody is reminded twice or never.
 */
export async function benchReminders({ reminders }: { reminders: number }): Promise<void> {
  console.log(`\nReminders: ${reminders} due in one hour`);
  const server = await openBenchServer();
  const { url } = await openBenchDatabase(server.url, 'reminders', { isFresh: true });
  const pool = openPool(url, { size: 4, statementTimeoutMs: 600_000 });
  const db = openDatabase(pool);
  try {
    await seed(pool, db, reminders);
    const began = performance.now();
    const product = await serveBenchProduct(url);
    let sent = 0;
    while (sent < reminders && performance.now() - began < 3_600_000) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const { rows } = await pool.query(`select count(*)::int as sent from deliveries where status = 'sent'`);
      sent = rows[0].sent;
    }
    const seconds = (performance.now() - began) / 1_000;
    await product.stop();
    const { rows } = await pool.query(
      `select count(*)::int as written, count(distinct user_id)::int as people from notifications`,
    );
    const { written, people } = rows[0];
    const rate = sent / seconds;
    console.log(
      `  ${sent} sent in ${seconds.toFixed(0)} s, ${rate.toFixed(0)} a second: an hour is enough for ${Math.round(rate * 3_600)}`,
    );
    if (sent < reminders || written !== reminders || people !== reminders) {
      console.log(`  expected ${reminders}; ${written} were written for ${people} people`);
      process.exitCode = 1;
    }
  } finally {
    await db.destroy();
    await server.stop();
  }
}

/** Adds lessons that start 23 to 24 hours from now, fully booked two days ago by `count` customers. */
async function seed(pool: ReturnType<typeof openPool>, db: ReturnType<typeof openDatabase>, count: number) {
  const lessons = Math.ceil(count / seatsPerLesson);
  const { rows: coaches } = await pool.query<{ id: string }>(
    `with made as (
       insert into users (email, password_hash) select gen_random_uuid() || '@coach.example', 'none'
       from generate_series(1, $1) returning user_id, email
     ), profile as (
       insert into profiles (user_id, email, full_name, roles) select user_id, email, 'Coach', '{coach}' from made
       returning user_id
     ) insert into coaches (coach_id) select user_id from profile returning coach_id as id`,
    [lessons],
  );
  const templateId = await addTemplate(db, coaches[0]!.id, {});
  await pool.query(
    `insert into lesson_slots (template_id, coach_id, start_time, end_time, lesson_type, min_capacity, max_capacity,
       price_cents, booked_count)
     select $1, coach_id, moment, moment + interval '1 hour', 'group', 2, ${seatsPerLesson}, 0, ${seatsPerLesson}
     from unnest($2::uuid[]) with ordinality coach (coach_id, n),
       lateral (select now() + interval '23 hours' + n * (interval '1 hour' / $3) as moment) at`,
    [templateId, coaches.map(({ id }) => id), lessons + 1],
  );
  await pool.query(
    `with person as materialized (
       select gen_random_uuid() as user_id, slot_id, row_number() over () as n
       from lesson_slots, generate_series(1, ${seatsPerLesson}) limit $1
     ), account as (
       insert into users (user_id, email, password_hash) select user_id, n || '@bench.example', 'none' from person
     ), profile as (
       insert into profiles (user_id, email, full_name) select user_id, n || '@bench.example', 'Bench ' || n from person
     ), payment as (
       insert into payments (payment_id, customer_user_id, amount_cents, status)
       select user_id, user_id, 0, 'succeeded' from person
     )
     insert into bookings (slot_id, customer_user_id, payment_id, status, title, description, sport, coach_name, during,
       amount_cents, fee_cents, free_until_hours, late_refund_percent, refunds_enabled, hold_expires_at, booked_at,
       created_at)
     select slot_id, user_id, user_id, 'booked', 'Bench', '', 'tennis', 'Coach', tstzrange(start_time, end_time), 0, 0,
       24, 0, true, now(), now() - interval '2 days', now() - interval '2 days'
     from person join lesson_slots using (slot_id)`,
    [count],
  );
  await pool.query(`update reminder_progress set picked_until = now() - interval '61 minutes'`);
  await pool.query('analyze');
}
