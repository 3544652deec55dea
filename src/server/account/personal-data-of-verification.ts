import { sql } from 'kysely';
import { applicationRetentionDays } from '#domain/verification/application.ts';
import type { Register } from './personal-data-entry.ts';

type VerificationTable =
  | 'coachApplications'
  | 'documentReminders'
  | 'documentOpenings'
  | 'hiddenCoaches'
  | 'coachDocuments'
  | 'updateServiceConsents';

const left = sql`coach_id in (select coach_id from coaches where inactive_since < now() - interval '30 days')`;
const ofOwnDocuments = (userId: string) =>
  sql<boolean>`document_id in (select document_id from coach_documents where coach_id = ${userId}::uuid)`;

/** The register's entries for applications to become a coach, and for checks and documents of coaches. */
export const verificationTables: Register<VerificationTable> = {
  coachApplications: {
    purpose: 'Applications to become a coach, and what an admin decided.',
    rowsOf: ({ userId }) => sql`user_id = ${userId}::uuid`,
    erasure: { text: 'Deleted.', deletes: true },
    retention: {
      text: `${applicationRetentionDays} days after the last change, unless the application is waiting for a decision or was approved; an approved application is kept as long as the account.`,
      isOver: sql<boolean>`status in ('draft', 'changes', 'declined', 'withdrawn')
        and updated_at < now() - make_interval(days => ${sql.lit(applicationRetentionDays)})`,
    },
    columns: {
      applicationId: 'exported',
      userId: 'exported',
      status: 'exported',
      headline: 'exported',
      bio: 'exported',
      sports: 'exported',
      nations: 'exported',
      experience: 'exported',
      coachesJuniors: 'exported',
      termsAcceptedAt: 'exported',
      decisionMessage: 'exported',
      createdAt: 'exported',
      updatedAt: 'exported',
      submittedAt: 'exported',
      decidedAt: 'exported',
      decidedBy: 'others',
    },
  },
  documentReminders: {
    purpose: "Which reminders about a document's expiry were sent, so that each is sent only once.",
    rowsOf: ({ userId }) => ofOwnDocuments(userId),
    erasure: { text: 'Deleted with the document.', deletes: true },
    retention: { text: 'Until the document is deleted.' },
    columns: { documentId: 'exported', daysBefore: 'exported', endsOn: 'exported', sentAt: 'exported' },
  },
  documentOpenings: {
    purpose: "When admins opened a document's file, and the single-use addresses at which they opened it.",
    rowsOf: ({ userId }) => ofOwnDocuments(userId),
    erasure: { text: 'Deleted with the document.', deletes: true },
    retention: {
      text: '30 days. The audit log still says that the file was opened.',
      isOver: sql<boolean>`opened_at < now() - interval '30 days'`,
    },
    columns: {
      openingId: 'secret',
      documentId: 'exported',
      openedBy: 'others',
      openedAt: 'exported',
      usedAt: 'exported',
    },
  },
  hiddenCoaches: {
    purpose:
      "The time from which a coach's lessons can't be booked because a document is missing, and who was notified, so that each person is notified only once.",
    rowsOf: ({ userId }) => sql`coach_id = ${userId}::uuid`,
    erasure: { text: 'Deleted.', deletes: true },
    retention: { text: 'Until the lessons can be booked again, or the person stops being a coach.' },
    columns: {
      coachId: 'exported',
      hiddenAt: 'exported',
      adminsNotifiedAt: 'exported',
      ownerNotifiedAt: 'exported',
      coachNotifiedAt: 'exported',
      listedAt: 'exported',
    },
  },
  coachDocuments: {
    purpose:
      'Checks and documents of coaches: kind, dates, how an admin saw them and the decision. Numbers are encrypted. We keep neither the content nor a copy of a criminal record check.',
    rowsOf: ({ userId }) => sql`coach_id = ${userId}::uuid`,
    erasure: { text: 'Deleted, with the files.', deletes: true },
    retention: {
      text: 'Until 30 days after the document was replaced or declined, or after the person stopped being a coach.',
      isOver: sql<boolean>`(closed_at < now() - interval '30 days' or ${left})`,
    },
    columns: {
      documentId: 'exported',
      coachId: 'exported',
      kind: 'exported',
      scheme: 'exported',
      level: 'exported',
      workforce: 'exported',
      issuer: 'exported',
      numberEncrypted: 'decrypted',
      issuedOn: 'exported',
      validUntil: 'exported',
      recheckOn: 'exported',
      endsOn: 'derived',
      countsForMinors: 'derived',
      method: 'exported',
      status: 'exported',
      declineReason: 'exported',
      fileObjectId: 'exported',
      fileContentId: 'derived',
      submittedAt: 'exported',
      checkedBy: 'others',
      checkedAt: 'exported',
      closedAt: 'exported',
    },
  },
  updateServiceConsents: {
    purpose:
      'When a coach agreed that we may check the DBS Update Service, and when the coach withdrew this consent.',
    rowsOf: ({ userId }) => sql`coach_id = ${userId}::uuid`,
    erasure: { text: 'Deleted.', deletes: true },
    retention: {
      text: 'While the person is a coach and for 30 days afterwards; a withdrawn consent for 3 years at most.',
      isOver: sql<boolean>`(withdrawn_at < now() - interval '3 years' or ${left})`,
    },
    columns: {
      consentId: 'exported',
      coachId: 'exported',
      textVersion: 'exported',
      givenAt: 'exported',
      withdrawnAt: 'exported',
    },
  },
};
