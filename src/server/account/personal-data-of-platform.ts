import { sql } from 'kysely';
import { nowMs } from '#server/platform/http/rate-limit.ts';
import type { Register } from './personal-data-entry.ts';

/** The register's part about the platform's own tables. */
export const platformTables: Register<
  'auditLog' | 'webhookEvents' | 'rateLimits' | 'siteSettings' | 'health'
> = {
  auditLog: {
    purpose: 'Who did what and when: to find out about fraud, mistakes and disputes.',
    rowsOf: ({ userId }) => sql`(actor_user_id = ${userId}::uuid or subject_id = ${userId})`,
    erasure: {
      text: 'Kept. It names people by id alone, and of personal data the fields that changed, not their values.',
    },
    retention: {
      // As long as a contractual claim may be brought (Limitation Act 1980, section 5).
      text: '6 years.',
      isOver: sql<boolean>`at < now() - interval '6 years'`,
    },
    columns: {
      auditId: 'exported',
      at: 'exported',
      actorUserId: ({ userId }) => sql`case when actor_user_id = ${userId}::uuid then actor_user_id end`,
      actorSystem: 'exported',
      action: 'exported',
      subjectType: 'exported',
      subjectId: ({ userId }) => sql`case when subject_id = ${userId} then subject_id end`,
      before: ({ userId }) => sql`case when subject_id = ${userId} then before end`,
      after: ({ userId }) => sql`case when subject_id = ${userId} then after end`,
    },
  },
  webhookEvents: {
    reason: "Ids of the card network's events, kept so that none is handled twice.",
    retention: {
      // Stripe sends an event again for three days, and its dashboard's users can for 30.
      text: '90 days after it was handled.',
      isOver: sql<boolean>`handled_at is not null and received_at < now() - interval '90 days'`,
    },
    columns: {
      eventId: 'impersonal',
      eventType: 'impersonal',
      objectId: 'impersonal',
      receivedAt: 'impersonal',
      handledAt: 'impersonal',
    },
  },
  rateLimits: {
    reason: 'Counts under ids of accounts and hashes of addresses, for a day at most.',
    retention: {
      text: 'Until the count has run out: an hour for most, a day for invitations.',
      isOver: sql<boolean>`expires_at_ms <= ${nowMs}`,
    },
    columns: { key: 'impersonal', calls: 'impersonal', expiresAtMs: 'impersonal' },
  },
  siteSettings: {
    reason: 'What the operator has set for everybody.',
    retention: { text: 'As long as the product runs.' },
    columns: { key: 'impersonal', value: 'impersonal', updatedAt: 'impersonal' },
  },
  health: {
    reason: 'One row by which the health check writes.',
    retention: { text: 'As long as the product runs.' },
    columns: {
      isOnlyRow: 'impersonal',
      provenAt: 'impersonal',
      sweptAt: 'impersonal',
      booksComparedAt: 'impersonal',
      eventsReadUntil: 'impersonal',
    },
  },
};
