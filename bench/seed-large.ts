import pg from 'pg';
import { migrate } from '#server/platform/db/migrate.ts';
import { askNothing } from '#server/verification/ask-nothing.test-support.ts';

/** How many rows to create. Templates and slots are spread evenly over coaches. */
export type LargeSize = { slots: number; templates: number; coaches: number };

export const fullSize: LargeSize = { slots: 1_000_000, templates: 50_000, coaches: 5_000 };

// Sport, its share per hundred coaches, price of a one-to-one hour in pounds, and topics.
const sports = [
  ['tennis', 18, 35, 'serve,backhand,volley,footwork,match play,doubles'],
  ['football', 16, 25, 'finishing,goalkeeping,dribbling,passing,first touch,small-sided games'],
  ['swimming', 14, 30, 'front crawl,breaststroke,butterfly,open water,water confidence,turns'],
  ['golf', 8, 50, 'short game,putting,driving,bunker play,course strategy,swing'],
  ['yoga', 8, 28, 'vinyasa,balance,breathing,flexibility,restorative flow,sun salutation'],
  ['boxing', 6, 32, 'footwork,padwork,combinations,conditioning,sparring,defence'],
  ['cricket', 5, 30, 'batting,fast bowling,spin bowling,wicketkeeping,fielding,nets'],
  ['athletics', 5, 26, 'sprints,high jump,long jump,pacing,relay,starts'],
  ['fitness', 5, 34, 'strength,mobility,kettlebells,intervals,core,running'],
  ['rugby', 3, 28, 'tackling,passing,kicking,line-out,scrum,handling'],
  ['badminton', 3, 24, 'smash,net play,footwork,doubles,serve,drop shot'],
  ['climbing', 3, 38, 'bouldering,lead climbing,belaying,endurance,technique,falling'],
  ['basketball', 2, 26, 'shooting,ball handling,defence,lay-ups,rebounding,team play'],
  ['gymnastics', 1, 36, 'tumbling,handstand,vault,beam,bars,flexibility'],
  ['cycling', 1, 40, 'climbing,descending,group riding,bike handling,time trial,cornering'],
  ['rowing', 1, 45, 'sculling,catch,stroke rate,ergometer,crew,balance'],
  ['hockey', 1, 27, 'drag flick,stick skills,penalty corner,tackling,goalkeeping,passing'],
] as const;

// Town, its share per hundred coaches, postcode area, and price difference in per cent.
const towns = [
  ['London', 22, 'SW', 40],
  ['Manchester', 10, 'M', 10],
  ['Birmingham', 9, 'B', 5],
  ['Leeds', 8, 'LS', 0],
  ['Bristol', 7, 'BS', 10],
  ['Glasgow', 6, 'G', 0],
  ['Sheffield', 5, 'S', 0],
  ['Liverpool', 5, 'L', 0],
  ['Brighton', 4, 'BN', 20],
  ['Edinburgh', 4, 'EH', 10],
  ['Newcastle upon Tyne', 4, 'NE', 0],
  ['Cardiff', 3, 'CF', 0],
  ['York', 3, 'YO', 5],
  ['Nottingham', 3, 'NG', 0],
  ['Oxford', 2, 'OX', 20],
  ['Cambridge', 2, 'CB', 20],
  ['Norwich', 1, 'NR', 0],
  ['Bath', 1, 'BA', 15],
  ['Ripon', 1, 'HG', 0],
] as const;

const list = (values: readonly (string | number)[]) =>
  `array[${values.map((value) => (typeof value === 'number' ? value : `'${value}'`)).join(',')}]`;
const spread = <T>(rows: readonly T[], shareOf: (row: T) => number): number[] =>
  rows.flatMap((row, index) => Array.from({ length: shareOf(row) }, () => index + 1));

/** SQL for a pseudo-random integer from 0 to `below` − 1 that is the same every time. */
const pick = (seed: string, salt: number, below: number | string) =>
  `(abs(hashint8extended((${seed})::bigint, ${salt})::numeric) % (${below}))::int`;
// SQL for an id in the form of a version 4 UUID, which the API requires.
const idOf = (kind: string, n: string) =>
  `overlay(overlay(md5('${kind}' || (${n})) placing '4' from 13) placing '8' from 17)::uuid`;

/**
 * Fills a database with a large club for benchmarks: migrates it, deletes the catalogue and the people of an earlier
 * run, creates slots over the next 90 days, about a fifth of them full, and vacuums and analyses the tables. The same
 * sizes give the same rows, except for the day they start from.
 */
