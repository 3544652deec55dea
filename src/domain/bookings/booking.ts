import { z } from 'zod';
import { location } from '../catalogue/location.ts';
import { slotStatus } from '../catalogue/slots-contract.ts';
import { lessonContent, lessonType } from '../catalogue/template.ts';
import {
  businessName,
  cardBrand,
  cents,
  coachAddress,
  instant,
  lastFour,
  lessonTitle,
  personName,
} from '../fields.ts';
import { cancellationPolicy } from '../settings/contract.ts';
import { avatarUrl } from '../storage/contract.ts';
import { isInstant } from '../time.ts';
import { bookingStatuses, refundStatuses } from './rules.ts';

export const bookingStatus = z.enum(bookingStatuses).meta({ id: 'BookingStatus' });

export const booking = z
  .object({
    bookingId: z.uuid(),
    slotId: z.uuid(),
    participant: z
      .object({ participantId: z.uuid(), name: personName, isSelf: z.boolean() })
      .describe('Who takes part; `isSelf` if that is the person who booked.'),
    payerName: personName
      .nullable()
      .describe(
        "Who booked, if it was another guardian. The caller then sees neither card nor refund and can't cancel. Null if the caller booked.",
      ),
    status: bookingStatus,
    amountCents: cents,
    createdAt: instant,
    cancelledAt: instant.nullable(),
    cancelledBy: z.enum(['customer', 'coach', 'platform']).nullable(),
    cancellationReason: z
      .string()
      .meta({ examples: ['Rain'] })
      .nullable()
      .describe("The coach's reason for cancelling."),
    ...lessonContent.shape,
    lessonType,
    coachId: z.uuid(),
    coachName: personName,
    coachAddress,
    startTime: instant.describe(
      'A cancelled booking keeps the time that it had when it was cancelled, even if the lesson has moved since.',
    ),
    endTime: instant,
    movedFrom: z
      .object({ startTime: instant, endTime: instant })
      .nullable()
      .describe(
        'The time that was booked, if the coach has since moved the lesson; cancelling is then free.',
      ),
    relocatedFrom: z
      .object({ location: location.nullable() })
      .nullable()
      .describe('The location that was booked, if the coach has since changed it; cancelling is then free.'),
    changedTo: lessonContent
      .nullable()
      .describe(
        'The new title, description and sport, if the coach has changed them since the booking; cancelling is then free.',
      ),
    slotStatus,
    location: location
      .nullable()
      .describe('The location that the customer was last notified of; null if still to be agreed.'),
    ...cancellationPolicy.shape,
    card: z
      .object({ brand: cardBrand, lastFour })
      .nullable()
      .describe('The card that was charged; null for a free lesson, and if another guardian booked.'),
    refund: z
      .object({ amountCents: cents, status: z.enum(refundStatuses) })
      .nullable()
      .describe(
        "The booking's refunds in total, including refunds on their way to the card. `failed` if any refund failed, else `pending` if any is on its way; `settled` if one was paid back another way. Null if there are none, and if another guardian booked.",
      ),
  })
  .meta({
    id: 'Booking',
    description:
      "A booking as its customer or another guardian of the participant sees it. The title, description, sport, coach's name and cancellation policy are as they were at the time of booking.",
  });
export type Booking = z.output<typeof booking>;

/** The input for booking a seat: the lesson with the details that the customer saw, and who takes part. */
export const seatFields = {
  slotId: z.uuid().describe('The lesson.'),
  baseAmountCents: cents
    .min(0)
    .describe('The price that the customer saw; refused with `price_changed` if the slot has another price.'),
  startTime: instant
    .refine(isInstant, 'Enter the start in the format 2027-03-28T08:00:00Z.')
    .optional()
    .describe('The start that the customer saw; refused with `time_changed` if the lesson has moved.'),
  location: location
    .nullable()
    .optional()
    .describe(
      'The location that the customer saw, null for none; refused with `location_changed` if the location has changed.',
    ),
  participantId: z
    .uuid()
    .optional()
    .describe("Who takes part: one of the customer's dependants or, if left out, the customer."),
};

export const attempt = z
  .discriminatedUnion('outcome', [
    z.object({ outcome: z.literal('booked'), bookingId: z.uuid() }),
    z.object({
      outcome: z.literal('requiresAction'),
      bookingId: z.uuid(),
      clientSecret: z.string().meta({ examples: ['seti_123_secret_456'] }),
    }),
    z.object({ outcome: z.literal('processing'), bookingId: z.uuid() }),
  ])
  .meta({
    id: 'BookingAttempt',
    description:
      "A booking's progress. `requiresAction`: the browser completes 3-D Secure with `clientSecret`, then settles the booking. `processing`: Stripe has not responded yet; settle the booking again.",
  });
export type BookingAttempt = z.output<typeof attempt>;

export const paidBooking = z
  .object({
    ...{ bookingId: z.uuid(), status: bookingStatus, title: lessonTitle },
    ...{ participantName: personName, startTime: instant, endTime: instant },
    amountCents: cents,
    refundCents: cents.describe('Refunded so far, including refunds on their way to the card.'),
  })
  .meta({ id: 'PaidBooking', description: 'One of several bookings that a checkout paid for.' });
export type PaidBooking = z.output<typeof paidBooking>;

export const heldSlot = z
  .object({
    slotId: z.uuid(),
    bookingId: z.uuid(),
    participantId: z.uuid(),
    status: z.enum(['pending', 'booked']),
  })
  .meta({
    id: 'HeldSlot',
    description:
      'A lesson in which the customer, or a dependant, has a seat (`booked`) or holds one while the customer pays (`pending`).',
  });
export type HeldSlot = z.output<typeof heldSlot>;

export const myCoach = z
  .object({
    coachId: z.uuid(),
    fullName: personName,
    coachAddress,
    avatarUrl,
    coachType: z
      .string()
      .meta({ examples: ['Tennis coach'] })
      .nullable(),
    businessName: businessName.nullable(),
    bio: z
      .string()
      .meta({ examples: ['Coaching juniors since 2015.'] })
      .nullable(),
    hourlyRateCents: cents.nullable(),
    isActive: z
      .boolean()
      .describe(
        'False if the coach takes no bookings: a former coach, or one without the documents that the club requires.',
      ),
    upcomingSlots: z
      .number()
      .int()
      .describe("All of the coach's upcoming scheduled lessons; 0 for a coach who is not active."),
    ownLessons: z
      .number()
      .int()
      .describe(
        'The number of lessons that the customer has booked with this coach, past and upcoming, excluding cancelled lessons.',
      ),
  })
  .meta({
    id: 'MyCoach',
    description: 'A coach whom the customer has booked before. The rate is in minor units (pence) per hour.',
  });
export type MyCoach = z.output<typeof myCoach>;

export const cancelledLesson = z
  .object({
    slotId: z.uuid(),
    title: lessonTitle,
    startTime: instant,
    endTime: instant,
    people: z.number().int(),
    lateCancellers: z.number().int(),
    refundCents: cents,
  })
  .meta({
    id: 'CancelledLesson',
    description:
      'A lesson and the effect of cancelling it: the number of people who have booked it, the number of late cancellers who get the rest of their money back, and the total refund in minor units (pence).',
  });
export type CancelledLesson = z.output<typeof cancelledLesson>;
