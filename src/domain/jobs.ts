import type { LessonContent, Location } from './catalogue/contract.ts';
import type { LessonTime } from './time.ts';

type NoPayload = Record<string, never>;
/** An event of the card network; its object is read again, because the event itself may be late. */
type EventPayload = { eventId: string; objectId: string };
type BookingPayload = { bookingId: string };
type RefundPayload = { refundId: string };
/** What the customer was last told, and what is true. */
type BookingChange<Part> = BookingPayload & { from: Part; to: Part };

/** Jobs that send emails. They have a runner of their own, so that nothing else waits for a mail server. */
type EmailJobPayloads = {
  'email.send': { to: string; subject: string; text: string };
  'booking.booked': BookingPayload;
  'booking.cancelled': BookingPayload;
  /** The coach cancelled a lesson that the customer had cancelled late: the rest comes back, too. */
  'booking.refunded': BookingPayload & { refundCents: number };
  'booking.moved': BookingChange<LessonTime>;
  'booking.changed': BookingChange<LessonContent>;
  /** Null for a location that is still to be agreed. */
  'booking.relocated': BookingChange<Location | null>;
  /** A charge that arrived after its hold was released is refunded. */
  'payment.returned': BookingPayload;
  'refund.given-up': RefundPayload;
  'refund.settled': RefundPayload;
};

/**
 * Every job's payload by its name, `{area}.{past-tense}` or `{area}.{verb}`. The handler is in the `jobs.ts` of the
 * area that does the work.
 */
export type JobPayloads = EmailJobPayloads & {
  'account.cleanup': NoPayload;
  'accounts.email_change_requested': { userId: string; newEmail: string };
  'accounts.recovery_requested': { email: string; redirectTo: string };
  'accounts.sessions_expired': NoPayload;
  'accounts.verification_requested': { email: string; redirectTo: string };
  'bookings.sweep': NoPayload;
  'card.refused': EventPayload;
  'card.replaced': { paymentMethodId: string };
  'card.set_up': EventPayload;
  'cards.expiring': NoPayload;
  'catalogue.slots-ended': NoPayload;
  'customer.erased': { customerId: string };
  'location.moved': { locationId: string };
  'payment.changed': EventPayload;
  'payment.disputed': EventPayload;
  /** A hold was released while its customer was paying. */
  'payment.released': { paymentId: string };
  'payments.read-missed-events': NoPayload;
  'refund.changed': EventPayload;
  'refund.requested': RefundPayload;
  'template.changed': { templateId: string };
};

export type JobName = keyof JobPayloads;
export type EmailJobName = keyof EmailJobPayloads;
/** Jobs that read an object of the card network again after an event about it. */
export type EventJobName = NamesOf<EventPayload>;

type NamesOf<Payload> = { [K in JobName]: JobPayloads[K] extends Payload ? K : never }[JobName];

/** Jobs that queue themselves: minute, hour, day, month and weekday as in a crontab, in UTC. */
export const recurringJobs = {
  'account.cleanup': '27 * * * *',
  'accounts.sessions_expired': '17 * * * *',
  // A fallback for a process that is killed during a sweep, before it has queued the next one.
  'bookings.sweep': '* * * * *',
  'cards.expiring': '5 8 * * *',
  'catalogue.slots-ended': '*/5 * * * *',
  'payments.read-missed-events': '*/5 * * * *',
} satisfies RecurringJobs;

/** Times by job; only a job without a payload can recur. */
export type RecurringJobs = { [K in NamesOf<NoPayload>]?: string };
