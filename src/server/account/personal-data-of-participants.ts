import { sql } from 'kysely';
import type { Register } from './personal-data-entry.ts';

const none = sql<null>`null`;
const isOf = (participantId: string) => sql<boolean>`participant_id = ${participantId}::uuid`;
const deleted = { text: 'Deleted.', deletes: true } as const;

/**
 * The register's entries for participants. A person's own participant has the person's id. Dependants have their own
 * download and their own deletion. The deletion of an account also deletes the dependants who have no other guardian.
 */
export const participantTables: Register<
  | 'participantCare'
  | 'careReads'
  | 'consents'
  | 'guardianInvitations'
  | 'ageRequests'
  | 'guardians'
  | 'participants'
> = {
  participantCare: {
    purpose:
      'Notes about health and needs, emergency contacts and who may collect the participant, so that lessons are safe. Encrypted; the notes are kept with explicit consent.',
    rowsOf: ({ userId }) => isOf(userId),
    erasure: deleted,
    dependant: { rowsOf: isOf, erasure: deleted },
    retention: {
      text: "12 months after the participant's last lesson, or after the care details were last confirmed, if that was later.",
      isOver: sql<boolean>`confirmed_at < now() - interval '12 months' and not exists (
        select from bookings booking
        where booking.participant_id = participant_care.participant_id and booking.is_active
          and booking.during && tstzrange(now() - interval '12 months', null))`,
    },
    columns: { participantId: 'exported', careEncrypted: 'decrypted', confirmedAt: 'exported' },
  },
  careReads: {
    purpose: 'Who opened the care details of a participant, and when, so that the family knows.',
    rowsOf: ({ userId }) => sql<boolean>`(participant_id = ${userId}::uuid or read_by = ${userId}::uuid)`,
    erasure: {
      text: "Kept, with ids only; an admin's reason about the person is removed.",
      empties: {
        reason: ({ userId }) => sql`case when participant_id <> ${userId}::uuid then reason end`,
      },
    },
    dependant: {
      rowsOf: isOf,
      erasure: { text: "Kept, with ids only; an admin's reason is removed.", empties: { reason: none } },
    },
    retention: { text: '6 years.', isOver: sql<boolean>`read_at < now() - interval '6 years'` },
    columns: {
      careReadId: 'exported',
      participantId: 'exported',
      readBy: 'others',
      readerRole: 'exported',
      slotId: 'exported',
      reason: 'exported',
      readAt: 'exported',
    },
  },
  consents: {
    purpose: 'What a family agreed to, refused or withdrew, with the wording and the time.',
    rowsOf: ({ userId }) => sql<boolean>`(participant_id = ${userId}::uuid or given_by = ${userId}::uuid)`,
    erasure: { text: 'Kept, with ids only, to prove what was agreed.' },
    dependant: { rowsOf: isOf, erasure: { text: 'Kept, with ids only, to prove what was agreed.' } },
    retention: {
      text: '6 years, or until the consent no longer counts, if that is later.',
      isOver: sql<boolean>`at < now() - interval '6 years' and (
        exists (select from participants participant
          where participant.participant_id = consents.participant_id and participant.deleted_at is not null)
        or exists (select from consents later
          where later.participant_id = consents.participant_id and later.kind = consents.kind
            and later.consent_id > consents.consent_id))`,
    },
    columns: {
      consentId: 'exported',
      participantId: 'exported',
      kind: 'exported',
      choice: 'exported',
      textVersion: 'exported',
      givenBy: 'others',
      at: 'exported',
    },
  },
  guardianInvitations: {
    purpose: 'Invitations to become a guardian, sent to an email address.',
    rowsOf: ({ email }) => sql`email = ${email}`,
    erasure: {
      text: 'Withdrawn if the invitation is still open; the email address is removed.',
      empties: {
        email: ({ userId }) => sql`${`${userId}@deleted.invalid`}`,
        status: () => sql`case when status = 'pending' then 'withdrawn' else status end`,
        decidedAt: () => sql`coalesce(decided_at, now())`,
      },
    },
    // The email address belongs to another person.
    dependant: { rowsOf: isOf, columns: ['guardianInvitationId', 'status', 'createdAt'], erasure: deleted },
    retention: {
      text: '90 days after the invitation was answered or expired.',
      isOver: sql<boolean>`coalesce(decided_at, expires_at) < now() - interval '90 days'`,
    },
    columns: {
      guardianInvitationId: 'exported',
      participantId: 'others',
      email: 'exported',
      tokenHash: 'secret',
      invitedBy: 'others',
      status: 'exported',
      createdAt: 'exported',
      expiresAt: 'exported',
      decidedAt: 'exported',
    },
  },
  ageRequests: {
    purpose: "Requests for lessons whose age range leaves the participant out, and the coach's answers.",
    rowsOf: ({ userId }) => sql<boolean>`(participant_id = ${userId}::uuid or asked_by = ${userId}::uuid)`,
    erasure: {
      text: 'Deleted. A request for a dependant who has another guardian stays.',
      deletes: sql<boolean>`participant_id = asked_by`,
    },
    dependant: { rowsOf: isOf, erasure: deleted },
    retention: {
      text: 'Until the coach deletes the template.',
      isOver: sql<boolean>`exists (select from lesson_templates template
        where template.template_id = age_requests.template_id and template.deleted_at is not null)`,
    },
    columns: {
      ageRequestId: 'exported',
      templateId: 'exported',
      participantId: 'exported',
      askedBy: 'others',
      status: 'exported',
      askedAt: 'exported',
      decidedAt: 'exported',
    },
  },
  guardians: {
    purpose: 'Who books for a dependant, and when this person declared that they were 18 or over.',
    rowsOf: ({ userId }) => sql`user_id = ${userId}::uuid`,
    erasure: deleted,
    dependant: { rowsOf: isOf, columns: ['relation', 'createdAt'], erasure: deleted },
    retention: { text: 'Until the person stops being a guardian.' },
    columns: {
      participantId: 'exported',
      userId: 'exported',
      relation: 'exported',
      declaredAdultAt: 'exported',
      createdAt: 'exported',
    },
    readable: {
      dependant: sql`(select full_name from participants participant
        where participant.participant_id = guardians.participant_id)`,
    },
  },
  participants: {
    purpose:
      'Who takes part in lessons: the person, or a child or another dependant, with name and date of birth.',
    rowsOf: ({ userId }) => isOf(userId),
    erasure: {
      text: 'Cleared. The row stays, because bookings refer to it. Dependants who have no other guardian are deleted.',
      empties: { knownAs: () => none, dateOfBirth: () => none, deletedAt: () => sql`now()` },
    },
    dependant: {
      rowsOf: isOf,
      erasure: {
        text: 'Cleared. The row stays, as “Deleted participant”, because bookings refer to it.',
        empties: { fullName: none, knownAs: none, dateOfBirth: none, deletedAt: sql`now()` },
      },
    },
    retention: { text: 'Until the account or the dependant is deleted.' },
    columns: {
      participantId: 'exported',
      kind: 'exported',
      ownUserId: 'derived',
      fullName: 'exported',
      knownAs: 'exported',
      dateOfBirth: 'exported',
      createdAt: 'exported',
      deletedAt: 'exported',
    },
  },
};
