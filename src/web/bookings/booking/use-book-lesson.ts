import { useCallback, useRef, useState } from 'react';
import { checkoutApi } from '#domain/bookings/checkout-contract.ts';
import type { BookingAttempt } from '#domain/bookings/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import { AppError, type ErrorCode } from '#domain/errors.ts';
import { callApi } from '#web/app/api/api.ts';

/**
 * The state of a booking attempt. `message` is for the customer. After a failure, `newPriceCents` is set if the price
 * changed, `bookingId` if the server names a booking, `canAsk` if the coach may make an exception, and `slotId` and
 * `participantId` if the failure concerns one of several seats.
 */
export type BookingProgress =
  | { step: 'idle' }
  | { step: 'working'; message: string }
  | { step: 'booked'; bookingId: string }
  | { step: 'waiting'; bookingId: string }
  | {
      step: 'failed';
      code: ErrorCode;
      message: string;
      newPriceCents?: number | undefined;
      bookingId?: string | undefined;
      canAsk?: boolean;
      slotId?: string | undefined;
      participantId?: string | undefined;
    };

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** How long the screen polls for an outcome, in ms, before it says that an email will follow. */
const pollingMs = 45_000;

/**
 * Books one to six seats from start to finish, with one payment: charges the card, runs 3-D Secure in a
 * dialog and polls while Stripe is slow. Every step can safely be repeated: the server continues the same
 * booking and never charges twice.
 */
export function useBookLesson(authenticate: (clientSecret: string) => Promise<void>) {
  const [progress, setProgress] = useState<BookingProgress>({ step: 'idle' });
  const isBusy = useRef(false);
  const isUnsure = useRef(false);
  const book = useCallback(
    async (seats: ShownSeat[]): Promise<BookingProgress> => {
      if (isBusy.current) return { step: 'working', message: '' };
      isBusy.current = true;
      const what = seats.length > 1 ? 'your places' : 'your place';
      setProgress({ step: 'working', message: `Booking ${what}...` });
      const ended = await carryThrough(seats, authenticate, (message) =>
        setProgress({ step: 'working', message }),
      ).catch((error) => readFailure(error, isUnsure.current));
      // The attempt may have succeeded even though its response was lost. The next attempt then finds the
      // lesson booked.
      isUnsure.current = ended.step === 'failed' && ended.code === 'unavailable';
      isBusy.current = false;
      setProgress(ended);
      return ended;
    },
    [authenticate],
  );
  /** Clears the outcome of the last attempt before an attempt for another participant. */
  const reset = useCallback(() => {
    if (isBusy.current) return;
    isUnsure.current = false;
    setProgress({ step: 'idle' });
  }, []);
  return { progress, book, reset };
}

/**
 * The details that the customer confirms; `baseAmountCents` is the price in minor units. Without `participantId`, the
 * customer takes part.
 */
export type ShownSeat = Pick<OpenSlot, 'slotId' | 'startTime' | 'location'> & {
  baseAmountCents: number;
  participantId?: string | undefined;
};

async function carryThrough(
  seats: ShownSeat[],
  authenticate: (clientSecret: string) => Promise<void>,
  say: (message: string) => void,
): Promise<BookingProgress> {
  const deadline = Date.now() + pollingMs;
  let wasAsked = false;
  let attempt: BookingAttempt =
    seats.length === 1
      ? await callApi(bookingsApi.book, seats[0]!)
      : await callApi(checkoutApi.book, { seats });
  while (attempt.outcome !== 'booked') {
    const { bookingId } = attempt;
    if (attempt.outcome === 'requiresAction') {
      if (wasAsked) return giveUp(bookingId, seats.length);
      wasAsked = true;
      say('Waiting for your bank...');
      await authenticate(attempt.clientSecret);
    } else {
      say('Your bank is taking longer than usual...');
      if (Date.now() > deadline) return { step: 'waiting', bookingId };
      await pause(1_500);
    }
    say(seats.length > 1 ? 'Confirming your places...' : 'Confirming your place...');
    attempt = await callApi(bookingsApi.settle, { bookingId });
  }
  return { step: 'booked', bookingId: attempt.bookingId };
}

/** Releases the seats after the customer leaves the bank's check; if the payment went through, they are booked. */
async function giveUp(bookingId: string, count: number): Promise<BookingProgress> {
  try {
    await callApi(bookingsApi.release, { bookingId });
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return { step: 'booked', bookingId };
    throw error;
  }
  return {
    step: 'failed',
    code: 'payment_failed',
    message: `You didn't finish your bank's check, so ${count > 1 ? "your places aren't" : "your place isn't"} booked. You haven't been charged. Confirm again, or change the card.`,
  };
}

/** `isUnsure`: an earlier attempt ended without a response, so it may have made the booking that now exists. */
function readFailure(error: unknown, isUnsure: boolean): BookingProgress {
  if (!(error instanceof AppError)) {
    console.error('Failed to book the lesson', error);
    return { step: 'failed', code: 'internal', message: 'Failed to book the lesson' };
  }
  const { code, details } = error;
  const bookingId = typeof details?.bookingId === 'string' ? details.bookingId : undefined;
  if (code === 'already_booked' && bookingId && isUnsure) return { step: 'booked', bookingId };
  const message = error.message || 'Failed to book the lesson';
  if (code === 'unavailable') {
    return {
      step: 'failed',
      code,
      message: `${message} You can safely confirm again: you won't be charged twice.`,
    };
  }
  const newPriceCents = typeof details?.priceCents === 'number' ? details.priceCents : undefined;
  const [slotId, participantId] = [details?.slotId, details?.participantId].map((id) =>
    typeof id === 'string' ? id : undefined,
  );
  const canAsk = details?.canAsk === true;
  return { step: 'failed', code, message, newPriceCents, bookingId, canAsk, slotId, participantId };
}
