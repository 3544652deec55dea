import { sql } from 'kysely';
import type { Register } from './personal-data-entry.ts';

const isOf = (participantId: string) => sql<boolean>`participant_id = ${participantId}::uuid`;
const deleted = { text: 'Deleted.', deletes: true } as const;
/** Whether the participant has had no lesson for two years. */
const isLongOver = (table: string) => sql<boolean>`not exists (
  select from bookings booking where booking.participant_id = ${sql.ref(`${table}.participantId`)}
    and booking.status in ('booked', 'attended')
    and booking.during && tstzrange(now() - interval '24 months', null))`;
const untilLongOver = (table: string) => ({
  text: "24 months after the participant's last lesson.",
  isOver: isLongOver(table),
});
/** What a coach writes about a participant belongs to both of them. */
const ofBoth = (userId: string) =>
  sql<boolean>`(participant_id = ${userId}::uuid or coach_id = ${userId}::uuid)`;
const keptByFamily =
  'Deleted if the person is the participant. What a coach shared with a family stays with the family';

/** The register's entries for notes after lessons, goals, levels, answers and welfare concerns. */
export const progressTables: Register<
  | 'noteFiles'
  | 'noteAdditions'
  | 'sessionNotes'
  | 'goals'
  | 'assessments'
  | 'skills'
  | 'lessonAnswers'
  | 'welfareConcerns'
> = {
  noteFiles: {
    purpose: 'Which pictures belong to a note after a lesson.',
    rowsOf: ({ userId }) =>
      sql`note_id in (select note_id from session_notes note where note.participant_id = ${userId}::uuid
        or note.coach_id = ${userId}::uuid)`,
    erasure: { text: 'Deleted with the pictures.', deletes: true },
    dependant: {
      rowsOf: (participantId) =>
        sql`note_id in (select note_id from session_notes where participant_id = ${participantId}::uuid)`,
      erasure: { text: 'Deleted with the pictures.', deletes: true },
    },
    retention: { text: 'As long as the note, or until the family no longer allows photos.' },
    columns: { objectId: 'exported', noteId: 'exported', addedAt: 'exported' },
  },
  noteAdditions: {
    purpose: 'What a coach added to a note later.',
    rowsOf: ({ userId }) =>
      sql`note_id in (select note_id from session_notes note where note.participant_id = ${userId}::uuid
        or note.coach_id = ${userId}::uuid)`,
    erasure: {
      text: `${keptByFamily}; additions to private notes are deleted.`,
      deletes: ({ userId }) => sql<boolean>`note_id in (
        select note_id from session_notes note where note.participant_id = ${userId}::uuid or not note.is_shared)`,
    },
    dependant: {
      rowsOf: (participantId) =>
        sql`note_id in (select note_id from session_notes where participant_id = ${participantId}::uuid)`,
      erasure: deleted,
    },
    retention: { text: 'As long as the note.' },
    columns: { additionId: 'exported', noteId: 'exported', body: 'exported', addedAt: 'exported' },
  },
  sessionNotes: {
    purpose:
      "What a coach noted about a participant after a lesson, shared with the family or private. The participant's download includes both kinds.",
    rowsOf: ({ userId }) => ofBoth(userId),
    erasure: {
      text: `${keptByFamily}; private notes are deleted.`,
      deletes: ({ userId }) => sql<boolean>`(participant_id = ${userId}::uuid or not is_shared)`,
    },
    dependant: { rowsOf: isOf, erasure: deleted },
    retention: untilLongOver('sessionNotes'),
    columns: {
      noteId: 'exported',
      bookingId: 'exported',
      participantId: 'exported',
      coachId: 'exported',
      businessId: 'others',
      isForAll: 'exported',
      isShared: 'exported',
      body: 'exported',
      createdAt: 'exported',
      updatedAt: 'exported',
      lockedAt: 'exported',
    },
  },
  goals: {
    purpose: 'What a participant is working towards with a coach.',
    rowsOf: ({ userId }) => ofBoth(userId),
    erasure: {
      text: `${keptByFamily}.`,
      deletes: ({ userId }) => sql<boolean>`participant_id = ${userId}::uuid`,
    },
    dependant: { rowsOf: isOf, erasure: deleted },
    retention: untilLongOver('goals'),
    columns: {
      goalId: 'exported',
      participantId: 'exported',
      coachId: 'exported',
      businessId: 'others',
      sport: 'exported',
      title: 'exported',
      dueOn: 'exported',
      status: 'exported',
      createdAt: 'exported',
      decidedAt: 'exported',
    },
  },
  assessments: {
    purpose: "A participant's skill levels, as a coach assessed them at lessons.",
    rowsOf: ({ userId }) => ofBoth(userId),
    erasure: {
      text: `${keptByFamily}.`,
      deletes: ({ userId }) => sql<boolean>`participant_id = ${userId}::uuid`,
    },
    dependant: { rowsOf: isOf, erasure: deleted },
    retention: untilLongOver('assessments'),
    columns: {
      assessmentId: 'exported',
      participantId: 'exported',
      skillId: 'exported',
      sport: 'exported',
      skillName: 'exported',
      level: 'exported',
      coachId: 'exported',
      businessId: 'others',
      bookingId: 'exported',
      at: 'exported',
    },
  },
  skills: {
    purpose:
      "The skills that a business, or a coach without a business, assesses. A business's owners see its skills.",
    rowsOf: ({ userId }) => sql`(coach_id = ${userId}::uuid or business_id in (
      select business_id from coaches where coach_id = ${userId}::uuid and business_role = 'owner'))`,
    erasure: { text: "The coach's own are deleted.", deletes: sql<boolean>`coach_id is not null` },
    retention: { text: 'Until they are removed from the list.' },
    columns: {
      skillId: 'exported',
      businessId: 'exported',
      coachId: 'exported',
      sport: 'exported',
      name: 'exported',
      position: 'exported',
    },
  },
  lessonAnswers: {
    purpose: "A family's answer on how a lesson went, for the lesson's coach only.",
    rowsOf: ({ userId }) => sql`(${ofBoth(userId)} or answered_by = ${userId}::uuid)`,
    erasure: deleted,
    dependant: { rowsOf: isOf, erasure: deleted },
    retention: untilLongOver('lessonAnswers'),
    columns: {
      bookingId: 'exported',
      participantId: 'exported',
      coachId: 'exported',
      businessId: 'others',
      answeredBy: 'others',
      rating: 'exported',
      body: 'exported',
      answeredAt: 'exported',
    },
  },
  // The law exempts a concern only as far as a family's access to it is against the child's best interests, and not in
  // Scotland. Other requests have to be answered by hand.
  welfareConcerns: {
    purpose:
      "A coach's concern about the welfare of a participant, for the people who handle it. Only its author can download it (Data Protection Act 2018, schedule 3, paragraph 21: data about child abuse).",
    rowsOf: ({ userId }) => sql`reported_by = ${userId}::uuid`,
    erasure: { text: 'Kept, because others may have to protect the participant.' },
    retention: {
      text: '6 years after the concern was reported.',
      isOver: sql<boolean>`reported_at < now() - interval '6 years'`,
    },
    columns: {
      concernId: 'exported',
      bookingId: 'exported',
      participantId: 'exported',
      reportedBy: 'exported',
      businessId: 'others',
      body: 'exported',
      reportedAt: 'exported',
      handledAt: 'exported',
      handledBy: 'others',
    },
  },
};
