import { isSameContent } from '#domain/catalogue/lesson-content.ts';
import { isSameLocation } from '#domain/catalogue/location.ts';
import { isSameTime } from '#domain/time.ts';
import {
  composeBookedMessage,
  composeCancelledMessage,
  composeRefundedMessage,
  composeReturnedMessage,
} from '#server/notifications/templates/bookings.ts';
import { composeMovedByAdminMessage } from '#server/notifications/templates/desk.ts';
import {
  composeChangedMessage,
  composeMovedMessage,
  composeRelocatedMessage,
} from '#server/notifications/templates/lesson-changes.ts';
import { readIntent } from '#server/payments/payment-intents.ts';
import { markHandled } from '#server/payments/webhook-events.ts';
import type { AreaHandlers } from '#server/platform/jobs/start-worker.ts';
import { type BookingParts, settleAnswer } from './booking/settle-booking.ts';
import { changeBookings } from './changes/change-bookings.ts';
import { notifyOfChange } from './changes/notify-of-change.ts';
import { relocateBookings } from './changes/relocate-bookings.ts';
import { stillApplies } from './changes/still-applies.ts';
import { closeMonths } from './close-months.ts';
import { submitEvidence } from './disputes/send-evidence.ts';
import {
  type BookingNoticeParts,
  draftCancelled,
  draftMovedByAdmin,
  draftNewBooking,
  notifyOfBooking,
} from './notify-booking.ts';
import { endPayment } from './payment/end-payment.ts';
import { type PaymentRecord, readPayment } from './payment/payment-records.ts';
import { queueSweep, recordSweep, sweepPayments } from './payment/sweep-payments.ts';
import { type BookingNotice, readBookingMessageData } from './queries.ts';
import { readRefundsAgain } from './refunds/external-refunds.ts';
import { notifyFailed, notifySettled } from './refunds/notify-refund.ts';
import { sendRefund } from './refunds/send-refund.ts';
import { notifyOfConsent } from './register/notify-consent.ts';
import { pickDigests } from './reminders/pick-digests.ts';
import { pickReminders } from './reminders/pick-reminders.ts';

/** The jobs about bookings that send no messages themselves, so none of them waits for a mail server. */
export function bookingJobs(parts: BookingParts) {
  const { db } = parts;
  return {
    'bookings.payment-changed': async ({ eventId, objectId }) => {
      await settleIntentAgain(parts, objectId);
      await markHandled(db, eventId);
    },
    'bookings.refund-changed': async ({ eventId, objectId }) => {
      await readRefundsAgain(parts, objectId);
      await markHandled(db, eventId);
    },
    'bookings.dispute-answered': ({ disputeId }) => submitEvidence(parts, disputeId),
    'bookings.refund-requested': ({ refundId }) => sendRefund(parts, refundId),
    'bookings.payment-released': ({ paymentId }) => endPayment(parts, paymentId),
    'bookings.sweep': async () => {
      // Queues the next sweep first, so that another process continues if this process is killed.
      await queueSweep(db, 60);
      try {
        await sweepPayments(parts);
        await recordSweep(db);
      } finally {
        await queueSweep(db);
      }
    },
    'bookings.reminders-due': async () => {
      await pickReminders(db);
      await pickDigests(db);
    },
    'bookings.months-ended': () => closeMonths(db),
    'bookings.location-moved': ({ locationId }) =>
      db.transaction().execute((tx) => relocateBookings(tx, { locationId })),
    'bookings.template-changed': ({ templateId }) =>
      db.transaction().execute((tx) => changeBookings(tx, { templateId })),
  } satisfies AreaHandlers<'bookings'>;
}

/**
 * Jobs that notify customers, guardians, coaches and admins of events about bookings. Each job composes its message
 * when it runs, so that the message is up to date.
 */
