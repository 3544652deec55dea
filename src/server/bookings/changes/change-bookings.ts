import { sql } from 'kysely';
import { isSameContent } from '#domain/catalogue/lesson-content.ts';
import type { LessonContent } from '#domain/catalogue/template.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { enqueueAll } from '#server/platform/jobs/enqueue.ts';
import { contentObject } from '../queries.ts';

/**
 * Records a template's current title, description and sport on the upcoming bookings of its lessons, or on one booking,
 * and queues a notification to the customer of each booking that changes. The booking also keeps the details at the
 * time of booking. A held seat is not updated until it is booked, so that its customer is notified as well. Idempotent.
 */
export async function changeBookings(
  tx: Tx,
  of: { templateId: string } | { bookingId: string },
): Promise<void> {
  const isMeant =
    'templateId' in of
      ? sql`template_id = ${of.templateId}::uuid`
      : sql`template_id = (select slot.template_id from bookings join lesson_slots slot using (slot_id)
          where booking_id = ${of.bookingId}::uuid)`;
  // A later change to the template waits for this lock and queues its own job.
  const template = await sql<{ templateId: string; content: LessonContent }>`
    select template_id, ${contentObject('lessonTemplates')} as content from lesson_templates
    where ${isMeant} for no key update`.execute(tx);
  const { templateId, content: to } = template.rows[0]!;
  const { rows } = await sql<{ bookingId: string; was: LessonContent }>`
    select booking.booking_id, coalesce(booking.changed_to, ${contentObject('booking')}) as was
    from bookings booking join lesson_slots slot using (slot_id)
    where slot.template_id = ${templateId}::uuid and slot.status = 'scheduled' and slot.start_time > now()
      and booking.is_active and booking.status = 'booked'
      ${'bookingId' in of ? sql`and booking.booking_id = ${of.bookingId}::uuid` : sql``}
    order by booking.booking_id for update of booking`.execute(tx);
  const changed = rows.filter(({ was }) => !isSameContent(was, to));
  if (changed.length === 0) return;
  await sql`
    update bookings set changed_to = ${JSON.stringify(to)}::jsonb
    where booking_id = any(${changed.map(({ bookingId }) => bookingId)}::uuid[])`.execute(tx);
  const [now] = (await sql<{ version: string }>`select now()::text as version`.execute(tx)).rows;
  await enqueueAll(
    tx,
    'bookings.changed',
    changed.map(({ bookingId, was }) => ({ bookingId, from: was, to, version: now!.version })),
  );
}
