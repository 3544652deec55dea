import type { NotificationMessage } from '#domain/message.ts';
import type { NotificationKind } from '#domain/notifications/kinds.ts';
import type { LessonTime } from '#domain/time.ts';
import { listFamily } from '#server/accounts/guardians/list-family.ts';
import type { Channels } from '#server/notifications/channels.ts';
import {
  composeGuardianBookingMessage,
  type GuardianEvent,
} from '#server/notifications/family-templates/guardians.ts';
import { notifyNow } from '#server/notifications/notify.ts';
import {
  composeCustomerCancelledMessage,
  composeNewBookingMessage,
} from '#server/notifications/templates/coach-bookings.ts';
import { composeDeskChangeMessage, type DeskChange } from '#server/notifications/templates/desk.ts';
import type { Draft, NotificationEvent } from '#server/notifications/write-notifications.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { addInvitation } from './calendars/add-invitation.ts';
import { type BookingNotice, readBookingMessageData } from './queries.ts';

export type BookingNoticeParts = {
  db: Database;
  config: Pick<Config, 'publicUrl' | 'email' | 'changeNoticeSeconds'>;
  channels: Channels;
};

export type BookingEvent = Omit<NotificationEvent, 'subjectId' | 'version'> & {
  version: string;
  /** Composes the customer's message from the booking's current state; null to notify nobody, not even the coach. */
  compose: (data: BookingNotice) => NotificationMessage | null | Promise<NotificationMessage | null>;
  /** The coach's notification of the same event; null for none. */
  ofCoach?: (data: BookingNotice) => Draft | null;
};

/**
 * Notifies a booking's customer and the dependant's other guardians of an event. Also notifies the coach if the event
 * has `ofCoach`. Safe to repeat.
 */
export async function notifyOfBooking(
  parts: BookingNoticeParts,
  bookingId: string,
  { compose, ofCoach, ...event }: BookingEvent,
  loaded?: BookingNotice | null,
): Promise<void> {
  const data = loaded ?? (await readBookingMessageData(parts.db, bookingId));
  const composed = data && (await compose(data));
  if (!composed) return;
  // A refund changes nothing in the customer's calendar.
  const message = event.kind === 'refund' ? composed : await addInvitation(parts, data, composed);
  const draft = { ...event, subjectId: bookingId, userId: data.recipient.userId, message };
  const coachDraft = ofCoach?.(data);
  const others = await draftForGuardians(parts.db, data, event);
  await notifyNow(parts, data.recipient, draft, [...(coachDraft ? [coachDraft] : []), ...others]);
}

/** The events of a dependant's booking that the other guardians are notified of. Refunds concern only the payer. */
const guardianEvents: Partial<Record<NotificationKind, GuardianEvent>> = {
  booked: 'guardian_booked',
  lesson_cancelled: 'lesson_cancelled',
  lesson_moved: 'lesson_moved',
  lesson_relocated: 'lesson_relocated',
  lesson_changed: 'lesson_changed',
};

async function draftForGuardians(
  db: Database,
  data: BookingNotice,
  { version, params = {}, ...event }: Pick<BookingEvent, 'kind' | 'version' | 'params'>,
): Promise<Draft[]> {
  const { booking, recipient } = data;
  const kind = guardianEvents[event.kind];
  if (!kind || booking.participant.isSelf) return [];
  const family = await listFamily(db, booking.participant.participantId);
  const payerName = recipient.fullName || recipient.email;
  return family
    .filter(({ userId }) => userId !== recipient.userId)
    .map(({ userId, fullName }) => ({
      kind,
      userId,
      subjectId: booking.bookingId,
      version,
      params,
      message: composeGuardianBookingMessage(data, { kind, payerName, fullName }),
    }));
}

/** The coach's notification of a new booking. */
export const draftNewBooking = (data: BookingNotice): Draft =>
  draftForCoach(data, 'new_booking', composeNewBookingMessage);

/** The coach's notification of a cancellation by the customer or an admin; null if the coach cancelled. */
export const draftCancelled = (data: BookingNotice): Draft | null => {
  const { cancelledBy, cancelledAt } = data.booking;
  if (cancelledBy === 'customer') {
    return draftForCoach(data, 'customer_cancelled', composeCustomerCancelledMessage, `${cancelledAt}`);
  }
  return cancelledBy === 'platform'
    ? draftDeskChange(data, { kind: 'cancelled' }, `cancelled ${cancelledAt}`)
    : null;
};

/** The coach's notification that an admin moved a booking to this lesson, or reinstated a cancelled booking. */
export const draftMovedByAdmin = (
  data: BookingNotice,
  { version, ...moved }: { from: LessonTime; isRebooked: boolean; version: string },
): Draft => draftDeskChange(data, { kind: 'moved', ...moved }, version);

/** The coach's notification of what an admin did to a booking. */
export function draftDeskChange(data: BookingNotice, change: DeskChange, version: string): Draft {
  const { booking, recipient } = data;
  const customerName = recipient.fullName || recipient.email;
  return {
    kind: 'booking_changed',
    userId: booking.coachId,
    subjectId: booking.bookingId,
    version,
    message: composeDeskChangeMessage(data, { ...change, customerName }),
  };
}

function draftForCoach(
  { booking, recipient, participantName }: BookingNotice,
  kind: 'new_booking' | 'customer_cancelled',
  compose: typeof composeNewBookingMessage,
  version: string = kind,
): Draft {
  return {
    kind,
    userId: booking.coachId,
    subjectId: booking.bookingId,
    version,
    aboutUserId: recipient.userId,
    message: compose({ booking, participantName, customerName: recipient.fullName || recipient.email }),
  };
}
