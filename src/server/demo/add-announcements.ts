import { sql } from 'kysely';
import type { Tx } from '#server/platform/db/db.ts';

/** Texts of the demo coaches' announcements, used in turn. They suit every sport. */
const texts = [
  'Please be at the entrance five minutes early: we start with a short warm-up together.',
  "It may rain, but we'll go ahead either way.\nBring a second layer and a dry pair of socks.",
  'The car park is full at weekends. The one behind the library is free and five minutes on foot.',
];

/** Adds an announcement, sent hours ago, about each demo coach's next group lesson that someone has booked. */
export async function addAnnouncements(tx: Tx): Promise<void> {
  await sql`
    insert into announcements (slot_id, coach_id, text, recipients, sent_at)
    select slot_id, coach_id, (${texts}::text[])[1 + (number - 1) % ${texts.length}], people, sent_at
    from (
      select next.*, row_number() over (order by coach_id) as number
      from (
        select distinct on (coach_id) slot_id, coach_id, sent_at, people
        from lesson_slots, lateral (select now() - interval '1 hour' * (3 + lesson_slots.max_capacity)) moment (sent_at),
          lateral (
            select count(*) as people from bookings
            where bookings.slot_id = lesson_slots.slot_id and bookings.status = 'booked' and booked_at < sent_at
          ) booked
        where lesson_type = 'group' and status = 'scheduled' and start_time > now() and people > 0
        order by coach_id, start_time
      ) next
    ) numbered`.execute(tx);
}