export async function seedLarge(url: string, { slots, templates, coaches }: LargeSize): Promise<void> {
  await migrate(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(askNothing);
    await client.query("set maintenance_work_mem = '512MB'");
    await client.query(
      'truncate users, profiles, coaches, locations, lesson_templates, lesson_slots cascade',
    );
    await fillCoaches(client, coaches);
    await fillTemplates(client, templates, coaches);
    await client.query('begin');
    await fillSlots(client, slots, templates, coaches);
    await client.query('commit');
    await fillReviews(client);
    for (const table of ['profiles', 'coaches', 'locations', 'lesson_templates', 'lesson_slots', 'reviews']) {
      await client.query(`vacuum analyze ${table}`);
    }
  } finally {
    await client.end();
  }
}

async function fillCoaches(client: pg.Client, coaches: number): Promise<void> {
  const sportOf = spread(sports, (sport) => sport[1]);
  const townOf = spread(towns, (town) => town[1]);
  await client.query(`
    create temp table seed_coaches as
    select n, ${idOf('coach', 'n')} as coach_id,
      (${list(sportOf)})[1 + ${pick('n', 1, sportOf.length)}] as sport,
      (${list(townOf)})[1 + ${pick('n', 2, townOf.length)}] as town
    from generate_series(1, ${coaches}) n;
    insert into users (user_id, email, password_hash, full_name, email_confirmed_at)
    select coach_id, 'coach' || n || '@large.test', 'no sign-in', 'Coach ' || n, now() from seed_coaches;
    insert into profiles (user_id, email, full_name, roles)
    select coach_id, 'coach' || n || '@large.test', 'Coach ' || n, '{customer,coach}' from seed_coaches;
    insert into coaches (coach_id) select coach_id from seed_coaches;
    insert into locations (location_id, coach_id, name, address, city, postcode)
    select ${idOf('location', "n || '/' || k")}, coach_id,
      (array['Sports Centre', 'Leisure Centre', 'Recreation Ground', 'Academy'])[1 + ${pick('n', 3, 4)}] || ' ' || k,
      (1 + n % 200) || ' High Street', (${list(towns.map((town) => town[0]))})[town],
      (${list(towns.map((town) => town[2]))})[town] || (1 + ${pick('n * 2 + k', 4, 20)}) || ' '
        || (1 + n % 9) || chr(65 + ${pick('n', 5, 26)}) || chr(65 + ${pick('n', 6, 26)})
    from seed_coaches, generate_series(0, 1) k`);
}

async function fillTemplates(client: pg.Client, templates: number, coaches: number): Promise<void> {
  const audiences = [
    'Beginner',
    'Improver',
    'Advanced',
    'Junior',
    'Adult',
    'Women only',
    'Over fifties',
    'Family',
  ];
  await client.query(`
    create temp table seed_templates as
    select n, c.coach, c.coach_id, ${idOf('template', 'n')} as template_id, c.sport, c.town,
      ${pick('n', 11, 10)} < 4 as is_group,
      (array[30, 45, 60, 60, 60, 90, 120])[1 + ${pick('n', 12, 7)}] as minutes,
      (${list(audiences)})[1 + ${pick('n', 13, audiences.length)}] as audience,
      split_part((${list(sports.map((sport) => sport[3]))})[c.sport], ',', 1 + ${pick('n', 14, 6)}) as focus,
      (${list(sports.map((sport) => sport[2]))})[c.sport]
        * (100 + (${list(towns.map((town) => town[3]))})[c.town] + ${pick('n', 15, 5)} * 10 - 20) / 100 as pounds
    from generate_series(1, ${templates}) n 
    join (select n as coach, coach_id, sport, town from seed_coaches) c on c.coach = 1 + (n - 1) % ${coaches};
    insert into lesson_templates (template_id, coach_id, title, description, sport, duration_minutes,
      base_price_cents, lesson_type, min_capacity, max_capacity, created_at)
    select template_id, coach_id,
      audience || ' ' || (${list(sports.map((sport) => sport[0]))})[sport] || ' ' || focus
        || (array[' lesson', ' clinic', ' session', ' workshop', ' masterclass'])[1 + ${pick('n', 16, 5)}],
      'Work on your ' || focus || ' with a friendly coach in ' || (${list(towns.map((town) => town[0]))})[town] || '. '
        || (array['Bring water and comfortable shoes.', 'All equipment is provided.', 'We finish with a short game.',
                  'You get a written plan to take home.', 'Video analysis is included.', 'Suitable for complete newcomers.'])
             [1 + ${pick('n', 17, 6)}] || ' '
        || (array['We meet at the main entrance.', 'Parking is free.', 'Showers and lockers are on site.',
                  'Parents are welcome to watch.', 'Please arrive ten minutes early.'])[1 + ${pick('n', 18, 5)}],
      (${list(sports.map((sport) => sport[0]))})[sport], minutes,
      greatest(500, round(pounds * minutes / 60.0 * case when is_group then 0.5 else 1 end / 2.5) * 250),
      case when is_group then 'group' else 'individual' end,
      case when is_group then 2 else 1 end,
      case when is_group then 4 + ${pick('n', 19, 9)} else 1 end,
      now() - n * interval '1 second'
    from seed_templates`);
}

