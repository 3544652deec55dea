import { sql } from 'kysely';
import type { z } from 'zod';
import { hasNotes } from '#domain/accounts/care.ts';
import type { ConsentsInForce } from '#domain/accounts/consents.ts';
import { ageOn, type ParticipantKind } from '#domain/accounts/participants.ts';
import { nameAttendee } from '#domain/bookings/attendee-status.ts';
import type { attendingParticipant } from '#domain/bookings/register-contract.ts';
import { wallTimeOf } from '#domain/time.ts';
import { decryptCare } from '#server/accounts/care/care-details.ts';
import type { DataKeys } from '#server/platform/encryption.ts';

type AttendingParticipant = z.output<typeof attendingParticipant>;

/** The data read about a participant with a seat, before it is reduced to what a coach may see. */
export type ParticipantRow = {
  participantId: string;
  kind: ParticipantKind;
  participantName: string;
  knownAs: string | null;
  dateOfBirth: string | null;
  payerName: string;
  consents: ConsentsInForce | null;
  careEncrypted: string | null;
  careConfirmedAt: string | null;
};

/** SQL for the columns of {@link ParticipantRow}. Needs {@link participantJoins}. */
export const participantColumns = sql`participant.participant_id, participant.kind,
  name_of_participant(participant) as participant_name, participant.known_as, participant.date_of_birth,
  payer.full_name as payer_name, care.care_encrypted, care.confirmed_at as care_confirmed_at, (
    select jsonb_object_agg(kind, choice) from (
      select distinct on (kind) kind, choice from consents
      where consents.participant_id = participant.participant_id order by kind, consent_id desc) latest
  ) as consents`;

/** SQL for the joins of a booking aliased `booking`. */
export const participantJoins = sql`
  join participants participant on participant.participant_id = booking.participant_id
  join profiles payer on payer.user_id = booking.customer_user_id
  left join participant_care care on care.participant_id = booking.participant_id`;

/** What the coach of a lesson sees of a participant from the booking onwards. */
export function describeAttending(
  dataKeys: DataKeys,
  row: ParticipantRow,
  startTime: string,
): AttendingParticipant {
  const { participantId, kind, knownAs, dateOfBirth, payerName, consents } = row;
  const isDependant = kind === 'dependant';
  const care = readRowCare(dataKeys, row);
  return {
    participantId,
    knownAs,
    isDependant,
    age: dateOfBirth ? ageOn(dateOfBirth, wallTimeOf(startTime).date) : null,
    hasNotes: care !== null && hasNotes(care),
    photos: consents?.photos ?? 'none',
    bookedBy: isDependant ? nameAttendee(payerName) : null,
  };
}

/** The care details of a row; null if there are none. */
export const readRowCare = (
  dataKeys: DataKeys,
  { participantId, careEncrypted }: Pick<ParticipantRow, 'participantId' | 'careEncrypted'>,
) => (careEncrypted === null ? null : decryptCare(dataKeys, { participantId, careEncrypted }));
