import type { Location } from './catalogue/contract.ts';
import type { LessonContent } from './catalogue/template.ts';
import type { Message } from './message.ts';
import type { DeliveryChannel } from './notifications/kinds.ts';
import type { LessonTime } from './time.ts';

type NoPayload = Record<string, never>;
/** An event from Stripe; the job reads the event's object again, because the event may arrive late. */
type EventPayload = { eventId: string; objectId: string };
type BookingPayload = { bookingId: string };
type RefundPayload = { refundId: string };
/**
 * The state before and after a change. `version` tells changes to the same booking apart. `isSettled`: the coach has
 * had time to correct the change.
 */
type BookingChange<Part> = BookingPayload & { from: Part; to: Part; version: string; isSettled?: true };

/** Jobs that send messages to people. They have their own runner, so that no other job waits for a mail server. */
type NotificationJobPayloads = {
  /** An email bounced after a mail server had accepted it. */
  'notifications.bounced': { notificationId: string };
  /** If `message` is null, the message is composed when it is sent. */
  'notifications.deliver': { notificationId: string; channel: DeliveryChannel; message: Message | null };
  /** An email that is not a notification: about signing in, or to someone without an account. */
  'notifications.send': { to: string } & Message;
  'bookings.booked': BookingPayload;
  /** `reason` is an admin's; absent if the customer or the coach cancelled. */
  'bookings.cancelled': BookingPayload & { reason?: string };
  'bookings.changed': BookingChange<LessonContent>;
  /** A guardian allows less than before; the coaches of upcoming lessons are notified. */
  'bookings.consent-reduced': { consentId: number };
  'bookings.moved': BookingChange<LessonTime>;
  /** A charge that arrived after its hold was released is refunded. */
  'bookings.payment-returned': BookingPayload;
  'bookings.refund-given-up': RefundPayload;
  'bookings.refund-settled': RefundPayload;
  /** An admin moved a booking from another date, or booked it again after a cancellation. */
  'bookings.moved-by-admin': BookingPayload & { from: LessonTime; isRebooked: boolean; version: string };
  /** The coach cancelled a lesson that the customer had cancelled late: the rest is refunded as well. */
  'bookings.refunded': BookingPayload & { refundCents: number };
  /** `from` or `to` is null if the location was, or is, still to be agreed. */
  'bookings.relocated': BookingChange<Location | null>;
  /** A coach shared a note with a family and hasn't changed it for five minutes. */
  'progress.note-shared': BookingPayload;
};

/** Jobs that delete stored bytes. They have their own runner, because S3 may keep them waiting. */
type StorageJobPayloads = {
  'storage.remove-bytes': NoPayload;
  'storage.remove-orphans': NoPayload;
};

/**
 * Every job's payload by its name, `{area}.{what-happens}`. `src/server/{area}/jobs.ts` has the handler, even if
 * another area queues the job.
 */
export type JobPayloads = NotificationJobPayloads &
  StorageJobPayloads & {
    'account.cleanup': NoPayload;
    'auth.email-change-requested': { userId: string; newEmail: string };
    'auth.recovery-requested': { email: string; redirectTo: string };
    'auth.sessions-expired': NoPayload;
    'auth.verification-requested': { email: string; redirectTo: string };
    'bookings.location-moved': { locationId: string };
    'bookings.months-ended': NoPayload;
    'bookings.payment-changed': EventPayload;
    /** An admin sends the evidence against a dispute to Stripe. */
    'bookings.dispute-answered': { disputeId: string };
    /** A hold was released while its customer was paying. */
    'bookings.payment-released': { paymentId: string };
    'bookings.refund-changed': EventPayload;
    'bookings.refund-requested': RefundPayload;
    'bookings.reminders-due': NoPayload;
    'bookings.sweep': NoPayload;
    'bookings.template-changed': { templateId: string };
    'catalogue.slots-ended': NoPayload;
    'payments.card-refused': EventPayload;
    'payments.card-replaced': { paymentMethodId: string };
    'payments.card-set-up': EventPayload;
    'payments.cards-expiring': NoPayload;
    'payments.customer-erased': { customerId: string };
    'payments.disputed': EventPayload;
    'payments.read-missed-events': NoPayload;
    'verification.day-begun': NoPayload;
    'verification.hidings-due': NoPayload;
    'reviews.cases-due': NoPayload;
    'reviews.invitations-due': NoPayload;
    'reviews.publications-due': NoPayload;
  };

export type JobName = keyof JobPayloads;
export type NotificationJobName = keyof NotificationJobPayloads;
export type StorageJobName = keyof StorageJobPayloads;
/** Jobs that read an object from Stripe again after an event about it. */
export type EventJobName = NamesOf<EventPayload>;

type NamesOf<Payload> = { [K in JobName]: JobPayloads[K] extends Payload ? K : never }[JobName];

/** Jobs that run on a schedule: minute, hour, day, month and weekday as in a crontab, in UTC. */
export const recurringJobs = {
  'account.cleanup': '27 * * * *',
  'auth.sessions-expired': '17 * * * *',
  // A fallback in case a process is killed during a sweep, before it has queued the next sweep.
  'bookings.sweep': '* * * * *',
  'bookings.reminders-due': '* * * * *',
  // Only the first run after the second day of a month and the first run after an upgrade have anything to do.
  'bookings.months-ended': '37 * * * *',
  'payments.cards-expiring': '5 8 * * *',
  'catalogue.slots-ended': '*/5 * * * *',
  'payments.read-missed-events': '*/5 * * * *',
  'reviews.cases-due': '10 8 * * *',
  'reviews.invitations-due': '*/10 * * * *',
  'reviews.publications-due': '*/5 * * * *',
  'storage.remove-bytes': '* * * * *',
  'storage.remove-orphans': '40 2 * * *',
  // At 00:05 in London, in winter and in summer. The run at the other time changes nothing.
  'verification.day-begun': '5 23,0 * * *',
  'verification.hidings-due': '* * * * *',
} satisfies RecurringJobs;

/** Schedules by job; only a job without a payload can recur. */
export type RecurringJobs = { [K in NamesOf<NoPayload>]?: string };
