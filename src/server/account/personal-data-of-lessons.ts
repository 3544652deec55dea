import { sql } from 'kysely';
import type { Register } from './personal-data-entry.ts';
import { accountingRecords } from './personal-data-of-money.ts';

/**
 * The register's entries for lessons and bookings. The rows of `bookings` are the customer's. Text that a coach writes
 * about a customer, such as a private note on a booking, belongs to both people. Such text needs a separate table, in
 * which `rowsOf` selects a row for either person, with `deletes: true`. The audit log outlives both accounts, so it
 * records only the field's name when such text changes (`describeChange` in platform/audit.ts).
 */
export const lessonTables: Register<
  | 'announcements'
  | 'lessonSlots'
  | 'lessonTemplates'
  | 'locations'
  | 'bookings'
  | 'calendarFeeds'
  | 'customerCoaches'
  | 'coachLedgerMonths'
  | 'coachLessonMonths'
> = {
  announcements: {
    purpose: 'What a coach wrote to everyone who had booked a lesson, and to how many people it was sent.',
    rowsOf: ({ userId }) => sql`coach_id = ${userId}::uuid`,
    erasure: {
      text: 'Deleted, together with the notifications that quote it. Emails that were sent stay with their recipients.',
      deletes: true,
    },
    retention: {
      text: '24 months.',
      isOver: sql<boolean>`sent_at < now() - interval '24 months'`,
    },
    columns: {
      announcementId: 'exported',
      slotId: 'exported',
      coachId: 'exported',
      text: 'exported',
      recipients: 'exported',
      sentAt: 'exported',
    },
  },
  lessonSlots: {
    purpose: 'Lessons that a coach gives: when, where and at what price.',
    rowsOf: ({ userId }) => sql`coach_id = ${userId}::uuid`,
    erasure: {
      text: 'Deleted, except for lessons that someone has booked. These stay in our accounting records, without their location and cancellation reason.',
      deletes: sql<boolean>`not exists (select from bookings booking where booking.slot_id = lesson_slots.slot_id)`,
      empties: { cancellationReason: () => sql`null`, locationId: () => sql`null` },
    },
    retention: accountingRecords,
    columns: {
      slotId: 'exported',
      templateId: 'exported',
      coachId: 'exported',
      locationId: 'exported',
      startTime: 'exported',
      endTime: 'exported',
      lessonType: 'exported',
      sport: 'exported',
      minCapacity: 'exported',
      maxCapacity: 'exported',
      minAge: 'exported',
      maxAge: 'exported',
      ageDate: 'exported',
      priceCents: 'exported',
      status: 'exported',
      bookedCount: 'exported',
      isOpen: 'derived',
      createdAt: 'exported',
      cancellationReason: 'exported',
      cancelledAt: 'exported',
      sequence: 'exported',
    },
    readable: {
      title: sql`(select title from lesson_templates template where template.template_id = lesson_slots.template_id)`,
    },
  },
  lessonTemplates: {
    purpose: 'Titles and descriptions that a coach writes for lessons.',
    rowsOf: ({ userId }) => sql`coach_id = ${userId}::uuid`,
    erasure: {
      text: 'Deleted, or cleared if a lesson that someone has booked uses the template.',
      deletes: sql<boolean>`not exists (select from lesson_slots slot where slot.template_id = lesson_templates.template_id)`,
      empties: {
        title: () => sql`'Deleted lesson'`,
        description: () => sql`''`,
        deletedAt: () => sql`coalesce(deleted_at, now())`,
      },
    },
    retention: accountingRecords,
    columns: {
      templateId: 'exported',
      coachId: 'exported',
      title: 'exported',
      description: 'exported',
      sport: 'exported',
      durationMinutes: 'exported',
      basePriceCents: 'exported',
      formerPricesCents: 'exported',
      lessonType: 'exported',
      minCapacity: 'exported',
      maxCapacity: 'exported',
      minAge: 'exported',
      maxAge: 'exported',
      ageDate: 'exported',
      createdAt: 'exported',
      deletedAt: 'exported',
      search: 'derived',
      searchWithLocations: 'derived',
    },
  },
  locations: {
    purpose: 'Locations where a coach gives lessons; a location can be a home.',
    rowsOf: ({ userId }) => sql`coach_id = ${userId}::uuid`,
    erasure: { text: 'Deleted.', deletes: true },
    retention: accountingRecords,
    columns: {
      locationId: 'exported',
      coachId: 'exported',
      name: 'exported',
      address: 'exported',
      city: 'exported',
      postcode: 'exported',
      nation: 'exported',
      createdAt: 'exported',
      deletedAt: 'exported',
      search: 'derived',
    },
  },
  bookings: {
    purpose: 'Lessons that a customer has booked, the price and terms, and whether the participant attended.',
    rowsOf: ({ userId }) => sql`customer_user_id = ${userId}::uuid`,
    erasure: {
      text: "Kept without the customer's name, for our accounting and tax records. If the coach deletes their account, customers keep a record of what they bought: the coach's name, the description and the address.",
    },
    // Leaves out the payment, which belongs to the payer.
    dependant: {
      rowsOf: (participantId) =>
        sql`participant_id = ${participantId}::uuid and participant_id <> customer_user_id`,
      columns: [
        ...([
          'bookingId',
          'slotId',
          'status',
          'title',
          'description',
          'sport',
          'coachName',
          'location',
        ] as const),
        ...(['during', 'attended', 'createdAt', 'cancelledAt'] as const),
      ],
      erasure: { text: 'Kept without the name and date of birth, for our accounting and tax records.' },
    },
    retention: accountingRecords,
    columns: {
      bookingId: 'exported',
      slotId: 'exported',
      participantId: 'exported',
      customerUserId: 'exported',
      paymentId: 'exported',
      status: 'exported',
      isActive: 'derived',
      amountCents: 'exported',
      feeCents: 'exported',
      freeUntilHours: 'exported',
      lateRefundPercent: 'exported',
      refundsEnabled: 'exported',
      during: 'exported',
      attended: 'exported',
      holdExpiresAt: 'exported',
      createdAt: 'exported',
      bookedAt: 'exported',
      cancelledAt: 'exported',
      cancelledBy: 'exported',
      isInPayrun: 'exported',
      title: 'exported',
      description: 'exported',
      sport: 'exported',
      coachName: 'exported',
      location: 'exported',
      changedTo: 'exported',
      movedFrom: 'exported',
      isOwed: 'exported',
      chargedCents: 'exported',
      refundedCents: 'exported',
      relocatedFrom: 'exported',
      sequence: 'exported',
      isInvited: 'exported',
    },
  },
  calendarFeeds: {
    purpose: "Addresses at which a person's calendar program reads their lessons.",
    rowsOf: ({ userId }) => sql`user_id = ${userId}::uuid`,
    erasure: { text: 'Deleted. The addresses stop working.', deletes: true },
    retention: {
      text: 'Until 30 days after the address was switched off or replaced.',
      isOver: sql<boolean>`revoked_at < now() - interval '30 days'`,
    },
    columns: {
      feedId: 'exported',
      userId: 'exported',
      scope: 'exported',
      tokenHash: 'secret',
      createdAt: 'exported',
      revokedAt: 'exported',
      readAt: 'exported',
    },
  },
  customerCoaches: {
    purpose: "Totals of a customer's bookings with each coach in earlier months, for the dashboard.",
    rowsOf: ({ userId }) => sql`customer_user_id = ${userId}::uuid`,
    erasure: { text: 'Kept without a name, like the bookings that they summarise.' },
    retention: accountingRecords,
    columns: {
      customerUserId: 'exported',
      coachId: 'exported',
      bookings: 'exported',
      lessons: 'exported',
      minutes: 'exported',
      latest: 'exported',
    },
  },
  coachLedgerMonths: {
    purpose: "Totals of a coach's ledger by month.",
    rowsOf: ({ userId }) => sql`coach_id = ${userId}::uuid`,
    erasure: { text: 'Kept without a name, for our accounting and tax records.' },
    retention: accountingRecords,
    columns: {
      coachId: 'exported',
      month: 'exported',
      chargedCents: 'exported',
      refundedCents: 'exported',
      feeCents: 'exported',
      paidOutCents: 'exported',
    },
  },
  coachLessonMonths: {
    purpose: "A coach's share of the price of lessons, and the number of lessons, by month.",
    rowsOf: ({ userId }) => sql`coach_id = ${userId}::uuid`,
    erasure: { text: 'Kept without a name, for our accounting and tax records.' },
    retention: accountingRecords,
    columns: {
      coachId: 'exported',
      month: 'exported',
      shareCents: 'exported',
      lessons: 'exported',
    },
  },
};
