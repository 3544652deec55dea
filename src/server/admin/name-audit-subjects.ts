import { sql } from 'kysely';
import type { Database } from '#server/platform/db/db.ts';

export const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

type Subject = { subjectType: string; subjectId: string };

/**
 * Returns the names of the records on a page of the audit log, by id: for example a business's name, a payrun's
 * reference, or a booking's title and customer. People, settings and deleted records are not included.
 */
export async function nameAuditSubjects(
  db: Database,
  entries: readonly Subject[],
): Promise<Map<string, string>> {
  const subjects = [
    ...new Map(
      entries.filter(({ subjectId }) => uuid.test(subjectId)).map((subject) => [subject.subjectId, subject]),
    ).values(),
  ];
  if (subjects.length === 0) return new Map();
  const { rows } = await sql<{ id: string; name: string | null }>`
    select subject.id::text, case subject.type
      when 'business' then (select business_name from coaching_businesses where business_id = subject.id)
      when 'team_invitation' then (select business.business_name from business_invitations
        join coaching_businesses business using (business_id) where invitation_id = subject.id)
      when 'coach_application' then (select coalesce(nullif(person.full_name, ''), person.email)
        from coach_applications join profiles person using (user_id) where application_id = subject.id)
      when 'payrun' then (select payment_reference from payruns where payrun_id = subject.id)
      when 'lesson_template' then (select title from lesson_templates where template_id = subject.id)
      when 'lesson_slot' then (select template.title from lesson_slots
        join lesson_templates template using (template_id) where slot_id = subject.id)
      when 'location' then (select name from locations where location_id = subject.id)
      when 'coach_document' then (select replace(document.kind, '_', ' ') || ', ' || coach.full_name
        from coach_documents document join profiles coach on coach.user_id = document.coach_id
        where document_id = subject.id)
      when 'participant' then (select coalesce(participant.full_name, nullif(person.full_name, ''), person.email)
        from participants participant left join profiles person on person.user_id = participant.own_user_id
        where participant_id = subject.id)
      when 'picture' then (select owner.full_name
        from storage_objects object join profiles owner on owner.user_id = object.owner_user_id
        where object_id = subject.id)
      when 'calendar_feed' then (select person.full_name from calendar_feeds join profiles person using (user_id)
        where feed_id = subject.id)
      when 'booking' then (select booking.title || ', ' || customer.full_name from bookings booking
        join profiles customer on customer.user_id = booking.customer_user_id
        where booking.booking_id = subject.id)
      when 'payment' then (select string_agg(distinct booking.title, ', ') || ', ' || min(customer.full_name)
        from payment_lines line join bookings booking using (booking_id)
        join profiles customer on customer.user_id = booking.customer_user_id
        where line.payment_id = subject.id)
      when 'refund_request' then (select booking.title || ', ' || customer.full_name
        from refund_requests join bookings booking using (booking_id)
        join profiles customer on customer.user_id = booking.customer_user_id
        where refund_request_id = subject.id)
      when 'review' then (select coach.full_name || ', ' || author.full_name
        from reviews review join profiles coach on coach.user_id = review.coach_id
        join profiles author on author.user_id = review.customer_user_id
        where review_id = subject.id)
      when 'refund' then (select string_agg(distinct booking.title, ', ') || ', ' || min(customer.full_name)
        from refund_lines line join bookings booking using (booking_id)
        join profiles customer on customer.user_id = booking.customer_user_id
        where line.refund_id = subject.id)
      end as name
    from unnest(${subjects.map(({ subjectType }) => subjectType)}::text[],
      ${subjects.map(({ subjectId }) => subjectId)}::uuid[]) subject (type, id)`.execute(db);
  return new Map(rows.flatMap(({ id, name }) => (name ? [[id, name] as const] : [])));
}