export function bookingNotificationJobs(parts: BookingNoticeParts) {
  const { db } = parts;
  const booked = {
    kind: 'booked',
    version: 'booked',
    compose: composeBookedMessage,
    ofCoach: draftNewBooking,
  } as const;
  const afterSettling = notifyOfChange(parts);
  return {
    'bookings.booked': async ({ bookingId }) => {
      // The coach may have changed the lesson while the seat was being taken. If so, the job for that change may not
      // have found this booking.
      const data = await readBookingMessageData(db, bookingId);
      if (!data?.isOutdated) return notifyOfBooking(parts, bookingId, booked, data);
      await db.transaction().execute(async (tx) => {
        await relocateBookings(tx, { bookingId });
        await changeBookings(tx, { bookingId });
      });
      await notifyOfBooking(parts, bookingId, booked);
    },
    'bookings.cancelled': async ({ bookingId, reason = null }) => {
      const data = await readBookingMessageData(db, bookingId);
      if (!data?.booking.cancelledAt) return;
      const cancelled = {
        kind: 'lesson_cancelled' as const,
        // A booking that an admin books again can be cancelled a second time.
        version: `cancelled ${data.booking.cancelledAt}`,
        compose: (now: BookingNotice) => composeCancelledMessage(now, reason),
        ofCoach: draftCancelled,
      };
      await notifyOfBooking(parts, bookingId, cancelled, data);
    },
    'bookings.moved-by-admin': async ({ bookingId, from, isRebooked, version }) => {
      const data = await readBookingMessageData(db, bookingId);
      if (!data || data.booking.cancelledBy !== null) return;
      const { startTime, endTime } = data.booking;
      const moved = {
        kind: 'lesson_moved' as const,
        version,
        // The next notification of a move by the coach names `to` as the old time.
        params: { from, to: { startTime, endTime } },
        compose: (now: BookingNotice) => composeMovedByAdminMessage(now, from, isRebooked),
        ofCoach: (now: BookingNotice) => draftMovedByAdmin(now, { from, isRebooked, version }),
      };
      await notifyOfBooking(parts, bookingId, moved, data);
    },
    'bookings.refunded': ({ bookingId, refundCents }) =>
      notifyOfBooking(parts, bookingId, {
        kind: 'refund',
        version: 'refunded',
        compose: (data) => composeRefundedMessage(data, refundCents),
      }),
    'bookings.consent-reduced': ({ consentId }) => notifyOfConsent(db, consentId),
    'bookings.refund-given-up': ({ refundId }) => notifyFailed(db, refundId),
    'bookings.refund-settled': ({ refundId }) => notifySettled(db, refundId),
    'bookings.moved': (change) =>
      afterSettling('bookings.moved', change, {
        kind: 'lesson_moved',
        stillApplies: stillApplies.moved,
        original: ({ booking }) => booking.movedFrom,
        isSame: isSameTime,
        compose: composeMovedMessage,
      }),
    'bookings.changed': (change) =>
      afterSettling('bookings.changed', change, {
        kind: 'lesson_changed',
        stillApplies: stillApplies.changed,
        original: ({ booking }) => booking,
        isSame: isSameContent,
        compose: composeChangedMessage,
      }),
    'bookings.relocated': (change) =>
      afterSettling('bookings.relocated', change, {
        kind: 'lesson_relocated',
        stillApplies: stillApplies.relocated,
        original: ({ booking }) => booking.relocatedFrom?.location,
        isSame: isSameLocation,
        compose: composeRelocatedMessage,
      }),
    'bookings.payment-returned': ({ bookingId }) =>
      notifyOfBooking(parts, bookingId, {
        kind: 'refund',
        version: 'returned',
        compose: composeReturnedMessage,
      }),
  } satisfies AreaHandlers<'bookings'>;
}

/**
 * Settles a payment after an event about its intent. The event may arrive before the response to our own call; until
 * then, the intent's metadata is the only link to the payment.
 */
async function settleIntentAgain(parts: BookingParts, intentId: string): Promise<void> {
  const loaded = await readPayment(parts.db, { intentId });
  if (loaded?.paymentStatus === 'succeeded') return;
  const answer = await readIntent(parts.cards, intentId);
  if (answer.kind === 'absent') return parts.log.warn({ intentId }, 'unknown payment intent');
  if (answer.kind !== 'intent') throw new Error('Stripe did not respond.');
  const payment = loaded ?? (await findByMetadata(parts, answer.intent.metadata.payment_id));
  if (payment) await settleAnswer(parts, payment, answer);
  else parts.log.warn({ intentId }, 'payment intent matches no payment');
}

async function findByMetadata(
  { db }: BookingParts,
  paymentId: string | undefined,
): Promise<PaymentRecord | undefined> {
  return /^[0-9a-f-]{36}$/.test(paymentId ?? '') ? readPayment(db, { paymentId: paymentId! }) : undefined;
}
