import { sql } from 'kysely';
import { nowMs } from '#server/platform/http/rate-limit.ts';
import type { Register } from './personal-data-entry.ts';

/** The register's entries for the platform's own tables. */
export const platformTables: Register<
  'auditLog' | 'webhookEvents' | 'changes' | 'rateLimits' | 'siteSettings' | 'health' | 'closedSums'
> = {
  auditLog: {
    purpose: 'Who did what and when, to investigate fraud, mistakes and disputes.',
    rowsOf: ({ userId }) => sql`(actor_user_id = ${userId}::uuid or subject_id = ${userId})`,
    erasure: {
      text: 'Kept. The log identifies people by id only and records which personal data changed, but not the values.',
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
    reason: "Ids of Stripe's events, kept so that no event is handled twice.",
    retention: {
      // Stripe retries an event for 3 days, and an operator can have it resent for 30 days.
      text: '90 days after the event was received. An event that has not been handled is kept.',
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
  changes: {
    purpose:
      'Which lessons, bookings and lists have just changed, so that open pages are updated without a reload.',
    rowsOf: ({ userId }) => sql`(topic in ('user', 'coach') and key = ${userId})`,
    // The rows written by the deletion itself close the person's connections.
    erasure: { text: 'Kept for the rest of the hour. The rows identify people by id only.' },
    retention: {
      // Processes read new rows four times a second; an hour leaves time to look into a fault.
      text: 'An hour.',
      isOver: sql<boolean>`at < now() - interval '1 hour'`,
    },
    columns: {
      changeId: 'exported',
      xid: 'derived',
      topic: 'exported',
      key: 'exported',
      kind: 'exported',
      subjectId: 'exported',
      at: 'exported',
    },
  },
  rateLimits: {
    reason: 'Counts of calls towards rate limits, by account id or by a hash of an email or IP address.',
    retention: {
      text: "Until the limit's period ends, which is a day at most.",
      isOver: sql<boolean>`expires_at_ms <= ${nowMs}`,
    },
    columns: { key: 'impersonal', calls: 'impersonal', expiresAtMs: 'impersonal' },
  },
  siteSettings: {
    reason: 'Settings that apply to the whole site.',
    retention: { text: 'As long as the product is in use.' },
    columns: { key: 'impersonal', value: 'impersonal', updatedAt: 'impersonal' },
  },
  closedSums: {
    reason: 'The end of the last month that the totals of closed months include.',
    retention: { text: 'As long as the product is in use.' },
    columns: { name: 'impersonal', until: 'impersonal' },
  },
  health: {
    reason:
      "One row with the times of the last health check, payment sweep and comparison with Stripe, and how far Stripe's events have been read.",
    retention: { text: 'As long as the product is in use.' },
    columns: {
      isOnlyRow: 'impersonal',
      provenAt: 'impersonal',
      sweptAt: 'impersonal',
      booksComparedAt: 'impersonal',
      eventsReadUntil: 'impersonal',
    },
  },
};
