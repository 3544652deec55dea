import { describeCard, refundArrival } from '#domain/card-labels.ts';
import { formatLocation } from '#domain/location-text.ts';
import type { MessageAction, MessagePart, NotificationMessage } from '#domain/message.ts';
import { formatPounds } from '#domain/money.ts';
import { shortReference } from '#domain/reference.ts';
import { type Sport, sports } from '#domain/sports.ts';
import { formatLessonTime } from '#domain/time.ts';
import { greet } from './greet.ts';

/** A lesson's content, as its coach describes it. */
export type LessonContent = { title: string; description: string; sport: Sport };

type BookedLesson = LessonContent & {
  bookingId: string;
  /** The content after the coach's changes since the booking; null if there were none. */
  changedTo: LessonContent | null;
  coachName: string;
  startTime: string;
  endTime: string;
  /** The lesson's time when it was booked, if the coach has moved it since; otherwise null. */
  movedFrom: { startTime: string; endTime: string } | null;
  location: { name: string; address: string; city: string; postcode: string } | null;
  amountCents: number;
  card: { brand: string; lastFour: string } | null;
  refund: { amountCents: number } | null;
  cancelledBy: 'customer' | 'coach' | 'platform' | null;
  cancellationReason: string | null;
  slotStatus: string;
};

/** The data for messages about a booking. */
export type BookingMessageData = {
  booking: BookedLesson;
  /** The path of the coach's picture, a square of at least 96 pixels; null if visitors can't see one. */
  coachPicture: string | null;
  /** The cancellation policy in a sentence. */
  terms: string;
  fullName: string;
  /** The dependant a booking is for; null if the customer takes part. */
  participantName?: string | null;
  /**
   * All bookings of the checkout that paid for this one, this one included; empty or omitted if it paid for this
   * booking alone.
   */
  paidTogether?: {
    participantName: string;
    title: string;
    startTime: string;
    endTime: string;
    amountCents: number;
  }[];
};

/** How the app lists a new booking: the title, the sentence below it and the page that opens. */
export const describeReceipt = (
  booking: Pick<BookedLesson, 'bookingId' | 'title' | 'coachName' | 'startTime' | 'endTime' | 'location'>,
) => ({
  subject: `Booked: ${booking.title}, ${when(booking)}`,
  summary: [
    `With ${booking.coachName}`,
    ...(booking.location ? [formatLocation(booking.location)] : []),
  ].join(', '),
  action: openBooking(booking, 'View or cancel your booking'),
});

/** Sends a customer the receipt: the lesson, its location, the payment and card, and the cancellation terms. */
export function composeBookedMessage(data: BookingMessageData): NotificationMessage {
  const { booking, terms, fullName } = data;
  const payment: [string, string][] = booking.card
    ? [
        ['Paid', `${formatPounds(booking.amountCents)} with ${describeCard(booking.card)}`],
        ['Cancelling', terms],
      ]
    : [['Price', 'This lesson is free.']];
  return {
    ...describeReceipt(booking),
    body: [
      greet(fullName),
      "You're booked.",
      describeLesson(data),
      { facts: [...forWhom(data), ...payment, bookingReference(booking)] },
      ...describeCheckout(data),
    ],
  };
}

/**
 * Notifies a customer that a booking is cancelled, and of any refund and the card that receives it. `reason` is the
 * admin's, if an admin cancelled the booking.
 */
export function composeCancelledMessage(
  data: BookingMessageData,
  reason: string | null = null,
): NotificationMessage {
  const { booking, fullName } = data;
  const money =
    booking.refund && booking.card
      ? `We're refunding ${formatPounds(booking.refund.amountCents)} to ${describeCard(booking.card)}. The money arrives in ${refundArrival}.`
      : booking.amountCents > 0
        ? 'Under the terms of this booking, there is no refund.'
        : "You weren't charged for this lesson.";
  const isByCoach = booking.cancelledBy === 'coach';
  const isByUs = booking.cancelledBy === 'platform';
  return {
    subject: `Cancelled: ${booking.title}, ${when(booking)}`,
    summary: `${isByCoach ? `${booking.coachName} has cancelled this lesson. ` : isByUs ? "We've cancelled this booking. " : ''}${money}`,
    body: [
      greet(fullName),
      isByCoach
        ? `${booking.coachName} has cancelled this lesson. We're sorry.`
        : isByUs
          ? "We've cancelled your booking."
          : 'Your booking is cancelled, and your place is available to others.',
      ...(isByCoach ? quoteReason(booking) : reason ? [{ quote: reason }] : []),
      describeLesson(data),
      // Customers are not notified of a move just before the cancellation, so they may know only the old time.
      ...(booking.movedFrom
        ? [`The coach had moved this lesson. When you booked it, it was on ${when(booking.movedFrom)}.`]
        : []),
      money,
      { facts: [...forWhom(data), bookingReference(booking)] },
    ],
    action: openBooking(booking),
  };
}

/**
 * Notifies a customer who cancelled late that the coach has since cancelled the lesson, and that the rest of the
 * money, `refundCents`, is refunded too.
 */