/** Creates four published reviews per coach, by people without bookings. */
async function fillReviews(client: pg.Client): Promise<void> {
  await client.query(`
    alter table reviews drop constraint reviews_booking_exists, disable trigger reviews_need_a_lesson;
    insert into users (user_id, email, password_hash, full_name, email_confirmed_at)
    select ${idOf('reviewer', 'n')}, 'reviewer' || n || '@large.test', 'no sign-in', 'Reviewer ' || n, now()
    from generate_series(1, 200) n;
    insert into profiles (user_id, email, full_name, roles)
    select user_id, email, full_name, '{customer}' from users where email like 'reviewer%';
    insert into reviews (booking_id, coach_id, customer_user_id, written_for, period, rating, body, status, published_at)
    select ${idOf('review', "n || '/' || k")}, coach_id, ${idOf('reviewer', '1 + (n * 7 + k * 50) % 200')}, 'self',
      daterange(current_date, current_date + 365), 5 - ${pick('n * 4 + k', 31, 3)},
      'A patient coach who explains what to change and why.', 'published', now() - k * interval '20 days'
    from seed_coaches, generate_series(0, 3) k`);
}

/**
 * Creates at most four lessons per coach and day, starting at 07:00–08:30, 10:30–12:00, 14:00–15:30 and 17:30–19:00
 * UTC, so that even two-hour lessons never overlap. Indexes are built after the rows.
 */
async function fillSlots(
  client: pg.Client,
  slots: number,
  templates: number,
  coaches: number,
): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'lesson_slots' and schemaname = 'public'
      and indexname not in ('lesson_slots_pkey', 'lesson_slots_never_overlap')`);
  const { rows: constraints } = await client.query<{ definition: string }>(`
    select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'lesson_slots_never_overlap'`);
  await client.query('alter table lesson_slots drop constraint lesson_slots_never_overlap');
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  const perCoach = Math.ceil(slots / coaches);
  const perTemplate = Math.max(1, Math.floor(templates / coaches));
  const quarters = Math.max(perCoach, 90 * 4);
  await client.query(`
    insert into lesson_slots (slot_id, template_id, coach_id, location_id, start_time, end_time, lesson_type, sport,
      min_capacity, max_capacity, price_cents, booked_count)
    select ${idOf('slot', "s.coach || '/' || s.k")}, t.template_id, t.coach_id,
      ${idOf('location', "s.coach || '/' || s.k % 2")}, s.start_time, s.start_time + t.minutes * interval '1 minute',
      m.lesson_type, m.sport, m.min_capacity, m.max_capacity, m.base_price_cents,
      case when s.luck < 18 then m.max_capacity else s.luck % m.max_capacity end
    from (
      select coach, k, ${pick('coach * 1000 + k', 21, 100)} as luck,
        coach + ${coaches} * ${pick('coach * 1000 + k', 22, perTemplate)} as template,
        date_trunc('day', now(), 'UTC') + interval '1 day'
          + (k::bigint * ${quarters} / ${perCoach} / 4) * interval '1 day'
          + (420 + (k::bigint * ${quarters} / ${perCoach} % 4) * 210 + ${pick('coach * 1000 + k', 23, 7)} * 15)
            * interval '1 minute' as start_time
      from generate_series(1, ${coaches}) coach, generate_series(0, ${perCoach - 1}) k
      order by k, coach limit ${slots}
    ) s
    join seed_templates t on t.n = s.template
    join lesson_templates m on m.template_id = t.template_id`);
  for (const { definition } of indexes) await client.query(definition);
  await client.query(
    `alter table lesson_slots add constraint lesson_slots_never_overlap ${constraints[0]!.definition}`,
  );
}

if (import.meta.filename === process.argv[1]) {
  const url = process.argv[2] ?? process.env.DATABASE_URL;
  if (!url) throw new Error('Usage: tsx bench/seed-large.ts postgres://… [slots templates coaches]');
  const [slots, templates, coaches] = process.argv.slice(3).map(Number);
  const startedAt = performance.now();
  await seedLarge(url, {
    slots: slots ?? fullSize.slots,
    templates: templates ?? fullSize.templates,
    coaches: coaches ?? fullSize.coaches,
  });
  console.log(`Filled in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
}
