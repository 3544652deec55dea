import { sql } from 'kysely';
import {
  type ConsentChoice,
  type ConsentKind,
  consentTexts,
  describeChoice,
  isWithdrawal,
} from '#domain/accounts/consents.ts';
import { composeConsentReducedMessage } from '#server/notifications/family-templates/consents.ts';
import { writeNotifications } from '#server/notifications/write-notifications.ts';
import type { Database } from '#server/platform/db/db.ts';

type Row = {
  coachId: string;
  fullName: string;
  bookingId: string;
  slotId: string;
  title: string;
  startTime: string;
  endTime: string;
  participantName: string;
  kind: ConsentKind;
  choice: ConsentChoice;
};

/**
 * Notifies the coaches of a participant's upcoming lessons that the family allows less than before, each coach once,
 * about the next lesson. Notifies nobody if the consent has changed again. Safe to repeat.
 */
export async function notifyOfConsent(db: Database, consentId: number): Promise<void> {
  const { rows } = await sql<Row>`
    select distinct on (slot.coach_id) slot.coach_id, coach.full_name, booking.booking_id, slot.slot_id,
      coalesce(booking.changed_to ->> 'title', booking.title) as title, slot.start_time, slot.end_time,
      name_of_participant(participant) as participant_name, consent.kind, consent.choice
    from consents consent
    join participants participant using (participant_id)
    join bookings booking using (participant_id)
    join lesson_slots slot using (slot_id)
    join profiles coach on coach.user_id = slot.coach_id
    where consent.consent_id = ${consentId} and booking.is_active and booking.status <> 'pending'
      and upper(booking.during) > now()
      and not exists (
        select from consents later
        where later.participant_id = consent.participant_id and later.kind = consent.kind
          and later.consent_id > consent.consent_id)
    order by slot.coach_id, slot.start_time`.execute(db);
  await writeNotifications(
    db,
    rows.map(({ kind, choice, ...row }) => ({
      kind: 'consent_reduced',
      userId: row.coachId,
      subjectId: row.bookingId,
      version: `consent ${consentId}`,
      message: composeConsentReducedMessage({
        ...row,
        consent: consentTexts[kind].title,
        allowed: describeChoice(kind, choice),
        areNotesDeleted: kind === 'medical' && isWithdrawal(choice),
      }),
    })),
  );
}