export function composeRefundedMessage(data: BookingMessageData, refundCents: number): NotificationMessage {
  const { booking, fullName } = data;
  const amount = formatPounds(refundCents);
  return {
    subject: `Refunded in full: ${booking.title}, ${when(booking)}`,
    summary: `${booking.coachName} has cancelled this lesson, so we're refunding the remaining ${amount}.`,
    body: [
      greet(fullName),
      `${booking.coachName} has cancelled a lesson that you had already cancelled.`,
      ...quoteReason(booking),
      describeLesson(data),
      `The lesson won't take place, so we're also refunding the rest of what you paid: ${amount}${toCard(booking)}. The money arrives in ${refundArrival}.`,
      { facts: [bookingReference(booking)] },
    ],
    action: openBooking(booking),
  };
}

/** Notifies a customer that a payment arrived too late to keep the seat and is refunded in full. */
export function composeReturnedMessage(data: BookingMessageData): NotificationMessage {
  const { booking, fullName, paidTogether = [] } = data;
  const amount = formatPounds(totalOf(data));
  const others = paidTogether.length - 1;
  const isJoint = others > 0;
  // Of several lessons, the coaches may have cancelled some, and others may be full.
  const next = isJoint
    ? 'You can book any of these lessons again if it still takes place and has a place left.'
    : booking.slotStatus === 'cancelled'
      ? 'The coach has cancelled this lesson.'
      : "If there's still a place, you can book again.";
  return {
    subject: `Not booked, refunded in full: ${booking.title}, ${when(booking)}${isJoint ? ` and ${others} more` : ''}`,
    summary: `Your payment arrived after we had released your ${isJoint ? 'places' : 'place'}. We're refunding ${amount}.`,
    body: [
      greet(fullName),
      isJoint
        ? "Your payment for these lessons arrived after we had released your places, so you don't have bookings."
        : "Your payment for this lesson arrived after we had released your place, so you don't have a booking.",
      ...(isJoint ? [listLessons(paidTogether)] : [describeLesson(data)]),
      `We're refunding your payment in full: ${amount}${toCard(booking)}. The money arrives in ${refundArrival}.`,
      `We're sorry for the trouble. ${next}`,
      { facts: [bookingReference(booking)] },
    ],
    action: openBooking(booking),
  };
}

/** The dependant who takes part, if there is one. Emails never contain a dependant's notes or contacts. */
export const forWhom = ({
  participantName,
}: Pick<BookingMessageData, 'participantName'>): [string, string][] =>
  participantName ? [['For', participantName]] : [];

/** What a checkout of several seats paid for, in one payment; empty for a single seat. */
function describeCheckout(data: BookingMessageData): MessagePart[] {
  const { paidTogether = [] } = data;
  if (paidTogether.length < 2) return [];
  const total = formatPounds(totalOf(data));
  return [
    `You booked ${paidTogether.length} places with one payment of ${total}. You can cancel each of them separately.`,
    listLessons(paidTogether),
  ];
}

const totalOf = ({ booking, paidTogether = [] }: BookingMessageData): number =>
  paidTogether.length > 0
    ? paidTogether.reduce((sum, { amountCents }) => sum + amountCents, 0)
    : booking.amountCents;

/** Lessons that one payment paid for, one per line, each with its participant and amount. */
export const listLessons = (lessons: NonNullable<BookingMessageData['paidTogether']>): MessagePart => ({
  facts: lessons.map((lesson) => [
    lesson.participantName,
    `${lesson.title}, ${when(lesson)}, ${formatPounds(lesson.amountCents)}`,
  ]),
});

const toCard = ({ card }: BookedLesson) => (card ? ` to ${describeCard(card)}` : '');

const quoteReason = ({ cancellationReason }: BookedLesson): MessagePart[] =>
  cancellationReason ? [{ quote: cancellationReason }] : [];

/** The button that opens the page of a booking. */
export const openBooking = (
  { bookingId }: Pick<BookedLesson, 'bookingId'>,
  label = 'View your booking',
): MessageAction => ({ label, path: `/customer/bookings/${bookingId}` });

export const bookingReference = ({ bookingId }: Pick<BookedLesson, 'bookingId'>): [string, string] => [
  'Booking reference',
  shortReference(bookingId),
];

/** "Sat 21 Nov, 09:00–10:00", as used in subjects and texts. */
export const when = ({ startTime, endTime }: Pick<BookedLesson, 'startTime' | 'endTime'>) =>
  formatLessonTime(startTime, endTime, Date.now());

/**
 * The booked lesson, coach, time and location, one per line, and the coach's later changes. Coaches and admins are not
 * shown the coach's picture.
 */
export function describeLesson({
  booking,
  coachPicture = null,
}: Pick<BookingMessageData, 'booking'> & Partial<Pick<BookingMessageData, 'coachPicture'>>): MessagePart {
  const { changedTo } = booking;
  return describeCoachesLesson({ ...booking, coachPicture }, [
    ...(changedTo ? [`Changed by the coach to: ${changedTo.title} (${sports[changedTo.sport]})`] : []),
    `${when(booking)} (London time)`,
    ...(booking.location ? [formatLocation(booking.location)] : []),
  ]);
}

/** A lesson with its coach, and the coach's picture if there is one. */
export const describeCoachesLesson = (
  {
    title,
    coachName,
    coachPicture,
  }: Pick<BookedLesson, 'title' | 'coachName'> & Pick<BookingMessageData, 'coachPicture'>,
  lines: string[],
): MessagePart => ({
  lesson: `${title} with ${coachName}`,
  lines,
  ...(coachPicture && { picture: { path: coachPicture, alt: coachName } }),
});
