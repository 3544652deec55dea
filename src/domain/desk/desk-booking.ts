import { z } from 'zod';
import { bookingStatus } from '../bookings/booking.ts';
import { location } from '../catalogue/location.ts';
import { slotStatus } from '../catalogue/slots-contract.ts';
import {
  cardBrand,
  cents,
  count,
  emailAddress,
  instant,
  lastFour,
  lessonTitle,
  personName,
} from '../fields.ts';
import { bearer } from './history.ts';

const card = z.object({ brand: cardBrand, lastFour }).nullable();

export const foundBooking = z
  .object({
    bookingId: z.uuid(),
    status: bookingStatus,
    title: lessonTitle,
    startTime: instant,
    endTime: instant,
    customerName: personName,
    customerEmail: emailAddress.describe('Empty for a deleted account.'),
    participantName: personName.nullable().describe('Who takes part; null if the customer does.'),
    coachName: personName,
    amountCents: cents,
    refundedCents: cents,
    card: card.describe('The card that was charged; null for a free lesson.'),
  })
  .meta({
    id: 'FoundBooking',
    description: 'A booking in the results of a search. Amounts in minor units (pence).',
  });
export type FoundBooking = z.output<typeof foundBooking>;

const paidBooking = z
  .object({
    bookingId: z.uuid(),
    title: lessonTitle,
    startTime: instant,
    endTime: instant,
    participantName: personName.nullable(),
    amountCents: cents.describe('What the payment charged for this booking.'),
    leftCents: cents.describe('The part of that amount that can still be refunded.'),
  })
  .meta({
    id: 'BookingPaidTogether',
    description: 'A booking that a payment paid for. Amounts in minor units (pence).',
  });

export const unenteredRefund = z
  .object({
    stripeRefundId: z.string().meta({ examples: ['re_123'] }),
    amountCents: cents.describe("The part of the refund that isn't in any of our own refunds."),
    madeAt: instant.describe('When the refund was made in Stripe.'),
    bookings: z.array(paidBooking).describe("The payment's bookings."),
  })
  .meta({
    id: 'UnenteredRefund',
    description: 'A refund made in Stripe that no admin has entered yet.',
  });
export type UnenteredRefund = z.output<typeof unenteredRefund>;

export const refundRequest = z
  .object({
    refundRequestId: z.uuid(),
    bookingId: z.uuid(),
    title: lessonTitle,
    startTime: instant,
    endTime: instant,
    customerName: personName,
    amountCents: cents,
    borneBy: bearer,
    reason: z.string().meta({ examples: ['Goodwill after a short lesson'] }),
    askedBy: z.object({ userId: z.uuid(), fullName: personName }),
    askedAt: instant.describe('When the first admin asked for the refund.'),
  })
  .meta({
    id: 'WaitingRefund',
    description: 'A refund that waits for a second admin. Amounts in minor units (pence).',
  });
export type RefundRequest = z.output<typeof refundRequest>;

export const deskBooking = foundBooking
  .extend({
    slotId: z.uuid(),
    slotStatus,
    coachId: z.uuid(),
    customerUserId: z.uuid(),
    location: location.nullable(),
    createdAt: instant,
    cancelledAt: instant.nullable(),
    cancelledBy: z.enum(['customer', 'coach', 'platform']).nullable(),
    attended: z.boolean().nullable(),
    feeCents: cents.describe('The platform fee of the booking, before any refund.'),
    chargedCents: cents.describe('What the payments charged for the booking.'),
    leftCents: cents.describe('What can still be refunded.'),
    shareCents: cents.describe("The coach's share, after fees and refunds."),
    isInPayrun: z.boolean().describe('Whether the booking is in a payrun that is not cancelled.'),
    isPaidOut: z.boolean().describe('Whether that payrun is paid.'),
    disputedCents: cents.describe(
      "The amount of its payments' disputes that are open, or lost without the loss having been recorded.",
    ),
    disputeId: z
      .string()
      .nullable()
      .meta({ description: 'The newest of these disputes.', examples: ['du_1PxYz'] }),
    cancelRefundCents: cents.describe('The refund under the terms of the booking if it is cancelled now.'),
    singleAdminCents: cents
      .nullable()
      .describe('How much one admin alone can still refund; null for no limit.'),
    together: z.array(paidBooking).describe('The other bookings that were paid with this one.'),
    requests: z.array(refundRequest).describe('Refunds that wait for a second admin.'),
    unentered: z.array(unenteredRefund).describe('Refunds made in Stripe that nobody has entered.'),
  })
  .meta({
    id: 'DeskBooking',
    description: 'A booking as admins see it at the desk. Amounts in minor units (pence).',
  });
export type DeskBooking = z.output<typeof deskBooking>;

export const otherDate = z
  .object({
    slotId: z.uuid(),
    startTime: instant,
    endTime: instant,
    location: location.nullable(),
    priceCents: cents,
    seatsLeft: count,
  })
  .meta({ id: 'OtherDate', description: 'Another date of the same lesson to which a booking can move.' });
export type OtherDate = z.output<typeof otherDate>;
